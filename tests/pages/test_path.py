"""The path: every stop leads to a view that asks, lights its part of the map, and leads on and back."""

import re
from dataclasses import replace
from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.contract.static_questions import EXAM, PATH_QUESTIONS
from pages.data.links import Link
from pages.path import bar
from pages.path.map import LEADS_TO, TITLES, rows
from pages.path.stops import (
    STOPS,
    StopView,
    box_of,
    path_at,
    path_to,
    questions_of,
    read_stop,
    read_stops,
    stop_of,
    view_of_stop,
)
from pages.sheet import build_sheet, lines
from tests.covering import each
from tests.pages.session import Session
from tests.pages.words_used import texts, unexplained
from tests.views import PAGES

NUMBERS = range(1, len(STOPS) + 1)
HREF = re.compile(r'<a href="([^"]*)"(?: class="(\w+)")?[^>]*>([^<]*)</a>')


def links(html: str) -> list[tuple[str, str, str]]:
    """Address, kind and text of the links of a bar."""
    return [(path.replace("&amp;", "&"), kind, text) for path, kind, text in HREF.findall(html)]


def view_at(number: int, at: int = 0) -> StopView:
    """Return a view of a stop, the first one by default."""
    return STOPS[number - 1].views[at]


def below(number: int, at: int = 0) -> str:
    """Return the bar below a view of a stop."""
    return bar.below(number, view_at(number, at))


ASKING = [(number, view) for number in NUMBERS for view in STOPS[number - 1].views]
"""Every view of the path, with the number of its stop."""


def leads_to_a_view(path: str) -> bool:
    address, query = urlsplit(path).path.strip("/"), parse_qs(urlsplit(path).query)
    return query.get("view", [next(iter(PAGES[address].views))])[0] in PAGES[address].views


def ways(html: str) -> tuple[list[str], list[str]]:
    """Return the targets of a bar: back, and on."""
    found = links(html)
    return [path for path, _, text in found if "←" in text], [
        path for path, kind, _ in found if kind == "next"
    ]


LAST = "/exam"
"""The end of the path."""


@each("number", NUMBERS)
def test_every_link_of_a_stop_leads_to_a_view(number: int) -> None:
    found = [*links(bar.above(number, view_at(number))), *links(below(number)), *links(below(number, -1))]
    assert all(leads_to_a_view(path) for path, _, _ in found if path != LAST)
    assert "predict" not in " ".join(path for path, _, _ in found)


@each("number", NUMBERS)
def test_the_ways_lead_through_all_views_of_a_stop_to_the_next_one(number: int) -> None:
    before = [path_to(number - 1)] if number > 1 else []
    after = [path_to(number + 1) if number < len(STOPS) else LAST]
    assert ways(bar.above(number, view_at(number))) == (before, after)
    views = [path_at(view.link, number) for view in STOPS[number - 1].views]
    through = [*before, *views, *after]
    for at in range(len(views)):
        back, on = ways(below(number, at))
        assert [*back, views[at], *on] == through[max(0, at + len(before) - 1) : at + len(before) + 2]


@each("number", NUMBERS)
def test_a_stop_says_its_goal_and_three_lines_in_words_that_are_explained(number: int) -> None:
    stop = STOPS[number - 1]
    assert f"You will be able to {stop.goal}." in bar.above(number, view_at(number))
    assert len(stop.remember) == 3
    assert len(stop.views) <= 3
    told = [stop_of(number, view)["remember"] for view in stop.views]
    assert told == [[]] * (len(stop.views) - 1) + [list(stop.remember)], "the last view tells it"
    for line in stop.remember:
        assert line.endswith(".")
        assert all(len(sentence.split()) <= 20 for sentence in re.split(r"[.;:] ", line)), line
    assert unexplained([stop.title, stop.goal, *stop.remember]) == []


def test_a_stop_calls_its_views_as_their_tabs_do() -> None:
    assert [one.named.label for one in STOPS[2].views] == ["probabilities", "Training"]
    for stop in STOPS:
        for one in (view.named for view in stop.views):
            assert one.label in PAGES[one.address].views or len(PAGES[one.address].views) == 1


def test_the_view_of_a_stop_that_is_shown_is_marked_and_the_others_are_links() -> None:
    second = below(4, at=1)
    assert '<strong aria-current="page">paint</strong>' in second
    assert (path_at(STOPS[3].views[0].link, 4), "", "the future") in links(second)
    assert "paint" not in [text for _, _, text in links(second)]


@each(("number", "view"), ASKING)
def test_a_view_says_its_words_above_the_picture(number: int, view: StopView) -> None:
    said = bar.above(number, view)
    assert len(view.says.split()) <= 45
    assert ('class="says"' in said) == bool(view.says)
    assert re.sub("</?em>", "*", said).count(escape(view.says)) >= 1
    assert unexplained([view.says]) == []


def test_words_in_emphasis_are_set_so_and_markup_is_text() -> None:
    said = bar.above(1, replace(view_at(1), says="A *query* asks <b> & more."))
    assert "A <em>query</em> asks &lt;b&gt; &amp; more." in said


