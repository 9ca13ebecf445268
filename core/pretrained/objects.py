"""A transformers model in memory, as our own modules."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.pretrained import Pretrained, read


def read_object(model: Any, tokenizer: Any = None) -> Pretrained:
    """Return a transformers model as our own modules; raises FolderError for an unknown family.

    The model and its tokenizer are saved to a folder, so that one reader knows every name of a weight. Later
    changes of the model do not reach the copy.
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder, _quiet():
        for one in (model, tokenizer):
            if one is not None:
                one.save_pretrained(folder)
        return read(Path(folder))


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from drawing progress bars, if it is loaded."""
    utils = sys.modules.get("transformers.utils.logging")
    if utils is None or not utils.is_progress_bar_enabled():
        yield
        return
    utils.disable_progress_bar()
    try:
        yield
    finally:
        utils.enable_progress_bar()
