"""Models with different numbers of heads: their tiles, their table, and what a click among them means."""

import numpy as np

from tests.covering import each
from viz.head_counts import head_counts, head_hit
from viz.theme import LIGHT
from viz.tiles import Head

COUNTS = (1, 3)
PATTERNS = np.full((2, 3, 2, 2), 0.5, dtype=np.float32)
PATTERNS[0, 1:] = np.nan
PATTERNS[1, 2] = np.eye(2)


def test_every_head_has_a_tile_a_row_and_a_place_in_the_text() -> None:
    picture = head_counts(
        PATTERNS,
        COUNTS,
        words=["tea", "please"],
        of="layer 1",
        theme=LIGHT,
        selected=(1, 2),
        allowed=np.ones((2, 2), dtype=bool),
        size=300,
    )
    assert list(picture.figure().layout.yaxis.ticktext) == ["1 head", "<b>3 heads</b>"]
    assert picture.title == "Attention weights of models with 1 and 3 heads, layer 1"
    assert picture.alt().startswith(
        "attention of 2 models, 2 query words by 2 key words. Most focused: model "
    )
    assert "Most focused: model with 3 heads, head 3, entropy 0.0 bits." in picture.alt()
    assert picture.has_table
    table = picture.table()
    np.testing.assert_array_equal(table[["heads", "head"]], [[1, 1], [3, 1], [3, 2], [3, 3]])
    np.testing.assert_allclose(table["largest weight"], [0.5, 0.5, 0.5, 1])
    assert picture.data is not None
    weights = picture.data()
    assert weights.index.names == ["heads", "head", "query"]
    assert list(weights.index.unique("heads")) == [1, 3]
    assert list(weights.columns) == ["tea", "please"]
    np.testing.assert_array_equal(weights.loc[(3, 3)], np.eye(2))
    assert len(weights) == 2 * sum(COUNTS), "a head that a model lacks has no rows"


@each(("x", "y", "hit"), [(1, 1, (1, 0)), (2, 1, None), (3, 2, (3, 2)), (4, 2, None), (1, 3, None)])
def test_a_click_means_a_head_of_its_model_or_nothing(x: float, y: float, hit: Head | None) -> None:
    assert head_hit(x, y, COUNTS) == hit
