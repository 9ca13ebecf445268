"""Hostile links: the page is whole, and does no more work than is stated.

The parameters come from the app, and the values from the controls of each view, so that a new page is
tested like all others.
"""

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from types import SimpleNamespace
from typing import TypeVar
from zlib import crc32

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from streamlit.testing.v1 import local_script_runner

from core.text.tokenizer import MAX_CHARACTERS, MAX_WORDS
from pages import group_of
from pages.contract.unused_parameters import MOST_NAMED
from tests.covering import each
from tests.hostile_links import LONGEST, SENTENCES, Link, controls_of, everything_wrong, links, most, working
from tests.pages.asked import Asked
from tests.pages.contract.test_every_link import assert_answered
from tests.pages.session import Session, readable
from tests.pages.test_hostile_text import UNESCAPED
from tests.pages.test_hostile_text import VIEWS as VIEWED
from tests.real import NAME
from tests.views import PAGES

VIEWS = pytest.mark.parametrize(("address", "view", "reads"), VIEWED)
FIRST = pytest.mark.parametrize(
    ("address", "view", "reads"),
    [*{group_of(str(one.values[0])): one for one in reversed(VIEWED) if not one.marks}.values()],
)
"""The first view of a page of each group; the long test opens every view."""


ADDED = 2
"""Words that a model reads beside those of the sentence: the next one, and a sign of its beginning or end."""

MOST_READ = 2**18
"""Words that models read in one run of a page; tests/threats/README.md says so.

Most are read where two models fill in each of 256 words, masked in its turn.
"""

EXAMPLES = 2
"""Links made up for each view. The first is what hypothesis takes for simplest, which is wrong in everything:
as much has been asked by then, so that only those after it are opened."""

RAW = (
    *("%%%", "&=&=", "text=%zz&head=%u0041", "text=%ff%fe", "text=%ed%a0%80", "text=%c0%af", "text=%00"),
    *("text=a;head=2&text[]=a&text[0]=b", "?text=a?head=2", "%76iew=%6Datrix", "text=" + "%25" * 9000),
)
"""Query strings as no browser writes them by itself."""


class Heard(logging.Handler):
    """A handler that keeps log records."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(autouse=True)
def nothing_logged() -> Iterator[None]:
    """Listen to each logger: Streamlit's do not pass their records on."""
    heard = Heard(level=logging.ERROR)
    names = [name for name in logging.root.manager.loggerDict if name.startswith("streamlit")]
    loggers = [logging.root, *map(logging.getLogger, names)]
    for logger in loggers:
        logger.addHandler(heard)
    yield
    for logger in loggers:
        logger.removeHandler(heard)
    assert heard.messages == []


@pytest.fixture
def shelf(reads: bool, request: pytest.FixtureRequest) -> None:
    """Random weights if a view reads a sentence; other views show measurements of real ones."""
    if reads:
        request.getfixturevalue("noise_shelf")


Opened = TypeVar("Opened", Session, Asked)


def survives(address: str, link: Link, by: type[Opened]) -> Opened:
    """Check that a page or a sheet has no error and no typed markup, and did not work too much."""
    with working() as work:
        opened = by(address, **link)
        for key in opened.pictures:
            opened.figure(key)
    assert work.longest <= MAX_WORDS + ADDED
    assert work.words <= MOST_READ
    shown = [opened.prose, *opened.warnings, *opened.infos]
    assert [text for text in shown if UNESCAPED.search(text)] == []
    return opened


@cache
def controls_at(address: str, view: str) -> Mapping[str, tuple[str, ...]]:
    """Return the controls of a view, which has survived invalid values for everything but the sentence."""
    return controls_of(survives(address, everything_wrong(view), Asked))


def survived(address: str, view: str, by: type[Opened]) -> int:
    """Return how many links by hypothesis, made from a view's controls, the view survived."""
    made_up = 0
    controls = controls_at(address, view)

    @seed(crc32(f"{address} {view}".encode()))
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(links(view, controls))
    def ask(link: Link) -> None:
        nonlocal made_up
        made_up += 1
        if made_up > 1:
            survives(address, link, by)

    ask()
    return made_up - 1


