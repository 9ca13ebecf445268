"""A page in a hall: the picture first and as large as the window, and nothing of the sheet lost."""

from collections.abc import Iterator
from typing import Any

from pages.browser.large import (
    LARGEST_HEADLINE,
    LEAST_TYPE,
    LOWEST,
    SMALLEST_HEADLINE,
    headline_type,
    stage_look,
)
from pages.contract.arrangement import Panel, Panels, arranged
from pages.contract.sheet import Columns, Controls, Drawing, Fold, Formula, Part, PicturePart, Text
from pages.sheet import build_sheet
from tests.covering import each
from tests.pages.asked import Asked
from tests.pages.session import Session
from viz.matrices import HeadMatrix
from viz.theme import LIGHT

FORMULA, NOTE = Formula("x", "a source"), Text("A sentence that is read at leisure.")


def shown(key: str) -> PicturePart:
    return PicturePart(key, HeadMatrix(pattern=[[1.0]], words=["a"], title="A picture"))


ONE, TWO, THREE = map(shown, ("one", "two", "three"))


def keys(part: object) -> list[str]:
    assert isinstance(part, Panels)
    return [panel.drawn.key for panel in part.panels if isinstance(panel.drawn, PicturePart | Drawing)]


def test_the_first_picture_comes_first_and_all_else_in_its_order() -> None:
    found = arranged((FORMULA, NOTE, ONE, NOTE, TWO))

    assert keys(found.picture) == ["one"]
    assert found.below[:3] == (FORMULA, NOTE, NOTE)
    assert keys(found.below[3]) == ["two"]


def test_the_first_pictures_of_columns_are_one_and_their_other_parts_stand_below() -> None:
    columns = Columns(((ONE, NOTE), (FORMULA, TWO, THREE)), (5.0, 4.0))
    found = arranged((columns,))

    assert keys(found.picture) == ["one", "two"]
    assert found.picture is not None
    assert found.picture.weights == (5.0, 4.0)
    assert found.below[:2] == (NOTE, FORMULA)
    assert keys(found.below[2]) == ["three"]


def test_a_link_can_choose_one_of_several_pictures_and_the_others_stand_below() -> None:
    columns = Columns(((ONE, NOTE), (TWO,)), (5.0, 4.0))
    found = arranged((columns,), 2)

    assert keys(found.picture) == ["two"]
    assert keys(found.below[0]) == ["one"]
    assert found.below[1:] == (NOTE,)
    assert keys(arranged((columns,), 3).picture) == ["one", "two"], "there is no third"


@each("panel", ["-1", "12", "a", "²"])
def test_a_panel_that_is_no_number_is_refused(panel: str) -> None:
    found = build_sheet(f"/heads?view=two+things&panel={panel}")
    assert found.ask.look.panel == 0
    (said,) = found.refused
    assert "it can be 0 to 9" in str(said)


def test_below_a_title_the_answer_is_smaller_and_leaves_more_of_the_window_to_the_picture() -> None:
    heights = [stage_look(LIGHT, 520, said).height or 0 for said in ("alone", "below title", "not")]
    assert heights == sorted(heights)
    assert len(set(heights)) == 3
    sizes = [headline_type(length * "x", "below title") for length in (20, 170, 300)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] >= LEAST_TYPE
    assert sizes[0] < LARGEST_HEADLINE
    assert [headline_type(n * "x") for n in (20, 300)] == [LARGEST_HEADLINE, SMALLEST_HEADLINE]
    assert stage_look(LIGHT, 100).height == LOWEST


