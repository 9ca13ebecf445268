"""Hostile links, and the demands on a page that opens one.

Hypothesis draws from a seed that is the view's name, so that every run of the tests uses the same links.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any
from zlib import crc32

from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.modules.module import register_module_forward_pre_hook

from core.text.tokenizer import MAX_CHARACTERS, MAX_WORDS
from pages.contract.parameter import Parameter, spell
from pages.contract.parameters import ALSO_OF_B, OF_B, PARAMETERS, SWITCHES, TABLE
from tests.pages.asked import Asked
from tests.pages.test_prose import MARKUP

Link = dict[str, str | list[str]]

ODD_CHARACTERS = (
    *"\x00\x01\x1b\x7f\x85\u00ad",  # controls, and other signs that break a line
    *"\u200b\u200c\u200d\u200e\u200f\u202e\u2066\u2069\u2060\ufeff\u180e",  # without width
    *"\u0301\u0316\u20e3\ufe0f\U000e0001\U000e0041",  # that stand above, below and around, and tags
    *"\u2028\u2029\u3000\ufffd\ufffe\uffff\U0010ffff\ue000",  # separators, no characters, private ones
    *"אبپ۳का์กคำ中文ゞ한\u1112ᅡßſﬁ𝒳𐎀",  # scripts from right to left, without spaces, in pieces
    *"👨👩🏽🇸🏴➡",  # that join into one, and change the sign before them
    *"<>&\"'`$\\%+#?=/:;*_~|[](){}",  # that mean something to somebody
)
"""Lone surrogates are missing: no link can bring one, for percent-encoding cannot write them."""

COCKTAIL = "".join(ODD_CHARACTERS)

NUMBERS = (
    *("0", "-0", "-1", "00", "1.5", "1e3", "1e999", "-1e999", "NaN", "nan", "inf", "-inf", "Infinity"),
    *("0x10", "1_000", "1,000", " 1", "1 ", "+1", "٣", "９", "²", "½", "1" * 5000, "9" * 400),
)
CODE = (
    *("None", "null", "undefined", "true", "[]", "{}", "__proto__", "constructor", "{{7*7}}", "${7*7}"),
    *("../../etc/passwd", "/dev/zero", "C:\\con", "'; DROP TABLE x;--", "%00", "%ff", "%252e", "\r\nX: y"),
    *("__import__('os').abort()", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>"),
    *("[" * 3000, "((" * 2000, "<" * 4000, "a" * 60_000, "-" * 9000, "," * 9000, ";" * 9000, "." * 9000),
)
SPELT = (
    *("R3=was", "R1=was;T12=,", "R0=was", "R257=was", "X1=was", "R1=", ";".join(["R1=was"] * 50)),
    *("q.2.1.-0.5", "q.2.1.1e999", "q.2.1.nan", "q.0.0.0", "v.99999999999.1.1", "q.2.1." + "9" * 400),
    *("1", "f" * 200, "f" * 20_000, "0", "g", "-1"),
)
"""Values of controls without a widget, right and wrong: words by hand, entries, painted cells."""

FIXED = (COCKTAIL, *NUMBERS, *CODE, *SPELT, *MARKUP, "")

NAMES = ("text[]", "text.a", "view ", "VIEW", "ｖｉｅｗ", "<script", "__proto__", "a" * 5000, COCKTAIL)
"""Names that no page has, some of them nearly."""

TEXTS = ("text", "other", "against", "begins")
LONGEST = " ".join(islice(cycle(["the", "cat", "who", "met", "dogs", "is", "not", "happy", "."]), MAX_WORDS))
SENTENCES = (
    *(COCKTAIL, "", " ", COCKTAIL * 40, "\u200b", "\u0301", "a" + "\u0316\u0301" * 300, "\u202eabc\u202c"),
    *(LONGEST, "cat " * (MAX_WORDS + 1), "中" * MAX_WORDS, "w" * MAX_CHARACTERS),
    *("cat " * MAX_CHARACTERS, "a" + "\u0316\u0301" * 40_000, "👨\u200d" * 20_000, "<unk> [MASK]"),
    *("مرحبا بالعالم", "שלום עולם", "สวัสดีชาวโลก", "नमस्ते दुनिया", "안녕하세요", "😀 👨‍👩‍👧‍👦 🇸🇪", "ﷺ" * 100),
)
"""The longest there may be, too long by one word, and too long to be taken apart at all."""

any_character = st.characters(exclude_categories=["Cs"])
odd = st.text(st.one_of(st.sampled_from(ODD_CHARACTERS), any_character), max_size=60)
wrong = st.one_of(st.sampled_from(FIXED), odd)
sentence = st.one_of(st.sampled_from(SENTENCES), odd)


def everything_wrong(view: str) -> Link:
    """Return a link to a view with an impossible value for every parameter, and some unknown parameters.

    Each has another value in each view.
    """
    begin = crc32(view.encode())
    values = [one for one in FIXED if one]
    names = sorted({*PARAMETERS, *(OF_B + name for name in SWITCHES | ALSO_OF_B), *NAMES} - {"view", "text"})
    return {name: values[(begin + at) % len(values)] for at, name in enumerate(names)} | {"view": view}


def most(view: str, controls: Mapping[str, tuple[str, ...]]) -> Link:
    """Return the link to a view that asks for the most: the longest sentence, the last of all options."""
    texts = {"text": LONGEST, "other": " ".join(reversed(LONGEST.split()))}
    last = {name: values[-1] for name, values in controls.items() if values}
    return {**last, **texts, "view": view}


def links(view: str, controls: Mapping[str, tuple[str, ...]]) -> st.SearchStrategy[Link]:
    """Return a strategy of links to a view: each control with a valid or invalid value, several, or none.

    Hypothesis begins with the simplest value, which is the first of each: an invalid one.
    """
    values = {name: _values_drawn(name, taken) for name, taken in controls.items() if name != "view"}
    foreign = st.dictionaries(st.sampled_from(NAMES), wrong, max_size=3)
    own = st.fixed_dictionaries(values).map(_present)
    return st.builds(lambda own, others: {**own, **others, "view": view}, own, foreign)


def _values_drawn(name: str, taken: tuple[str, ...]) -> st.SearchStrategy[str | list[str] | None]:
    several = st.lists(wrong, min_size=2, max_size=9)
    right = st.sampled_from(taken) if taken else sentence
    return st.one_of(sentence if name in TEXTS else wrong, right, right, several, st.none())


def _present(drawn: Mapping[str, str | list[str] | None]) -> Link:
    return {name: value for name, value in drawn.items() if value is not None}


def controls_of(asked: Asked) -> dict[str, tuple[str, ...]]:
    """Return the parameters of a sheet, each with the values of its control, if these are few.

    Parameters without a widget, which pages read from the link themselves, may stand on any page.
    """
    found = dict.fromkeys(("by_hand", "edit", "cells", "code"), ())
    tables = {f"{key}{TABLE}": ("true", "false") for key in asked.pictures}
    return {**found, **tables, **{name: _values(one.parameter) for name, one in asked.controls.items()}}


def _values(one: Parameter) -> tuple[str, ...]:
    if one.kind == "number":
        return tuple(dict.fromkeys(map(str, one.bounds)))
    return tuple(map(spell, one.options))


@dataclass
class Work:
    """The work of models in a block: the longest sequence, and the number of words."""

    longest: int = 0
    words: int = 0

    def note(self, module: nn.Module, given: tuple[Any, ...]) -> None:
        """Note the input of `module`, if it embeds tokens."""
        if isinstance(module, nn.Embedding) and given and isinstance(given[0], Tensor):
            self.longest = max(self.longest, given[0].shape[-1])
            self.words += given[0].numel()


@contextmanager
def working() -> Iterator[Work]:
    """Record the inputs of every embedding in the process; all our models begin with one.

    A session runs in a separate thread, so a record for one thread would miss it.
    """
    work = Work()
    handle = register_module_forward_pre_hook(work.note)
    try:
        yield work
    finally:
        handle.remove()
