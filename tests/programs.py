"""Run programs without the modules of the tests, and read their output back as numbers."""

import builtins
import io
import re
import warnings
from contextlib import chdir, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch

ROOT = Path(__file__).parents[1]
OF_THE_APP = {path.stem for path in ROOT.iterdir()} - {".venv"}


def printed(program: str, *, alone: bool = True) -> str:
    """Return the output of a program, run in the folder of the app; `alone`, it cannot import the app."""
    written, threads = io.StringIO(), torch.get_num_threads()
    names = {"__name__": "__main__", "__builtins__": {**vars(builtins), "__import__": _outside}}
    code = compile(program, "<program>", "exec")
    try:
        with chdir(ROOT), redirect_stdout(written), warnings.catch_warnings(), torch.random.fork_rng([]):
            warnings.simplefilter("error")
            torch.set_num_threads(1)
            exec(code, names if alone else {"__name__": "__main__"})
    except Exception as error:
        error.add_note(program)
        raise
    finally:
        torch.set_num_threads(threads)
    return written.getvalue()


def _outside(name: str, *given: Any, **more: Any) -> ModuleType:
    """Import a module that is not part of the app."""
    if name.partition(".")[0] in OF_THE_APP:
        raise ImportError(f"{name} is of the app")
    return __import__(name, *given, **more)


def printed_matrix(program: str, n_columns: int, *, alone: bool = True) -> np.ndarray:
    """Return the last `n_columns` numbers of every line a program prints."""
    rows = [line.split()[-n_columns:] for line in printed(program, alone=alone).splitlines()]
    return np.array(rows, dtype=float)


def numbers_in(text: str) -> np.ndarray:
    """Return all numbers of a text that are no part of a word."""
    found = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])", text)
    return np.array([float(number) for number in found])