@each(("number", "view"), ASKING)
def test_a_view_asks_its_questions_and_the_last_of_a_stop_one_about_an_earlier_stop(
    number: int, view: StopView
) -> None:
    stop = STOPS[number - 1]
    asked = questions_of(number, view)
    earlier = [one["text"] for one in asked if one["is_earlier"]]
    is_last = view is stop.views[-1]
    assert earlier == ([PATH_QUESTIONS[stop.earlier].text] if is_last and stop.earlier else [])
    own = [one["text"] for one in asked if not one["is_earlier"]]
    assert own == [PATH_QUESTIONS[name].text for name in view.asks]
    assert all("solution" in one and "because" in one for one in asked)
    about = stop_of(number, view)
    assert about["box"] == box_of(number, view)
    assert (about["box"] in about["boxes"]) == bool(asked)


def test_each_view_keeps_its_answers_under_its_own_name() -> None:
    boxes = [box_of(number, view) for number, view in ASKING]
    assert len(set(boxes)) == len(boxes)
    assert all(re.fullmatch(r"\w+", box) for box in boxes)


def _shown_by(link: Link) -> dict[str, str | int]:
    return {"at": link.address, "view": next(iter(PAGES[link.address].views)), **link.parameters}


SEEN = [(number, view, name) for number, view in ASKING for name in view.asks if PATH_QUESTIONS[name].see]
"""The questions of views that show the change they ask about."""


@each(("number", "view", "name"), SEEN)
def test_the_change_of_a_question_is_another_setting_of_its_stop(
    number: int, view: StopView, name: str
) -> None:
    see = PATH_QUESTIONS[name].see
    assert see is not None
    assert view_of_stop(number, see.address, see.view) in STOPS[number - 1].views
    assert _shown_by(see) != _shown_by(view.link)
    (asked,) = (one for one in questions_of(number, view) if one["text"] == PATH_QUESTIONS[name].text)
    assert asked["see"] == path_at(see, number)
    assert f"stop={number}" in asked["see"]


def test_questions_of_the_path_and_the_exam_are_asked_in_short_sentences() -> None:
    said = {
        sentence
        for one in (*PATH_QUESTIONS.values(), *EXAM.values())
        for text in texts(one.asked())
        for sentence in re.split(r"(?<=[.?:;]) ", text)
    }
    assert [sentence for sentence in sorted(said) if len(sentence.split()) > 25] == []


def test_the_map_has_every_part_of_a_model_that_was_watched() -> None:
    drawn = {name: [chip.title for chip in chips] for name, chips in rows().items()}
    assert drawn["encoder"] == [
        *("words", "embedding", "+ positions", "norm", "self-attention", "+", "norm", "feed-forward", "+"),
        "norm",
    ]
    assert drawn["decoder"][4:9] == ["self-attention", "+", "norm", "cross-attention", "+"]
    assert drawn["decoder"][-1] == "logits"
    assert drawn["self-attention"] == [
        *("queries", "keys", "values", "scores", "mask", "weights", "weighted sums", "output")
    ]
    kinds = {chip.kind for chips in rows().values() for chip in chips}
    assert {*TITLES, *LEADS_TO} <= kinds, "titles and links are of existing kinds"


@each("number", NUMBERS)
def test_a_stop_lights_its_own_parts_of_the_map(number: int) -> None:
    lit = {chip.kind for chips in rows().values() for chip in chips if chip.is_lit(number)}
    assert lit == set(STOPS[number - 1].lit)
    assert lit or STOPS[number - 1].title == "Recurrent networks", "the map has no recurrent network"
    assert below(number).count('class="lit"') >= len(lit)
    assert 'class="map"' not in bar.above(number, view_at(number)), "the picture needs the room"


@each("wrong", ["0", "13", "1.5", "", "<b>", "٣"])
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
        ("/", "Your progress is kept in this browser alone. [Open a link that holds it](/?done=)."),
        ("/?done=3", "This address says that stop 3 is done. Open it in another browser to continue there."),
        ("/?done=5.1.2", "This address says that stops 1, 2 and 5 are done."),
        ("/?done=99", "The link asks for done = 99, but it can be 1 to 12. Showing what this browser knows."),
    ],
)
def test_the_home_says_where_it_is_kept_which_stops_are_done(link: str, said: str) -> None:
    assert any(said in line for line in lines(build_sheet(link)))


def test_a_page_has_its_stop_above_and_below_and_no_other_page_has() -> None:
    def bars(session: Session) -> list[str]:
        return [
            html
            for html in (one.proto.body for one in session.app.get("html"))
            if html.startswith('<nav class="path')
        ]

    shown = view_at(4)
    there = {**shown.link.parameters, "stop": 4}
    assert bars(Session(shown.link.address, **there)) == [bar.above(4, shown), below(4)]
    assert bars(Session("masking")) == []
    refused = Session("masking", stop=99)
    assert bars(refused) == []
    assert "The link asks for stop = 99, but it can be 1 to 12. Showing no stop." in refused.warnings
