"""Heads with a name: the clearest of each kind is listed with its measure, and the shown one is named."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import pytest

from core.measures.heads.scores import INDUCTION
from pages.contract.arrangement import arranged
from pages.contract.look import Look
from pages.contract.sheet import Columns, Drawing, Fold, Part
from pages.explorer import heads, linking, named
from pages.explorer.named import clearest, named_heads, shown_kind
from pages.sheet import build_sheet
from tests.pages.asked import Asked
from tests.real import NAME, gpt2_folder

LINK: dict[str, Any] = {"view": "heads", "model": "real", "real": NAME, "text": "the cat saw the cat"}


def table(*rows: tuple[int, int, str, float]) -> pd.DataFrame:
    found = pd.DataFrame(rows, columns=["layer", "head", "score", "value"])
    return found.assign(baseline=0.2)


SCORES = table(
    (1, 1, "previous word", 0.6),
    (2, 1, "previous word", 0.9),
    (1, 2, "previous word", 0.5),
    (1, 2, INDUCTION, 0.7),
    (2, 2, "first word", 0.3),
)


def test_the_head_shown_is_called_by_its_kind() -> None:
    assert shown_kind(SCORES, 2, 1) == "The head shown, layer 2, head 1, is called **previous-token head**."
    assert shown_kind(SCORES, 2, 2) == "The head shown, layer 2, head 2, has no name."


def test_the_clearest_head_of_each_name_is_listed_with_its_measure_or_none_is_said_to_be(
    no_real_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpt2_folder(no_real_model / NAME, trained_on="the cat saw the cat")
    scene = Asked(**LINK).scene
    induction, previous = clearest(SCORES, scene)
    assert induction.startswith("**induction head**: [layer 1, head 2](/explorer?")
    assert "gives 70 % of its attention to the token after an earlier copy" in induction
    assert previous.startswith("**previous-token head**, the clearest of 2: [layer 2, head 1](/explorer?")
    assert f"real={NAME}" in previous
    assert "layer=2&head=1" in previous
    assert "90 % of its attention to the word before; equal weights would give 20 %" in previous
    monkeypatch.setattr(named, "cached_head_scores", lambda _: SCORES[SCORES["value"] < 0.5])
    (said,) = named_heads(scene)
    assert "No head of this model has a name." in str(said)


def folds(parts: Sequence[Part]) -> Iterator[Fold]:
    """Yield the folds of a sheet, in columns too."""
    for part in parts:
        if isinstance(part, Columns):
            for column in part.columns:
                yield from folds(column)
        elif isinstance(part, Fold):
            yield part


def test_a_stop_with_many_heads_folds_all_but_the_names_above_its_questions(
    no_real_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpt2_folder(no_real_model / NAME, trained_on="the cat saw the cat")
    monkeypatch.setattr(heads, "MANY_LAYERS", 1)
    monkeypatch.setattr(linking, "MOST_HEADS", 1)
    for stop in ({}, {"stop": 12}):
        link = {**LINK, "query": 3, "key": 2} | stop
        is_open = {fold.key: fold.is_open for fold in folds(Asked(**link).sheet.parts)}
        assert is_open["named"]
        assert is_open["linking"] == (not stop)
        assert ("calculated" in is_open) == bool(stop)


def test_a_hall_sees_lines_of_whole_words_without_the_tiles_of_many_heads(
    no_real_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gpt2_folder(no_real_model / NAME, trained_on="the cat saw the cat")
    link = f"/explorer?{urlencode({**LINK, 'view': 'heads', 'drawn': 'lines'})}"

    def shown(look: Look) -> tuple[list[str], list[str]]:
        """Return the titles of the panels, and the words of the lines."""
        picture = arranged(build_sheet(link, look).sheet.parts).picture
        assert picture is not None
        lines = [one.drawn for one in picture.panels if isinstance(one.drawn, Drawing)]
        return [type(one.drawn).__name__ for one in picture.panels], lines[0].data["words"]

    assert shown(Look(fills=True))[0] == ["PicturePart", "Drawing"]
    monkeypatch.setattr(heads, "MANY_LAYERS", 1)
    panels, words = shown(Look(fills=True))
    assert panels == ["Drawing"]
    assert not any(word.startswith("␣") for word in words)
    assert any(word.startswith("␣") for word in shown(Look())[1])
