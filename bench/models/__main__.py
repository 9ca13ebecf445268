"""Measure a model of GPT-2's size against its peers and write a report, in half an hour.

`python -m bench.models forward` or `pictures` measures that part alone and prints it.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.models import OURS, peers
from bench.models.pictures import Picture, measured
from bench.tables import table
from tests.browser import chromium

REPORT = Path(__file__).parents[1] / "reports" / "models.md"

INTRODUCTION = """\
# A large model and its peers

`make bench-models` writes this page: do not edit it. It compares a model of GPT-2's architecture (12 layers,
12 heads, width 768, a vocabulary of 5,003, random weights) with the same model in other libraries. All take
turns in one run on one machine, so a busy moment affects them all. Read the ratios, not the seconds.
"""

ABOUT_FORWARD = """\
Seconds are medians of processor time on one thread. The floor of time is the number of operations, divided by
the machine's speed at a matrix product of that size. On this machine, no program that
computes the same takes less than floor ÷ peer of the peer's time. Memory is the largest growth of the
process during the pass, result included. The floor of memory is the size of the result.
"""

ABOUT_PICTURES = """\
Our time starts with a click that asks for another model and ends with the picture of its 12 × 12 heads. It
includes the forward pass and sending the figure through Streamlit. BertViz' `model_view` receives
finished weights, so its time covers only writing and drawing the page. Bytes are those sent to the
browser.
"""


def main() -> None:
    """Make the environment of the peers, measure, print, and write the report if all was measured."""
    peers.make()
    asked = sys.argv[1:] or ["forward", "pictures"]
    pictures = _pictures() if "pictures" in asked else []
    forward = json.loads(peers.ask("forward")) if "forward" in asked else {}
    text = page(forward, pictures)
    print(text)
    if forward and pictures:
        REPORT.write_text(text, "utf-8")


def _pictures() -> list[Picture]:
    path = chromium.find()
    if path is None:
        sys.exit(f"The pictures need one of {', '.join(chromium.NAMES)} on the PATH.")
    with chromium.launched(path) as browser:
        return measured(browser)


def page(forward: Mapping[str, Any], pictures: Sequence[Picture]) -> str:
    """Return the report in Markdown; a part that was not measured is left out."""
    parts = [INTRODUCTION]
    if forward:
        versions = ", ".join(f"{name} {version}" for name, version in forward["versions"].items())
        parts += [f"Measured on {forward['device']}, with {versions}.\n", "## Forward passes\n"]
        parts += [ABOUT_FORWARD, _compared(forward["rows"], "seconds", "{:.3f} s".format)]
        parts += ["## Memory\n", _compared(forward["rows"], "bytes", _megabytes)]
    if pictures:
        parts += ["## From weights to the picture of all heads\n", ABOUT_PICTURES, _picture_table(pictures)]
    return "\n".join(parts)


def _compared(rows: Sequence[Mapping[str, Any]], measure: str, spelt: Callable[[float], str]) -> str:
    """Return a table of ours, each peer and the floor, in seconds or bytes."""
    are_times = measure == "seconds"
    header = ("task", "words", "ours", "peer", "ours ÷ peer", "floor")
    return table(
        header + ("floor ÷ peer",) * are_times,
        (
            [
                f"{row['question']}, against {peer}",
                f"{row['words']}",
                spelt(row[measure][OURS]),
                spelt(theirs),
                _ratio(row[measure][OURS], theirs),
                spelt(row[f"floor_{measure}"]),
                *[_ratio(row[f"floor_{measure}"], theirs)] * are_times,
            ]
            for row in rows
            for peer, theirs in row[measure].items()
            if peer != OURS
        ),
    )


def _picture_table(pictures: Sequence[Picture]) -> str:
    header = ("words", "ours", "BertViz", "ours ÷ BertViz", "our bytes", "BertViz' bytes", "ratio")
    return table(
        header,
        (
            [
                f"{one.words}",
                f"{one.seconds[0]:.2f} s",
                f"{one.seconds[1]:.2f} s" if one.theirs else "–",
                _ratio(*one.seconds),
                _megabytes(one.our_bytes),
                _megabytes(one.their_bytes) if one.theirs else "–",
                _ratio(one.our_bytes, one.their_bytes),
            ]
            for one in pictures
        ),
    )


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.3g}" if theirs > 0 else "–"


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"


if __name__ == "__main__":
    main()
