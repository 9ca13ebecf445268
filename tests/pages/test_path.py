"""The path: every stop leads to a view that asks, lights its part of the map, and leads on and back."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.contract.cover import cover_key
from pages.path import bar
from pages.path.map import LEADS_TO, TITLES, rows
from pages.path.stops import STOPS, path_at, path_to, read_stop, read_stops
from pages.sheet import answered, lines
from tests.covering import each
from tests.pages.session import Session
from tests.pages.words_used import unexplained
from tests.views import PAGES

NUMBERS = range(1, len(STOPS) + 1)
HREF = re.compile(r'<a href="([^"]*)"(?: class="(\w+)")?[^>]*>([^<]*)</a>')


def links(html: str) -> list[tuple[str, str, str]]:
    """Address, kind and text of the links of a bar."""
    return [(path.replace("&amp;", "&"), kind, text) for path, kind, text in HREF.findall(html)]


def below(number: int, at: int = 0, covered_by: str = "") -> str:
    """The bar below a view of a stop."""
    one = STOPS[number - 1].views[at]
    view = str(one.parameters.get("view", next(iter(PAGES[one.address].views))))
    return bar.below(number, address=one.address, view=view, covered_by=covered_by)


def leads_to_a_view(path: str) -> bool:
    address, query = urlsplit(path).path.strip("/"), parse_qs(urlsplit(path).query)
    return query.get("view", [next(iter(PAGES[address].views))])[0] in PAGES[address].views


@pytest.mark.parametrize("number", NUMBERS)
def test_every_link_of_a_stop_leads_to_a_view_and_keeps_asking(number: int) -> None:
    found = links(bar.above(number)) + links(below(number))
    assert all(leads_to_a_view(path) for path, _, _ in found)
    assert [path for path, _, _ in found if path != "/" and "predict=true" not in path] == []
    on = {path for path, kind, _ in found if kind == "next"}
    assert on == {path_to(number + 1) if number < len(STOPS) else "/"}
    back = [path for path, _, text in found if text.startswith("←")]
    assert back == ([path_to(number - 1)] * 2 if number > 1 else [])


@each("number", NUMBERS)
def test_a_stop_says_its_goal_and_what_was_seen_in_words_that_are_explained(number: int) -> None:
    stop = STOPS[number - 1]
    assert f"You will be able to {stop.goal}." in bar.above(number)
    assert stop.seen in below(number)
    assert stop.seen.endswith(".")
    assert unexplained([stop.title, stop.goal, stop.seen, *(one.label for one in stop.views)]) == []


def test_the_view_of_a_stop_that_is_shown_is_marked_and_the_others_are_links() -> None:
    cost = below(2, at=1)
    assert '<strong aria-current="page">the cost</strong>' in cost
    assert (path_at(STOPS[1].views[0], 2), "", "the way of one word") in links(cost)
    assert "the cost" not in [text for _, _, text in links(cost)]
    assert "At this stop" not in below(8), "it has one view"


def test_what_a_stop_says_in_short_is_covered_while_the_view_asks() -> None:
    assert 'data-cover="covered_x"' in below(4, covered_by="covered_x")
    assert "data-cover" not in below(4)


def test_the_map_has_every_part_of_a_model_that_was_watched() -> None:
    drawn = {name: [chip.title for chip in chips] for name, chips in rows().items()}
    assert drawn["encoder"] == [
        *("words", "embedding", "+ positions", "norm", "self-attention", "+", "norm", "feed-forward", "+"),
        "norm",
    ]
    assert drawn["decoder"][4:9] == ["self-attention", "+", "norm", "cross-attention", "+"]
    assert drawn["decoder"][-1] == "logits"
    assert drawn["self-attention"] == [
        *("queries", "keys", "values", "scores", "mask", "weights", "weighted values", "output"),
    ]
    kinds = {chip.kind for chips in rows().values() for chip in chips}
    assert {*TITLES, *LEADS_TO} <= kinds, "what no model has leads nowhere"


@each("number", NUMBERS)
def test_a_stop_lights_its_own_parts_of_the_map(number: int) -> None:
    lit = {chip.kind for chips in rows().values() for chip in chips if chip.is_lit(number)}
    assert lit == set(STOPS[number - 1].lit) != set()
    assert below(number).count('class="lit"') >= len(lit)
    assert 'class="map"' not in bar.above(number), "the picture needs the room"


@each("wrong", ["0", "13", "-1", "1.5", "", "<b>", "٣"])
def test_a_stop_that_is_not_there_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="it can be 1 to 12"):
        read_stop(wrong)


def test_stops_that_are_done_are_read_once_and_in_order() -> None:
    assert read_stops("") == ()
    assert read_stops("5.1.5.12") == (1, 5, 12)
    with pytest.raises(ValueError, match="it can be 1 to 12"):
        read_stops("1..2")


@each(
    ("link", "said"),
    [
        ("/", "is marked in this browser alone. [Take it along in an address](/?done=)."),
        ("/?done=3", "This address says that stop 3 is done:"),
        ("/?done=5.1.2", "This address says that stops 1, 2 and 5 are done:"),
        ("/?done=99", "The link asks for done = 99, but it can be 1 to 12. Showing what this browser knows."),
    ],
)
def test_the_home_says_where_it_is_kept_which_stops_are_done(link: str, said: str) -> None:
    assert any(said in line for line in lines(answered(link)))


def test_a_page_has_its_stop_above_and_below_and_no_other_page_has() -> None:
    def bars(session: Session) -> list[str]:
        return [
            html
            for html in (one.proto.body for one in session.app.get("html"))
            if html.startswith('<nav class="path')
        ]

    assert bars(Session("masking", stop=4)) == [bar.above(4), below(4)]
    asking = below(4, at=1, covered_by=cover_key(f"{PAGES['masking'].question} mask values", "answered"))
    assert bars(Session("masking", view="mask values", stop=4, predict="true")) == [bar.above(4), asking]
    assert bars(Session("masking")) == []
    refused = Session("masking", stop=99)
    assert bars(refused) == []
    assert "The link asks for stop = 99, but it can be 1 to 12. Showing no stop." in refused.warnings
