"""Links whose sheets are kept as golden texts: each view as it opens, and with every value of its controls.

`python -m tests.golden.links` writes `links.txt` anew. Do it after you add a view, a control or an option.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from core.sources import UnavailableError
from pages.contract.items import Asked, Slider
from pages.sheet import Answered, answered
from tests.covering import covering
from tests.views import PAGES

FILE = Path(__file__).with_name("links.txt")

FEWEST_OPTIONS, MOST_OPTIONS = 2, 12
"""A control with more options chooses a word or a number: its first, middle and last one stand for all."""

LEFT_OUT = frozenset({"text", "other", "view"})
"""Parameters that are typed, and the view itself."""

OF_THE_MACHINE = frozenset({"real", "own"})
"""Options that depend on the models in a folder of this machine, or on what was trained here."""

EXTRA: dict[tuple[str, str], list[Mapping[str, Any]]] = {
    ("explorer", "heads"): [
        {"query": 6, "key": 3},
        {"query": 2, "key": 6},
        {"query": 3},
        {"show": "mean over heads", "layer": 2, "query": 6, "key": 2},
        {"show": "rollout", "layer": 2, "query": 9, "key": 2},
        {"show": "rollout", "layer": 2, "query": 2, "key": 9},
        {"show": "rollout", "layer": 2, "residual": "false", "query": 2, "key": 1},
        {"model": "random", "text": "we walk on the street ."},
        {"text": "Zuko såg Maria.", "place": 1},
    ],
    ("explorer", "hiding"): [{"model": "random"}],
    ("explorer", "compare"): [{"b_mask": "bidirectional"}, {"query": 6, "key": 3}],
    ("explorer", "probabilities"): [{"model": "random"}],
    ("classification", "one review"): [{"text": "the <b> was good .", "hidden": 2}],
    ("heads", "how many"): [{"mask": "prefix", "heads": 8}, {"layers": 1}],
    ("heads", "reshape"): [{"text": "w " * 256}],
    ("translation", "translate"): [{"begins": "la", "step": 2}, {"translator": "LSTM", "attention": "none"}],
    ("translation", "cross-attention"): [
        {"translator": "LSTM", "attention": "none"},
        {"translator": "LSTM", "attention": "linear"},
    ],
    ("translation", "bottleneck"): [{"translator": "Transformer"}],
    ("translation", "knock out"): [{"hidden": 1}, {"translator": "LSTM", "attention": "none"}],
    ("generation", "side by side"): [{"by_hand": "R4=key;T1=the;R2=was", "step": 3}],
    ("generation", "surprisal"): [{"text": "the snark ran", "step": 2}],
    ("training", "training"): [{"task": "next word", "mask": "prefix"}],
}
"""What links to views set besides: values that are typed or chosen in the picture."""


def links() -> list[str]:
    """Return the links of all views, each once."""
    found = [
        link for address, page in PAGES.items() for name in page.views for link in _of_view(address, name)
    ]
    return list(dict.fromkeys(found))


def extra_links(address: str, view: str) -> list[str]:
    """Return the links of a view whose parameters are listed one by one."""
    return [_link(address, {"view": view, **parameters}) for parameters in EXTRA.get((address, view), ())]


def _of_view(address: str, name: str) -> Iterator[str]:
    usual = {"view": name}
    try:
        options = _options(answered(_link(address, usual)))
    except UnavailableError:
        options = {}
    yield _link(address, usual)
    for setting in covering(options) if options else []:
        yield _available(
            _link(address, {**usual, **setting}), _link(address, {**usual, **setting, "mask": "causal"})
        )
    yield from extra_links(address, name)


def _available(*links: str) -> str:
    """Return the first of these links that has a model, or else the last."""
    for link in links:
        try:
            answered(link)
        except UnavailableError as error:
            print(f"{link}: {error}", file=sys.stderr)
        else:
            return link
    return links[-1]


def _options(found: Answered) -> Mapping[str, list[str]]:
    """Return the values of each control of a view, as a link spells them."""
    controls = [
        item.asked if isinstance(item, Slider) else item
        for items in found.ask.items.values()
        for item in items
    ]
    asked = [one.control for one in controls if isinstance(one, Asked)]
    values: dict[str, list[str]] = {}
    for control in asked:
        if control.name in LEFT_OUT:
            continue
        options = [str(one) for one in control.options if one not in OF_THE_MACHINE]
        if control.kind == "switch":
            options = ["false", "true"]
        if len(options) > MOST_OPTIONS:
            options = [options[0], options[len(options) // 2], options[-1]]
        if len(options) >= FEWEST_OPTIONS:
            values[control.name] = options
    return values


def _link(address: str, parameters: Mapping[str, Any]) -> str:
    return f"/{address}?{urlencode(parameters)}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{link}\n" for link in links()), "utf-8")
