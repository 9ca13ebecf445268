"""Work before the first visitor: loading libraries and models, and clearing up afterwards."""

import gc
import os
from importlib import import_module
from pkgutil import iter_modules
from threading import Timer

import pages
from core.device import compute_on_one_thread, load_optimisers, set_compiler_folder
from core.live import slot_of
from core.store import STORE
from pages.browser.first_page import pack_ahead

LATER = (
    *("PIL.ImageFile", "einops._torch_specific", "orjson", "plotly.io._json", "plotly.tools"),
    *(
        "pandas.core.reshape.reshape",
        "pyarrow.pandas_compat",
        "pyarrow.vendored.version",
        "streamlit.emojis",
        "streamlit.material_icon_names",
    ),
)
"""What the libraries load when they are first used, which is when the first visitor waits."""

OPTIMISERS_AFTER = 5.0
"""Seconds from the start to the loading of torch's optimisers, which takes as long as a first picture."""


def prepare() -> None:
    """Load all that pages are made of, take it out of the sight of the garbage collector, settle on a thread.

    After every run of a script Streamlit collects garbage, and looks for it among all the objects that torch,
    Plotly and Streamlit made when they were loaded: 0.2 s of a toggle that needs 0.1 s without. None of them
    is ever garbage. Only what trains needs torch's optimisers: they are loaded some seconds later, when the
    first visitor has a picture. Ends the process with a sentence if its bound of memory or a number of
    trainings is set wrongly.
    """
    try:
        _ = STORE.process.bound, slot_of(os.environ)
    except ValueError as error:
        raise SystemExit(f"Attention Lab: {error}") from error
    gc.disable()  # what is loaded stays: looking for garbage in it takes a tenth of the time
    for module in iter_modules(pages.__path__):
        import_module(f"{pages.__name__}.{module.name}")
    for name in LATER:
        import_module(name)
    set_compiler_folder()
    pack_ahead()
    compute_on_one_thread()
    gc.collect()
    gc.freeze()
    gc.enable()
    later = Timer(OPTIMISERS_AFTER, load_optimisers)
    later.daemon = True
    later.start()
