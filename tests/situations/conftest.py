"""What the tests of the cases share: each is named by a case, and stands in its situation."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.situations.case import CASES, Case, build


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """The situation of the case that the test is named by."""
    wanted = request.node.originalname.removeprefix("test_").replace("_", "-")
    assert (CASES / wanted / "setup.sh").is_file()
    return build(wanted, tmp_path / "situation")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter: those of pytest belong to the user who runs it."""
    folder = Path(tempfile.mkdtemp(prefix="mandrel-tui-"))
    folder.chmod(0o755)
    yield folder
    subprocess.run(["chmod", "-R", "u+rwX", folder], check=True)
    shutil.rmtree(folder)
