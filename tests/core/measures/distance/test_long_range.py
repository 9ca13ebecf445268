"""Three networks side by side: their accuracies as their checkpoints have them, and their influences."""

import pandas as pd
import pytest

from core.learning.collection import MEMBERS
from core.measures.distance.long_range import rivals, standings
from core.model.config import ModelConfig
from tests.covering import each


@each("what", ["recall", "agreement"])
def test_rivals_are_members_that_have_learned_the_task(what: str) -> None:
    names = rivals(
        what, ModelConfig(vocab_size=1, positions="rotary", n_heads=8, norm="post", mask="bidirectional")
    )
    assert list(names) == ["Transformer", "LSTM", "RNN"]
    tasks = {MEMBERS[name].task.name for name in names.values()}
    assert tasks == {"recall" if what == "recall" else "next word"}
    if what == "agreement":
        assert names["Transformer"] == "causal-rotary-8-post"
    networks = [getattr(MEMBERS[name].config, "network", "none") for name in names.values()]
    assert networks == ["none", "lstm", "rnn"]


def test_a_network_is_ahead_or_behind_by_more_than_five_points() -> None:
    shares = {
        "Transformer": [1.0, 0.9, 1.0, 0.6, 0.9],
        "LSTM": [0.94, 0.95, 0.95, 0.95, 0.5],
        "RNN": [0.5, 0.85, 0.51, 0.66, 0.7],
    }
    rows = [(name, at, str(at), share) for name, row in shares.items() for at, share in enumerate(row)]
    table = pd.DataFrame(rows, columns=["network", "group", "words", "accuracy"])
    found = standings(table, [0.5] * 5)
    assert list(found) == list(shares)
    lstm, rnn, transformer = found["LSTM"], found["RNN"], found["Transformer"]
    assert (lstm.ahead, lstm.behind, lstm.guesses) == ((3,), (0, 4), (4,))
    assert (rnn.ahead, rnn.behind, rnn.guesses) == ((3,), (0, 2, 4), (0, 2))
    assert (transformer.ahead, transformer.behind, transformer.guesses) == ((), (), ())
    assert lstm.margins == pytest.approx((-0.06, 0.05, -0.05, 0.35, -0.4))
    assert lstm.accuracies == tuple(shares["LSTM"])
