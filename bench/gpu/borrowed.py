"""Test helpers that need only torch and `core`, loaded from their files.

A package called `tests` of some other project may be installed on a machine, and would come first.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def borrowed(path: str) -> ModuleType:
    """Return the module in a file of this repository, loaded once."""
    name = f"bench.gpu.borrowed.{Path(path).stem}"
    if name not in sys.modules:
        spec = spec_from_file_location(name, ROOT / path)
        assert spec is not None, f"{path} is a Python file"
        assert spec.loader is not None, f"{path} is a Python file"
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[name]
