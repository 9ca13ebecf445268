"""A mask or a position scheme costs an object and a line, as CONTRIBUTING says, and all pages know it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CONSUMERS = (
    "tests/core/model/masks",
    "tests/core/model/positions",
    "tests/core/learning/tasks/test_task.py",
    "tests/pages/test_every_mask.py",
    "tests/pages/test_every_scheme.py",
)
"""The tests that go through every mask or scheme, and through all that uses one."""


@pytest.mark.long("what knows only the masks and schemes of today; a process where others are made up")
def test_masks_and_schemes_made_up_here_are_seen_everywhere_without_any_other_change() -> None:
    options = ["-q", "-x", "-p", "tests.made_up", "-p", "no:cacheprovider", "-k", "made-up"]
    command = [sys.executable, "-m", "pytest", *options, *CONSUMERS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    (passed,) = re.findall(r"(\d+) passed", done.stdout)
    assert int(passed) > 50, "some of them have not asked"
