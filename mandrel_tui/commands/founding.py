"""Founding: `demo` makes a sample repository, `init` lays what a repository lacks; both say first
what they write, and write nothing over what is there."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import say, write_lines
from mandrel_tui.commands.repository import failures, path_of, root
from mandrel_tui.protocol.legible import counted
from mandrel_tui.resources import bundled
from mandrel_tui.workspace.git import Git
from mandrel_tui.workspace.setup import (
    FileChange,
    SetupPlan,
    SetupRefused,
    carry_out,
    plan_setup,
)
from mandrel_tui.workspace.visible import shown, visible


def run_demo(arguments: Namespace) -> int:
    """Makes the sample repository and, unless told not to, opens it."""
    from mandrel_tui.workspace.sample import SampleError, make

    if not arguments.no_open:
        from mandrel_tui.commands.opening import refuse_unusable_terminal

        refuse_unusable_terminal()
    target = _new_folder() if arguments.dir is None else path_of(arguments.dir)
    try:
        sample = make(target, bundled("contracts"), datetime.now(UTC))
    except SampleError as error:
        raise Failure(str(error)) from None
    say(f"the sample repository is in {sample.root}")
    if sample.no_history:
        say(f"it has no history: {sample.no_history}")
    if arguments.no_open:
        return DONE
    from mandrel_tui.commands.opening import open_at

    return open_at(sample.root)


def _new_folder() -> Path:
    from tempfile import mkdtemp

    return Path(mkdtemp(prefix="mandrel-tui-")) / "ledger-sync"


def run_init(arguments: Namespace) -> int:
    """Shows what a repository lacks and lays it after a yes."""
    top = _root(arguments)
    head = Git(top).run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    try:
        plan = plan_setup(
            top,
            bundled("contracts"),
            today=f"{datetime.now(UTC):%Y-%m-%d}",
            head=head.stdout.decode("ascii", "replace").strip() if head.ok else None,
        )
    except SetupRefused as refusal:
        raise Failure(str(refusal), REFUSED) from None
    files = plan.changes(loader=False)
    write_lines(_plan_lines(plan, files))
    if files and not arguments.yes and not agreed("write these files?"):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)
    loader = _wants_loader(arguments, plan)
    if not files and not loader:
        raise Failure(f"{shown(top)} is set up already but for the loader block", REFUSED)
    with failures():
        carry_out(plan, loader=loader)
    say(f"wrote {_counted(plan.changes(loader=loader))} in {shown(top)}")
    if plan.loaders and not loader:
        say("no loader block: agents are told of the contracts by their prompts alone")
    if Git(top).run("rev-parse", "--git-dir").ok:
        say("commit these files first: a session is to leave a clean tree")
    say("`mandrel-tui new` drafts a task")
    return DONE


def _root(arguments: Namespace) -> Path:
    if arguments.dir is not None and arguments.repo is not None:
        raise Failure("name the folder once: DIR or --repo")
    return root(arguments.repo if arguments.dir is None else arguments.dir).root


def _plan_lines(plan: SetupPlan, files: tuple[FileChange, ...]) -> Iterator[str]:
    done = f", {len(plan.laid)} of an earlier run are there" if plan.laid else ""
    yield f"{shown(plan.root)}: {_counted(files)} to write{done}"
    for change in files:
        yield f"  {'new   ' if change.is_new else 'change'} {visible(change.path)}{_size(change)}"
    yield from (f"  keep   {visible(path)}" for path in plan.kept)
    yield from (f"  note   {visible(note)}" for note in plan.notes)
    for change in files:
        yield from _diff(change) if not change.is_new or change.path == ".gitignore" else ()
    if plan.loaders:
        yield "The loader block, which brings the contracts to every session:"
        for change in plan.loaders:
            yield from _diff(change)


def _size(change: FileChange) -> str:
    return f"  {len(change.after):,} bytes" if change.is_new else ""


def _diff(change: FileChange) -> Iterator[str]:
    """The change as a unified diff, every line visible."""
    from difflib import unified_diff

    before, after = (_text_lines(side) for side in (change.before or b"", change.after))
    old = "/dev/null" if change.is_new else f"a/{change.path}"
    for line in unified_diff(before, after, old, f"b/{change.path}", lineterm=""):
        yield visible(line)


def _text_lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _wants_loader(arguments: Namespace, plan: SetupPlan) -> bool:
    if not plan.loaders:
        return False
    if arguments.yes:
        return bool(arguments.loader)
    return bool(arguments.loader) or agreed("add the loader block too?")


def _counted(files: Iterable[FileChange]) -> str:
    return counted(len(tuple(files)), "file")
