"""The report on a large model: every number beside its peer and its lower bound."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bench.models import OURS
from bench.models.pictures import Picture

INTRODUCTION = """\
# A large model and its peers

`make bench-models` writes this page: do not edit it. It compares a model of GPT-2's architecture (12 layers,
12 heads, width 768, a vocabulary of 5,003, random weights) with the same model in other libraries. All take
turns in one run on one machine, so a busy moment affects them all. Read the ratios, not the seconds.
"""

ABOUT_FORWARD = """\
Seconds are medians of processor time on one thread. The floor of time is the number of operations, divided by
the machine's speed at a matrix product of that size. No program that computes the same can reach an aim below
floor ÷ peer on this machine. Memory is the largest growth of the process during the pass, result included.
The floor of memory is the size of the result.
"""

ABOUT_PICTURES = """\
Our time starts with a click that asks for another model and ends with the picture of its 12 × 12 heads. It
includes the forward pass and sending the figure through Streamlit. BertViz' `model_view` gets the weights
ready: its time is writing the page and drawing it. Bytes are sent to the browser.
"""

TIME_AIM, BYTES_AIM, AIM_AT = 1 / 20, 1 / 40, 64


def page(forward: Mapping[str, Any], pictures: Sequence[Picture]) -> str:
    """Return the report in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in forward["versions"].items())
    parts = [INTRODUCTION, f"Measured on {forward['device']}, with {versions}.\n", "## Forward passes\n"]
    parts += [ABOUT_FORWARD, _time_table(forward["rows"]), "## Memory\n", _memory_table(forward["rows"])]
    if pictures:
        parts += ["## From weights to the picture of all heads\n", ABOUT_PICTURES, _picture_table(pictures)]
    return "\n".join(parts)


def _time_table(rows: Iterable[Mapping[str, Any]]) -> str:
    header = ("what is asked for", "words", "ours", "peer", "ours ÷ peer", "aim", "floor", "floor ÷ peer")
    return _table(
        header,
        (
            [
                f"{row['question']}, against {peer}",
                f"{row['words']}",
                f"{row['seconds'][OURS]:.3f} s",
                f"{seconds:.3f} s",
                _ratio(row["seconds"][OURS], seconds),
                f"≤ {row['aim']:.2f}",
                f"{row['floor_seconds']:.3f} s",
                _ratio(row["floor_seconds"], seconds),
            ]
            for row in rows
            for peer, seconds in row["seconds"].items()
            if peer != OURS
        ),
    )


def _memory_table(rows: Iterable[Mapping[str, Any]]) -> str:
    header = ("what is asked for", "words", "ours", "peer", "ours ÷ peer", "floor")
    return _table(
        header,
        (
            [
                f"{row['question']}, against {peer}",
                f"{row['words']}",
                _megabytes(row["bytes"][OURS]),
                _megabytes(size),
                _ratio(row["bytes"][OURS], size),
                _megabytes(row["floor_bytes"]),
            ]
            for row in rows
            for peer, size in row["bytes"].items()
            if peer != OURS
        ),
    )


def _picture_table(pictures: Iterable[Picture]) -> str:
    header = (
        "words",
        "ours",
        "BertViz",
        "ours ÷ BertViz",
        "aim",
        "our bytes",
        "BertViz' bytes",
        "ratio",
        "aim",
    )
    return _table(header, map(_picture_row, pictures))


def _picture_row(picture: Picture) -> list[str]:
    ours, theirs = picture.seconds
    aims = picture.words == AIM_AT
    return [
        f"{picture.words}",
        f"{ours:.2f} s",
        f"{theirs:.2f} s" if picture.theirs else "–",
        _ratio(ours, theirs),
        f"≤ {TIME_AIM:.3f}" if aims else "",
        _megabytes(picture.our_bytes),
        _megabytes(picture.their_bytes) if picture.theirs else "–",
        _ratio(picture.our_bytes, picture.their_bytes),
        f"≤ {BYTES_AIM:.3f}" if aims else "",
    ]


def _ratio(ours: float, theirs: float) -> str:
    return f"{ours / theirs:.3g}" if theirs > 0 else "–"


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f} MB" if size < 1e7 else f"{size / 1e6:,.0f} MB"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
