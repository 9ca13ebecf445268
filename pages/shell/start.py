"""Work before the first visitor: loading libraries and models, and freeing memory."""

import gc
import os
from importlib import import_module
from pkgutil import iter_modules
from threading import Timer

import pages
from core.device import compute_on_one_thread, load_optimisers, set_compiler_folder
from core.live import queue_of
from core.store import STORE
from pages.browser.first_page import pack_ahead

LATER = (
    *("PIL.ImageFile", "einops._torch_specific", "orjson", "plotly.io._json", "plotly.tools"),
    *("pandas.core.reshape.reshape", "pyarrow.pandas_compat", "pyarrow.vendored.version"),
    *("streamlit.emojis", "streamlit.material_icon_names"),
)
"""Modules that the libraries load at their first use, which would delay the first visitor."""

OPTIMISERS_AFTER = 5.0
"""Seconds from the start to the loading of torch's optimisers, which takes as long as a first picture."""


def prepare() -> None:
    """Load everything that pages need, freeze it for the garbage collector, and make torch use one thread.

    Streamlit collects garbage after every run of a script. It searches all objects that torch, Plotly and
    Streamlit made when they were loaded. They are never garbage, and the search took 0.2 s of a toggle that
    needs 0.1 s without it. Only trainings need torch's optimisers, so these are loaded some seconds later,
    when the first visitor has a picture. Ends the process with a sentence if its limit of memory or of
    trainings is invalid.
    """
    try:
        _ = STORE.process.bound, queue_of(os.environ)
    except ValueError as error:
        raise SystemExit(f"Attention Lab: {error}") from error
    gc.disable()  # loaded objects stay: searching them for garbage takes a tenth of the time
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
