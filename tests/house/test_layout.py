"""The house: what stands at the top, who may import whom, and how little a command loads."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, git

ALLOWED = {"pyproject.toml", "mandrel_tui", "contracts", "themes", "tests", "README.md", "LICENSE"}
SOURCES = sorted(p for p in (ROOT / "mandrel_tui").rglob("*.py"))
HEAVY = ("textual", "rich", "pydantic", "yaml", "frontmatter", "pyperclip", "watchfiles")
FREE_OF_SCREEN = ("textual", "rich", "pydantic")


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    listed = git(ROOT, "-c", "safe.directory=*", "ls-files", "-z")
    return [ROOT / name for name in listed.split("\0") if name]


def in_fresh_interpreter(code: str, cwd: Path = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        cwd=cwd,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_nothing_else_stands_at_the_top() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {top for top in tops if not top.startswith(".")} == ALLOWED


def test_the_layers_only_point_downwards() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stdout.decode()


@pytest.mark.parametrize("layer", ["protocol", "workspace"])
def test_a_lower_layer_imports_no_screen(layer: str) -> None:
    names = [name for name in map(module_name, SOURCES) if name.startswith(f"mandrel_tui.{layer}")]
    assert len(names) > 10
    code = f"""
import importlib
for name in {names!r}:
    importlib.import_module(name)
print([name for name in {FREE_OF_SCREEN!r} if name in sys.modules])
"""
    assert in_fresh_interpreter(code) == "[]\n"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize(
    "command",
    [
        ["board", "--archived", "--json"],
        ["show", "2026-03-02-dispute"],
        ["next", "--json"],
        ["prompt", "2026-03-02-interim-due"],
        ["followup", "2026-03-02-interim-due", "answered-continue", "--answer", "Yes."],
        ["completion", "bash"],
        ["__complete", "plain", "next", ""],
        ["init"],
    ],
    ids=lambda command: command[0],
)
def test_a_command_loads_no_heavy_library(command: list[str], golden: Path) -> None:
    code = f"""
from mandrel_tui.cli import main
main({command!r})
print([name for name in {HEAVY!r} if name in sys.modules], file=sys.__stdout__)
"""
    assert in_fresh_interpreter(code, cwd=golden).endswith("[]\n")


def test_only_one_module_starts_children() -> None:
    users = {module_name(path) for path in SOURCES if "subprocess" in imports(path)}
    assert users == {"mandrel_tui.workspace.process"}


def test_every_import_is_declared_and_every_declared_one_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]["watch"]
    declared = {requirement(line) for line in project["dependencies"]}
    used = {top for path in SOURCES for top in imports(path)}
    used -= {*sys.stdlib_module_names, "mandrel_tui"}
    distributions = importlib.metadata.packages_distributions()
    imported = {normal(distributions[top][0]) for top in used}
    assert imported <= declared | {requirement(line) for line in optional}
    # Loaded by a child, so that no import of it stands in the sources.
    assert declared - imported <= {"pyperclip"}


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_bytes())
    return {top for node in ast.walk(tree) for top in _tops(node)}


def _tops(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name.split(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module.split(".")[0]


def requirement(line: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", line)
    assert found is not None
    return normal(found[0])


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_module_says_first_what_it_owns() -> None:
    modules = [path for path in SOURCES if path.stem != "__main__"]
    assert [p for p in modules if not ast.get_docstring(ast.parse(p.read_bytes()))] == []


def test_no_place_of_one_machine_is_in_the_tree() -> None:
    home = re.compile(rb"(?<![\w.])/(?:home|Users|root|work|private/var)/\w")
    data = ("tests/cases/", "tests/golden/")
    texts = [p for p in tracked() if not p.relative_to(ROOT).as_posix().startswith(data)]
    assert [str(p) for p in texts if p.is_file() and home.search(p.read_bytes())] == []
