"""A grid of verdicts: networks by ways to make one vector, the right verdicts outlined and named."""

import numpy as np

from viz.pooled import PooledVerdicts
from viz.room import Room
from viz.theme import LIGHT

TYPED = {("RNN", "last state"): 0.75, ("RNN", "mean"): 0.25, ("LSTM", "mean"): 0.5}
WITHOUT = {("RNN", "last state"): 0.125, ("RNN", "mean"): 0.25, ("LSTM", "mean"): 1.0}


def test_rows_are_networks_columns_are_ways_to_pool_and_untrained_ones_have_no_number() -> None:
    picture = PooledVerdicts(title="Praise", verdicts={"as typed": TYPED, "without not": WITHOUT})
    assert (picture.networks, picture.ways) == (("RNN", "LSTM"), ("last state", "mean"))
    figure = picture.figure(Room(theme=LIGHT))
    first, second = (np.asarray(trace.z, dtype=float) for trace in figure.data if trace.type == "heatmap")
    np.testing.assert_allclose(first, [[0.75, 0.25], [np.nan, 0.5]], atol=0.01)
    np.testing.assert_allclose(second, [[0.125, 0.25], [np.nan, 1.0]], atol=0.01)
    texts = " ".join(str(note.text) for note in figure.layout.annotations)
    assert all(said in texts for said in ("without not", "network ↓", "vector →", "not trained"))
    assert picture.table().loc["without not", "LSTM mean"] == 1


def test_right_verdicts_are_outlined_and_said() -> None:
    picture = PooledVerdicts(title="Praise", verdicts={"as typed": TYPED}, outlined=[("RNN", "last state")])
    outlines = [one for one in picture.figure(Room(theme=LIGHT)).data if one.type == "scatter"]
    assert any(one.mode == "lines" and one.line.color == LIGHT.output for one in outlines)
    assert picture.alt() == (
        "Praise. as typed: RNN last state 0.750, RNN mean 0.250, LSTM mean 0.500. Right: RNN last state."
    )
    assert "Right" not in PooledVerdicts(title="Praise", verdicts={"as typed": TYPED}).alt()
