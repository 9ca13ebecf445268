"""Check that the views named in data files exist, which is known once all pages are loaded."""

from collections.abc import Iterable, Iterator

from pages.contract.static_questions import EXAM, PATH_QUESTIONS, QUESTIONS
from pages.data.entries import DataError
from pages.data.links import Link
from pages.home.hall_questions import ASKED
from pages.lecture.step import why_not_shown
from pages.path.stops import STOPS
from pages.syllabus.concepts import CONCEPTS
from pages.terms import TERMS


def all_links() -> Iterator[tuple[str, Link]]:
    """Yield every link of the data files, each with its file and entry."""
    yield from ((f"terms.toml, {name}", term.view) for name, term in TERMS.items())
    yield from ((f"asked.toml, {one.name}", one.link) for one in ASKED.values())
    yield from ((f"concepts.toml, {one.number}", link) for one in CONCEPTS.values() for link in one.links)
    yield from ((f"stops.toml, {stop.title}", one.link) for stop in STOPS for one in stop.views)
    files = {"static_questions.toml": QUESTIONS, "path_questions.toml": PATH_QUESTIONS, "exam.toml": EXAM}
    asked = ((file, one) for file, questions in files.items() for one in questions.values())
    yield from (
        (f"{file}, {one.name}", link) for file, one in asked for link in (one.see, one.reread) if link
    )


def check_views(links: Iterable[tuple[str, Link]]) -> None:
    """Raise DataError for the first link to a view that its page does not have."""
    for place, link in links:
        if reason := why_not_shown(link.path):
            raise DataError(f"{place}: {reason}")
