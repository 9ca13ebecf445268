"""Programs run as their readers would run them, and what they print read back as numbers."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]

READER = """
import contextlib, io, json, sys, traceback
import numpy, safetensors.torch, torch

torch.set_num_threads(1)
for line in sys.stdin:
    written, problem = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(written):
            exec(compile(json.loads(line), "<program>", "exec"), {"__name__": "__main__"})
    except BaseException:
        problem = traceback.format_exc()
    print(json.dumps([written.getvalue(), problem]), flush=True)
"""
"""Runs program after program, each with nothing in sight: torch takes seconds to load, and is loaded once."""


def printed(program: str, *, alone: bool = True) -> str:
    """What a program prints, run in the folder of the app; `alone`, it can import nothing of the app."""
    reader = _reader(alone)
    assert reader.stdin is not None
    assert reader.stdout is not None
    reader.stdin.write(json.dumps(program) + "\n")
    reader.stdin.flush()
    written, problem = json.loads(reader.stdout.readline())
    assert problem == "", f"{problem}\n{program}"
    return written


def printed_matrix(program: str, n_columns: int, *, alone: bool = True) -> np.ndarray:
    """The last `n_columns` numbers of every line a program prints."""
    rows = [line.split()[-n_columns:] for line in printed(program, alone=alone).splitlines()]
    return np.array(rows, dtype=float)


@cache
def _reader(alone: bool) -> subprocess.Popen[str]:
    """A process of its own, which ends with that of the tests: its input does."""
    command = [sys.executable, *(["-I"] if alone else []), "-W", "error", "-c", READER]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, encoding="utf-8")
