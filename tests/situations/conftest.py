"""What the tests of the cases share: each is named by a case, and stands in its situation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.situations.case import CASES, Case, build


@pytest.fixture
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Case:
    """The situation of the case that the test is named by."""
    wanted = request.node.originalname.removeprefix("test_").replace("_", "-")
    assert (CASES / wanted / "setup.sh").is_file()
    return build(wanted, tmp_path / "situation")
