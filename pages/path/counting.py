"""Counts of what a reader of each stop reads, does and sees, by `python -m pages.path.counting`."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from pages.contract.question import Choose
from pages.contract.sheet import Columns, Drawing, Fold, Formula, Part, PicturePart, Strip, Table, Text, Tiles
from pages.contract.static_questions import EXAM, PATH_QUESTIONS, StaticQuestion
from pages.path.minutes import FILE, OF_EXAM, Effort
from pages.path.stops import STOPS, Stop, StopView, path_at
from pages.sheet import build_sheet

OF_FORMULA = 10
"""Words that take as long to read as a formula."""

ADDRESS = re.compile(r"\]\([^)]*\)")


def effort_of(stop: Stop, number: int) -> Effort:
    """Return the effort of a reader of this stop. Raises UnavailableError if its model is not there."""
    own = Effort(words=words_in([stop.title, stop.goal, *stop.remember]), clicks=1)
    views = (_of_view(view, number) for view in stop.views)
    earlier = [_of_question(PATH_QUESTIONS[stop.earlier])] if stop.earlier else []
    return sum([*views, *earlier], own)


def effort_of_exam() -> Effort:
    """Return the effort of the exam up to its result."""
    return sum(map(_of_question, EXAM.values()), Effort(clicks=2))


def words_in(said: Iterable[str]) -> int:
    """Return the number of words in Markdown, without the addresses of its links."""
    return sum(bool(re.search(r"\w", word)) for text in said for word in ADDRESS.sub("]", text).split())


def _of_view(view: StopView, number: int) -> Effort:
    """Return the effort of a view with its questions; folded content does not count."""
    found = build_sheet(path_at(view.link, number))
    parts = list(_in_sight(found.sheet.parts))
    pictures = [one for one in parts if isinstance(one, PicturePart | Drawing | Strip)]
    said = [found.question, view.says, found.sheet.headline, *_said(parts)]
    read = words_in(said) + OF_FORMULA * sum(isinstance(one, Formula) for one in parts)
    asked = (_of_question(PATH_QUESTIONS[name]) for name in view.asks)
    return sum(asked, Effort(words=read, pictures=len(pictures), clicks=1))


def _of_question(one: StaticQuestion) -> Effort:
    """Return the effort of a question: an answer, and a look at the change that it asks about."""
    question = one.asked()
    options = question.options if isinstance(question, Choose) else ()
    said = (question.text, *(option.text for option in options), question.because)
    return Effort(words=words_in(said), questions=1, clicks=2 if one.see else 1)


def _in_sight(parts: Iterable[Part]) -> Iterator[Part]:
    for part in parts:
        match part:
            case Columns(columns):
                yield from _in_sight(one for column in columns for one in column)
            case Fold(is_open=True):
                yield from _in_sight(part.parts)
            case Fold():
                pass
            case _:
                yield part


def _said(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Text(markdown):
                yield markdown
            case Table(data=str(markdown)):
                yield markdown
            case Tiles(tiles, title):
                yield from (title, *(text for tile in tiles for text in (tile.title, tile.text)))


def main() -> None:
    """Count all stops and the exam again."""
    found = {stop.title: effort_of(stop, number) for number, stop in enumerate(STOPS, 1)}
    found[OF_EXAM] = effort_of_exam()
    counted = {title: asdict(effort) for title, effort in found.items()}
    FILE.write_text(json.dumps(counted, ensure_ascii=False, indent=1) + "\n", "utf-8")
    for title, effort in found.items():
        print(f"{effort.minutes:5.1f} min  {title}")


if __name__ == "__main__":
    main()
