"""The sheet of a link, without a page: its sentences, and descriptions of its pictures.

python -m pages.sheet "/masking?view=paint&text=hot tea"
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, assert_never
from urllib.parse import quote, urlencode

from core.device import choose_device, describe
from core.sources import UnavailableError
from pages import Entry, entry_at
from pages.contract.ask import Ask
from pages.contract.common_controls import scene_of
from pages.contract.link_parameters import LinkParameters, Refusal, parsed
from pages.contract.look import Look
from pages.contract.measurement import NOTHING, Measure, Measurement
from pages.contract.parameters import in_view, in_words, is_foreign
from pages.contract.prose import signs_quoted
from pages.contract.question import Question, solution
from pages.contract.scene import Scene
from pages.contract.sheet import (
    NUMBERS,
    Code,
    Columns,
    Controls,
    Drawing,
    Fold,
    Formula,
    Part,
    PicturePart,
    Program,
    Sheet,
    Strip,
    Table,
    Text,
    Tiles,
)
from pages.contract.unused_parameters import OF_ANY_PAGE, unfollowed, unfollowed_named, unknown_parameters
from pages.contract.view import Live, page_of
from pages.path.stops import STOP, read_stop


class SheetResult(NamedTuple):
    """The result of a link: its question, its sheet, and its program.

    `refused` has the impossible values of the link, and `questions` are those that the view asks first. The
    page has an `entry`; its view has a `name`, a `scene`, and the controls of the `form`. `measured_on` names
    the machine if the sheet has measurements, else it is empty. `moment` says when a running process was
    drawn; it is empty without one. The `link` is the given one without the refused parameters.
    """

    question: str
    sheet: Sheet
    program: Program | None
    refused: tuple[Refusal, ...]
    questions: tuple[Question, ...]
    entry: Entry
    name: str
    scene: Scene
    ask: Ask
    measured_on: str
    moment: str
    link: str


def build_sheet(
    link: str, look: Look | None = None, measure: Measure | None = None, *, live: Any = None
) -> SheetResult:
    """Return the sheet of a link, drawn for a look, by default the light theme in a window 1400 wide.

    `measure` supplies what a view measures, such as `measured_now`; by default it is what all visitors share.
    `live` is the state of a running process, if there is one.

    Raises UnavailableError if there is no such page, view or model, with a sentence on what to do.
    """
    address, parameters = parsed(link)
    entry = entry_at(address)
    if entry is None:
        raise UnavailableError(f"There is no page /{address}.")
    page = page_of(entry)
    answers = LinkParameters({name: in_words(name, values) for name, values in parameters.items()})
    ask = Ask(answers, look or Look(), measure or Measurement.shared)
    _ask_of_any_page(ask)
    view, scene = scene_of(ask, page)
    sheet, moment = view.sheet(ask, scene), ""
    if isinstance(sheet, Live):
        moment = "" if live is None else sheet.moment(live)
        sheet = sheet.sheet(ask, live)
    name = next(name for name, one in page.views.items() if one is view)
    question = view.question or page.question
    without_effect = unfollowed(answers.link, answers.followed)
    reasons = filter(None, (unknown_parameters(parameters), unfollowed_named(without_effect)))
    refused = (*answers.refused, *map(Refusal, reasons))
    machine = "" if ask.measured is NOTHING else describe(choose_device())
    return SheetResult(
        question,
        sheet,
        sheet.program(),
        refused,
        tuple(question for question in sheet.questions() if question is not None),
        entry,
        name,
        scene,
        ask,
        machine,
        moment,
        _followed(link, answers, refused),
    )


def _ask_of_any_page(ask: Ask) -> None:
    """Ask for the parameters on how a page is shown, so that impossible values are refused."""
    ask.parsed(STOP, read_stop, default=None, instead="no stop")
    ask.look = replace(ask.look, panel=ask.parameters.value(in_view("panel")))
    for name in OF_ANY_PAGE - {STOP, "panel"}:
        ask.parameters.value(in_view(name))


def _followed(link: str, answers: LinkParameters, refused: Sequence[Refusal]) -> str:
    """Return a link without the parameters that were refused or that another program has appended."""
    address, parameters = parsed(link)
    if not refused and not any(map(is_foreign, parameters)):
        return link
    query = urlencode(answers.kept, doseq=True, quote_via=quote)
    return f"/{address}?{query}".removesuffix("?")


def lines(found: SheetResult) -> Iterator[str]:
    """Yield the text of a sheet, a line for each sentence, formula and picture."""
    yield f"# {found.question}"
    yield from map(str, found.refused)
    for note in (*found.sheet.notes, *found.sheet.below_sentence):
        yield note.markdown
    if found.sheet.headline:
        yield f"**{found.sheet.headline}**"
    for part in found.sheet.parts:
        yield from _lines_of(part)
    for question in found.questions:
        yield signs_quoted(f"? {question.text} → {solution(question)}. {question.because}")


def _lines_of(part: Part) -> Iterator[str]:
    match part:
        case Text(markdown):
            yield markdown
        case Formula(latex, source):
            yield f"{' '.join(latex.split())}{source and f'    ({source})'}"
        case PicturePart(key, picture):
            yield f"[{key}] {picture.title}: {picture.alt()}"
        case Table(key, data, title):
            if isinstance(data, str):
                yield data
            elif callable(data):
                yield f"[{key}] {title or NUMBERS}"
            else:
                yield f"[{key}]\n{data.to_string(index=bool(data.index.name))}"
        case Columns(columns):
            for column in columns:
                for inner in column:
                    yield from _lines_of(inner)
        case Fold(title, parts):
            yield f"{title}:"
            for inner in parts:
                yield from _lines_of(inner)
        case Code(text):
            yield text if isinstance(text, str) else f"[{part.key}] {part.title}"
        case Drawing(key, data=data):
            yield f"[{key}] {data['alt']}"
        case Strip():
            yield f"[{part.opened}] {part.alt}"
        case Tiles(tiles, title, files=files):
            yield f"{title}:"
            for tile in tiles:
                yield f"- [{tile.title}]({tile.path}) {tile.text} {tile.note}".rstrip()
            for text, address in files.items():
                yield f"[{text}]({address})"
        case Controls():
            pass  # a reader in a terminal has typed the link
        case _:
            assert_never(part)


def main(arguments: list[str]) -> None:
    """Print the sheet of the link that is the only argument."""
    if len(arguments) != 1:
        raise SystemExit(__doc__)
    try:
        for line in lines(build_sheet(arguments[0])):
            print(line)
    except UnavailableError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main(sys.argv[1:])
