"""BertViz' pages of twelve layers of twelve heads, written to a folder in the peers' environment.

python -m bench.models.bertviz_pages FOLDER 14 32
"""

import json
import sys
import time
from pathlib import Path

import torch
from bertviz import model_view

from bench.models import HEADS, LAYERS


def main(folder: Path, lengths: list[int]) -> None:
    """Write a page for each length, and print the seconds that each took to make."""
    seconds = {}
    for n in lengths:
        attention = [torch.rand(1, HEADS, n, n).softmax(dim=-1) for _ in range(LAYERS)]
        words = [f"word{at}" for at in range(n)]
        begun = time.perf_counter()
        page = model_view(attention, words, html_action="return", display_mode="light").data
        (folder / f"{n}.html").write_text(f"<!doctype html><body>{page}</body>", "utf-8")
        seconds[n] = time.perf_counter() - begun
    print(json.dumps(seconds))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(n) for n in sys.argv[2:]])
