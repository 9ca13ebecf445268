"""A head opened from its score: in the matrix, at the cell of the sentence that shows the score best."""

from collections.abc import Sequence

import pandas as pd

from core.measures.heads.head_scores import ENTROPY, SPECIAL, shown_texts
from core.model.masks import NEXT_WORD
from pages.contract.sheet import Changes, Link, Point
from pages.shell.attention import WORDS
from pages.shell.scene import Scene
from viz.head_scores import head_at


def opened_tile(scene: Scene, table: pd.DataFrame, points: Sequence[Point], link: Link) -> Changes:
    """What a click on the figure of all scores opens."""
    shares = table[table["score"] != ENTROPY]
    tile = head_at(points[-1]["x"], points[-1]["y"], table=shares)
    if tile is None:
        return {}
    layer, head, score = tile
    return opened_row(scene, table, layer + 1, head + 1, score)


def opened_row(scene: Scene, table: pd.DataFrame, layer: int, head: int, score: str) -> Changes:
    """The head (counted from 1) and what shows this score of it."""
    chosen = (table["layer"] == layer) & (table["head"] == head) & (table["score"] == score)
    (row,) = table[chosen].itertuples()
    text = shown_texts()[row.sentence]
    at_head = {"text": text, "layer": int(layer), "head": int(head), "view": "matrix", "show": None}
    if score == SPECIAL:  # its column is hidden or not, by a control that the visitor has
        row = row._replace(query=pd.NA, key=pd.NA)
    asked = row.query if pd.isna(row.query) else _asked(scene, text, int(row.query))
    places = {"query": row.query, "key": row.key, "place": asked}
    cell = {name: None if pd.isna(place) else int(place) + 1 for name, place in places.items()}
    return {**at_head, **_in_words(scene), **cell}


def _asked(scene: Scene, text: str, word: int) -> int:
    """The position asked for a prediction at a word: its last piece, or its first where it is masked."""
    one = scene.switches.weights.pretrained
    if one is None:
        return word
    pieces = one.split(text)
    words = [group for group in pieces.groups if not pieces.special.issuperset(group)]
    return words[word][-1 if one.objective == NEXT_WORD else 0]


def _in_words(scene: Scene) -> Changes:
    """Rows and columns that are the words of the sentence, and nothing else: as the scores count them."""
    if scene.pieces is None:
        return {}
    return {"tokens": WORDS} | ({"special": False} if scene.pieces.special else {})
