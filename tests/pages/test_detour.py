"""A link in the text of a stop stays at the stop, and the page it leads to shows the way back."""

import re
from html import unescape

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.util import calc_hash

from pages import GROUPS
from pages.browser.first_page import files
from pages.path.stops import STOPS, path_at
from pages.shell.text_links import at_stop
from tests.covering import each
from tests.pages.session import Session

BACK = re.compile(r'<a class="back" href="([^"]*)">([^<]*)</a>')


def bars(session: Session) -> list[str]:
    """Return the bars of the path on a page."""
    found = [one.proto.body for one in session.app.get("html")]
    return [html for html in found if html.startswith('<nav class="path')]


def follow(session: Session, address: str, **parameters: str) -> None:
    """Follow a link in the same tab."""
    session.app._page_hash = calc_hash(address)
    session.app.query_params = dict(parameters)
    session.run(WidgetStates())


def back(html: str) -> tuple[str, str]:
    """Address and label of the way back on a bar."""
    ((path, label),) = BACK.findall(html)
    return unescape(path), unescape(label)


def test_a_page_beside_the_path_has_the_way_back_only_at_a_stop() -> None:
    (bar,) = bars(Session("glossary", stop=4, term="mask"))
    assert "detour" in bar
    assert bars(Session("glossary", term="mask")) == []


def test_the_way_back_leads_to_the_view_from_which_one_came() -> None:
    session = Session("masking", view="paint", stop=4)
    session.set(preset="window")
    follow(session, "glossary", stop="4", term="mask")
    path, label = back(bars(session)[0])
    assert label == "← Back to stop 4: paint"
    assert path == "/masking?stop=4&preset=window", "paint is the first view of its page"
    follow(session, "masking", view="paint", stop="4")
    assert "detour" not in bars(session)[0]
    follow(session, "glossary", stop="5", term="mask")
    first = STOPS[4].views[0]
    expected = (path_at(first.link, 5), f"← Back to stop 5: {first.named.label}")
    assert back(bars(session)[0]) == expected, "another stop was left"


@each(
    ("link", "kept"),
    [
        ("/glossary?term=mask", "/glossary?term=mask&stop=4"),
        ("/training", "/training?stop=4"),
        ("/", "/?stop=4"),
        ("/masking?view=paint&stop=7", "/masking?view=paint&stop=7"),
        ("/figures/file?link=x", "/figures/file?link=x"),
    ],
)
def test_a_link_to_a_page_stays_at_the_stop(link: str, kept: str) -> None:
    assert at_stop(link, "4") == kept


def test_every_link_in_the_text_of_a_stop_stays_at_it() -> None:
    link = re.compile(r"\]\((/[^)\s]*)")
    session = Session("masking", view="paint", stop=4)
    found = [
        path for one in (*session.app.markdown, *session.app.caption) for path in link.findall(one.value)
    ]
    assert found
    assert [path for path in found if "stop=4" not in path] == []


def test_the_browser_knows_every_page_so_it_opens_their_links_in_the_same_tab() -> None:
    told = files().script.decode()
    for group in GROUPS.values():
        for entry in group:
            assert f'"{entry.address}"' in told.split("attentionLabPages = ")[1].split(";")[0]


@each(("changed", "n_bars"), [({}, 2), ({"text": "the dogs sleep"}, 3)])
def test_questions_of_a_changed_view_say_that_they_are_about_how_the_stop_opens_it(
    changed: dict[str, str], n_bars: int
) -> None:
    shown = bars(Session("masking", view="paint", stop=4, **changed))
    assert len(shown) == n_bars
    assert any("questions are about" in one for one in shown) == bool(changed)
