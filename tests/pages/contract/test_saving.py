"""Each picture has a place for the button that saves it, and nothing else has a button."""

from importlib import import_module
from pathlib import Path

import pytest

from figures.export_pictures import export_pictures
from figures.preset import SLIDE
from pages.browser.saving import BARE, DRAWN, LABELS, UNSAVED
from pages.contract.sheet import Drawing, PicturePart, Table
from tests.covering import each
from tests.pages.asked import folds
from tests.pages.contract.test_every_sheet import VIEWS, link, opened, parts
from viz.theme import LIGHT, THEMES

pytestmark = pytest.mark.usefixtures("without_real_models")

PAGES = Path(import_module("pages").__file__ or "").parent
FRAME = (PAGES / "frame.css").read_text("utf-8")
PLACES = (PAGES / "browser" / "saving" / "places.js").read_text("utf-8")


@each(("address", "view"), VIEWS)
def test_each_figure_has_a_row_of_numbers_where_its_button_stands(address: str, view: str) -> None:
    found = [*parts(opened(address, view).sheet)]
    bare = [part.key for part in found if isinstance(part, PicturePart) and part.picture.has_table is False]
    rows = {part.key for part in found if isinstance(part, Table) and folds(part)}
    assert set(bare) <= rows, "leave room below it, as below a table"


@each(("address", "n_unsaved"), [("sources", 4), ("lecture", 1), ("interaction-distance", 0)])
def test_tables_of_sentences_and_the_own_lecture_are_not_saved(address: str, n_unsaved: int) -> None:
    view = next(view for folder, view in VIEWS if folder == address)
    found = [part for part in parts(opened(address, view).sheet) if isinstance(part, Drawing | Table)]
    assert sum(not part.is_saved for part in found) == n_unsaved
    keys = {one.key for one in export_pictures(link(address, view), SLIDE, LIGHT)}
    assert {part.key for part in found if part.is_saved} <= keys
    assert keys.isdisjoint(part.key for part in found if not part.is_saved)


def test_the_script_and_the_style_know_the_marks_of_containers() -> None:
    assert f":is([class*=_scrolled], [class*=_{DRAWN}]):not([class*=_{UNSAVED}])" in PLACES
    assert f"(?:_{BARE})?_(?:scrolled|{DRAWN})" in PLACES
    assert f'[class*="_{BARE}_scrolled"] {{ padding-bottom: 1.9rem; }}' in FRAME
    assert f'[class*="_{UNSAVED}_scrolled"] {{' in FRAME


def test_every_theme_has_a_name_on_the_panel() -> None:
    assert set(THEMES) <= set(LABELS)
