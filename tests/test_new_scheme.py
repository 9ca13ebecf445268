"""What CONTRIBUTING says a position scheme costs: a class and a line, and every page knows it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

CONSUMERS = ("tests/core/positions", "tests/pages/test_every_scheme.py")
"""The tests that go through every scheme and everything that asks one."""


@pytest.mark.parametrize("consumers", CONSUMERS)
def test_schemes_made_up_here_are_seen_everywhere_without_any_other_change(consumers: str) -> None:
    options = ["-q", "-x", "-p", "tests.made_up_schemes", "-p", "no:cacheprovider", "-k", "made-up"]
    command = [sys.executable, "-m", "pytest", *options, consumers]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
