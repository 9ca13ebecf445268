"""What is paid once, before the first visitor comes: loading what pages need, and clearing up after that."""

import gc
from importlib import import_module
from pkgutil import iter_modules

import pages
from core.device import compute_on_one_thread, load_optimisers


def prepare() -> None:
    """Load all that pages are made of, take it out of the sight of the garbage collector, settle on a thread.

    After every run of a script Streamlit collects garbage, and looks for it among all the objects that torch,
    Plotly and Streamlit made when they were loaded: 0.2 s of a toggle that needs 0.1 s without. None of them
    is ever garbage. A page's own file is not loaded, for that draws the page; the packages beside it are.
    """
    for module in iter_modules(pages.__path__):
        if module.ispkg:
            import_module(f"{pages.__name__}.{module.name}")
    load_optimisers()
    compute_on_one_thread()
    gc.collect()
    gc.freeze()
