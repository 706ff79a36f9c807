"""The wheel: built as a release is, installed into an environment of its own, run elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from mandrel_tui import __version__
from tests.conftest import ROOT

NOT_SHIPPED = {"__pycache__"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel made from the source distribution, which is made from a copy of this tree."""
    source = tmp_path_factory.mktemp("source") / "mandrel-tui"
    parts = ("mandrel_tui", "contracts", "themes", "tests/house", "pyproject.toml", "README.md")
    for part in (*parts, "LICENSE", ".gitignore"):
        copy(ROOT / part, source / part)
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    done = subprocess.run(command, capture_output=True)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return next(out.glob("*.whl"))


def copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NOT_SHIPPED))
    else:
        shutil.copyfile(source, target)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel; what it depends on is that of
    the environment the tests run in, so that nothing is fetched."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=False, symlinks=os.name == "posix")
    paths = sysconfig.get_paths("venv", {"base": str(place), "platbase": str(place)})
    into = ["--prefix", str(place), "--no-deps", "--no-index", "--no-warn-script-location"]
    pip = [sys.executable, "-m", "pip", "--isolated", "-q", "install", "--ignore-installed"]
    done = subprocess.run([*pip, *into, str(wheel)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    program = Path(paths["scripts"]) / "mandrel-tui"
    python = Path(paths["scripts"]) / Path(sys.executable).name
    lines = program.read_text("utf-8").split("\n")
    program.write_text("\n".join([f"#!{python}", *lines[1:]]), "utf-8")
    dependencies = Path(paths["purelib"]) / "dependencies.pth"
    dependencies.write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")
    return program


def run(program: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program, *arguments], cwd=cwd, capture_output=True)


def test_the_wheel_holds_every_file_of_the_program(wheel: Path) -> None:
    shipped = set(zipfile.ZipFile(wheel).namelist())
    for top, prefix in (
        ("mandrel_tui", ""),
        ("contracts", "mandrel_tui/"),
        ("themes", "mandrel_tui/"),
    ):
        files = (p for p in (ROOT / top).rglob("*") if p.is_file())
        names = {
            f"{prefix}{p.relative_to(ROOT).as_posix()}"
            for p in files
            if not NOT_SHIPPED & set(p.parts)
        }
        assert names
        assert names <= shipped


def test_the_installed_program_is_the_wheels(installed: Path, tmp_path: Path) -> None:
    python = installed.with_name(Path(sys.executable).name)
    code = (
        "import mandrel_tui; from mandrel_tui.resources import bundled;"
        "print(mandrel_tui.__file__, bundled('contracts'), bundled('themes'), sep='\\n')"
    )
    done = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, check=True)
    package, *folders = map(Path, done.stdout.decode().splitlines())
    assert package.is_relative_to(installed.parents[1])
    assert [folder.parent for folder in folders] == [package.parent, package.parent]


def test_the_installed_program_makes_and_reads_a_sample(installed: Path, tmp_path: Path) -> None:
    version = run(installed, "--version", cwd=tmp_path)
    assert version.stdout.decode() == f"mandrel-tui {__version__}\n"
    assert run(installed, "demo", "sample", "--no-open", cwd=tmp_path).returncode == 0
    board = run(installed, "board", "--json", cwd=tmp_path / "sample")
    assert board.returncode == 0, board.stderr.decode()
    gate = next(row["task"] for row in json.loads(board.stdout) if row["mode"] == "final-gate")
    assert run(installed, "prompt", gate, cwd=tmp_path / "sample").stdout
    assert run(installed, "board", cwd=tmp_path / "sample").stdout.count(b"\n") > 9


def test_the_installed_program_sets_a_repository_up(installed: Path, tmp_path: Path) -> None:
    assert run(installed, "init", "--yes", cwd=tmp_path).returncode == 0
    assert (tmp_path / ".ai-protocol/protocols/review.md").is_file()


def test_the_installed_screens_find_their_styles(installed: Path, tmp_path: Path) -> None:
    python = installed.with_name(Path(sys.executable).name)
    code = (
        "from pathlib import Path; from mandrel_tui.ui.app import MandrelApp;"
        "app = MandrelApp(Path.cwd()); print(all(Path(p).is_file() for p in app.css_path))"
    )
    done = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True)
    assert done.stdout == b"True\n", done.stderr.decode()