@pytest.mark.long("random links; chosen hostile ones are opened in every run")
@FIRST
@pytest.mark.usefixtures("shelf")
def test_the_page_is_whole_for_every_link(address: str, view: str) -> None:
    survives(address, everything_wrong(view), Session)
    assert survived(address, view, Session) == EXAMPLES - 1


@pytest.mark.long("a value that only one view of many takes ill, or only beside another")
@VIEWS
@pytest.mark.usefixtures("shelf")
def test_every_view_is_whole_for_every_link(address: str, view: str) -> None:
    assert survived(address, view, Asked) == EXAMPLES - 1


@pytest.mark.long("a view whose work grows beyond the bound with the sentence or the size of the model")
@pytest.mark.parametrize(("address", "view"), [one.values[:2] for one in VIEWED if one.values[2]])
@pytest.mark.usefixtures("noise_shelf")
def test_a_link_that_asks_for_the_most_stays_within_the_bounds(address: str, view: str) -> None:
    controls = controls_at(address, view)
    largest = {"model": "random", "layers": "6", "heads": "8"}

    link = most(view, controls) | {name: largest[name] for name in largest if name in controls}
    asked = survives(address, link, Asked)
    assert_answered(asked, [said for said in asked.warnings if "words" in said])


REAL = [(address, name) for address, page in PAGES.items() for name, view in page.views.items() if view.real]
EACH = 8
"""Every view gets each eighth of the sentences, and other ones than the view before it."""


@pytest.mark.long("a real model's tokenizer, or a view of its pieces, takes some sentence ill")
@pytest.mark.usefixtures("tiny_model")
@pytest.mark.parametrize(("at", "address", "view"), [(at, *view) for at, view in enumerate(REAL)])
def test_a_real_model_reads_any_text(at: int, address: str, view: str) -> None:
    for text in SENTENCES[at % EACH :: EACH]:
        link = {
            "model": "real",
            "real": NAME,
            "text": text,
            "other": f"cat {text[:99]}",
            "against": text[:99],
        }
        asked = survives(address, {**link, "view": view}, Asked)
        assert asked.sheet.parts or asked.warnings or asked.infos, "neither a sheet nor a reason"


@pytest.mark.long("sentences of the greatest length")
@pytest.mark.usefixtures("noise_shelf")
@pytest.mark.parametrize(("address", "view"), [("explorer", "heads"), ("classification", "one review")])
def test_the_longest_sentence_is_read_and_nothing_longer(address: str, view: str) -> None:
    text = f"alone {LONGEST.partition(' ')[2]}"  # no other test has read it
    with working() as work:
        Session(address, view=view, text=text)
    assert MAX_WORDS <= work.longest <= MAX_WORDS + ADDED
    assert MAX_WORDS <= work.words <= MOST_READ

    with working() as work:
        Session(address, view=view, text=f"{text} more", other="more " * (MAX_WORDS + 1))
    assert work.words == 0


@each("name", ["text", "other"])
def test_a_text_too_long_to_be_tokenized_is_kept_with_a_note(name: str) -> None:
    hostile = "a" + "\u0316\u0301" * 10_000

    session = Session("order-invariance", **{name: hostile})

    (warning,) = [one for one in session.warnings if "characters" in one]
    assert f"up to {MAX_CHARACTERS:,} characters" in readable(warning)
    assert "has 20,001" in warning
    assert session.value(name) == hostile
    assert session.pictures == []


@pytest.mark.long("random links; chosen hostile ones are opened in every run")
@pytest.mark.usefixtures("noise_shelf")
def test_percent_signs_out_of_order_open_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    for raw in RAW:
        written = SimpleNamespace(urlencode=lambda *_, raw=raw, **__: raw)
        monkeypatch.setattr(local_script_runner, "parse", written)
        assert PAGES["scaling"].question in survives("scaling", {"view": "anything"}, Session).prose, raw


@pytest.mark.usefixtures("noise_shelf")
def test_only_some_of_a_thousand_unknown_parameters_are_named() -> None:
    session = survives("explorer", {f"nobody{at}": "<b>" for at in range(999)}, Session)

    (warning,) = session.warnings
    assert warning.count("nobody") == MOST_NAMED
    assert f"and {999 - MOST_NAMED} more" in warning
    assert session.pictures
