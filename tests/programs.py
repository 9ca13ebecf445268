"""Programs run as their readers would run them, and what they print read back as numbers."""

import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]


def printed(program: str, *, alone: bool = True) -> str:
    """What a program prints, run in the folder of the app; `alone`, it can import nothing of the app."""
    command = [sys.executable, *(["-I"] if alone else []), "-W", "error", "-c", program]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, f"{run.stderr}\n{program}"
    return run.stdout


def printed_matrix(program: str, n_columns: int) -> np.ndarray:
    """The last `n_columns` numbers of every line a program prints."""
    rows = [line.split()[-n_columns:] for line in printed(program).splitlines()]
    return np.array(rows, dtype=float)