def test_pictures_of_several_models_keep_the_names_of_their_columns() -> None:
    named = Columns(((Text("**RNN**"), NOTE, ONE), (Text("**LSTM**"), NOTE, TWO)))
    assert headings(arranged((named,)).picture) == ["**RNN**", "**LSTM**"]
    above = Columns(((Text("**RNN**"), NOTE), (Text("**LSTM**"), NOTE)))
    assert headings(arranged((above, Columns(((ONE,), (TWO,))))).picture) == ["**RNN**", "**LSTM**"]
    own = Columns(((Text("**left**"), ONE), (Text("**right**"), TWO)))
    assert headings(arranged((above, own)).picture) == ["**left**", "**right**"]
    unlike = Columns(((Text("**RNN**"), NOTE), (NOTE,)))
    assert headings(arranged((unlike, Columns(((ONE,), (TWO,))))).picture) == ["", ""]


def headings(part: object) -> list[str]:
    assert isinstance(part, Panels)
    return [panel.heading for panel in part.panels]


def test_a_picture_that_stands_alone_has_the_others_below() -> None:
    found = arranged((Columns(((ONE,), (TWO,)), alone=True),))

    assert keys(found.picture) == ["one"]
    assert [keys(part) for part in found.below] == [["two"]]


def test_folded_parts_stay_whole_and_buttons_are_folded_away() -> None:
    found = arranged((Controls("a"), Columns(((Controls("b"), ONE), (Controls("c"),)))))
    assert found.controls == (Controls("a"), Controls("b"), Controls("c"))
    assert found.below == ()
    fold = Fold("More", (Controls("a"), ONE))
    found = arranged((TWO, fold))

    assert found.below == (fold,)
    assert found.controls == ()


def test_a_heading_stays_with_the_picture_below_it_and_a_sentence_does_not() -> None:
    found = arranged((Columns(((Text("## Recurrent network"), ONE), (NOTE, TWO))),))

    assert found.picture is not None
    assert found.picture.panels == (Panel(ONE, "## Recurrent network"), Panel(TWO))
    assert found.below == (NOTE,)
    assert arranged((Text("## Nothing is drawn"), FORMULA)).below == (Text("## Nothing is drawn"), FORMULA)
    assert arranged((Text("## At the end"),)).below == (Text("## At the end"),)


def _parts(parts: tuple[Any, ...]) -> Iterator[Part]:
    """Yield all parts but those that only arrange, and the answer."""
    for part in parts:
        if isinstance(part, Columns):
            for column in part.columns:
                yield from _parts(column)
        elif isinstance(part, Panels):
            for panel in part.panels:
                yield from [Text(panel.heading)] if panel.heading else []
                yield panel.drawn
        else:
            yield part


@each(
    ("address", "view"),
    [
        ("explorer", "heads"),
        ("architectures", "encoder–decoder"),
        ("translation", "bottleneck"),
        ("", "home"),
    ],
)
def test_every_part_of_a_sheet_has_its_place_once(address: str, view: str) -> None:
    sheet = Asked(address, view=view).sheet
    found = arranged(sheet.parts)
    seen = [*_parts((found.picture,) if found.picture else ()), *_parts(found.below), *found.controls]

    assert sorted(map(id_of, seen)) == sorted(map(id_of, _parts(sheet.parts)))


def id_of(part: Part) -> str:
    """Return the identity of a part; equal texts count as often as they occur."""
    return f"text {part.markdown}" if isinstance(part, Text) else f"{type(part).__name__} {id(part)}"


def test_a_large_page_shows_all_that_an_ordinary_one_does() -> None:
    ordinary, hall = Session(view="heads"), Session(view="heads", large="1")

    assert hall.has("large_bar")
    assert not ordinary.has("large_bar")
    assert sorted(hall.pictures) == sorted(ordinary.pictures)
    missing = [said for said in ordinary.prose.split("\n") if said.strip("*") not in hall.prose]
    assert missing == []
    assert hall.warnings == []
    height = hall.figure("matrix")["layout"]["height"]
    assert height < ordinary.figure("matrix")["layout"]["height"], "it fills the stage, which is lower"
    hall.click("matrix", x=2, y=3)
    assert (hall.link["query"], hall.link["key"]) == ("4", "3")
    assert hall.has("large_bar")
