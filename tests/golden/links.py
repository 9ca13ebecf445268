"""Links whose sheets are kept as golden texts: each view as it opens, and with every value of its controls.

`python -m tests.golden.links` writes `links.txt`, `python -m tests.golden.links heads` a page's part of it.
Do it after you add a view, a control or an option.
"""

import re
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from core.sources import UnavailableError
from pages.sheet import SheetResult, build_sheet
from tests.covering import covering
from tests.views import PAGES

FILE = Path(__file__).with_name("links.txt")

FEWEST_OPTIONS, MOST_OPTIONS, MOST_NUMBERS = 2, 12, 4
"""A control with more options chooses a word or a size: its first, middle and last one stand for all."""

NUMBER = re.compile(r"[\d.]+")

LEFT_OUT = frozenset({"text", "other", "view"})
"""Parameters that are typed, and the view itself."""

OF_THE_MACHINE = frozenset({"real", "own"})
"""Options that depend on local folders of models, or on earlier trainings."""

EXTRA = Path(__file__).with_name("extra.txt")
"""Links with typed values, or values chosen in a picture."""


def links(addresses: Collection[str] = ()) -> list[str]:
    """Return the links of all views, each once; of other pages than `addresses`, those in `FILE`."""
    former = FILE.read_text("utf-8").splitlines() if addresses else []
    extra = EXTRA.read_text("utf-8").splitlines()
    found: list[str] = []
    for address, page in PAGES.items():
        if addresses and address not in addresses:
            found += [link for link in former if link.startswith(f"/{address}?")]
            continue
        for name in page.views:
            usual = _link(address, {"view": name})
            found += [
                *_of_view(address, name),
                *(link for link in extra if f"{link}&".startswith(f"{usual}&")),
            ]
    return list(dict.fromkeys(found))


def _of_view(address: str, name: str) -> Iterator[str]:
    usual = {"view": name}
    try:
        options = _options(build_sheet(_link(address, usual)))
    except UnavailableError:
        options = {}
    yield _link(address, usual)
    for setting in map(_steady, covering(options) if options else []):
        yield _available(
            _link(address, {**usual, **setting}), _link(address, {**usual, **setting, "mask": "causal"})
        )


def _steady(setting: Mapping[str, str]) -> Mapping[str, str]:
    """Return a setting with scaled scores if there are no norms: deep random models amplify rounding."""
    return {**setting, "scale": "true"} if setting.get("norm") == "none" and "scale" in setting else setting


def _available(*links: str) -> str:
    """Return the first of these links that has a model, or else the last."""
    for link in links:
        try:
            build_sheet(link)
        except UnavailableError as error:
            print(f"{link}: {error}", file=sys.stderr)
        else:
            return link
    return links[-1]


def _options(found: SheetResult) -> Mapping[str, list[str]]:
    """Return the values of each control of a view, as a link spells them."""
    values: dict[str, list[str]] = {}
    for control in (one.parameter for one in found.ask.asked()):
        if control.name in LEFT_OUT:
            continue
        options = [str(one) for one in control.options if one not in OF_THE_MACHINE]
        if control.kind == "switch":
            options = ["false", "true"]
        most = MOST_NUMBERS if all(map(NUMBER.fullmatch, options)) else MOST_OPTIONS
        if len(options) > most:
            options = [options[0], options[len(options) // 2], options[-1]]
        if len(options) >= FEWEST_OPTIONS:
            values[control.name] = options
    return values


def _link(address: str, parameters: Mapping[str, Any]) -> str:
    return f"/{address}?{urlencode(parameters)}"


if __name__ == "__main__":
    FILE.write_text("".join(f"{link}\n" for link in links(sys.argv[1:])), "utf-8")
