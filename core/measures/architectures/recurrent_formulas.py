"""What a recurrent model computes at every step, as the model does it, and where its source differs."""

from typing import NamedTuple

from core.model.alignment import SCORE_FUNCTIONS
from core.model.recurrent import RecurrentConfig
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig


class Formula(NamedTuple):
    """A formula in LaTeX, and where it comes from."""

    latex: str
    source: str


_STATES = {
    "rnn": Formula(
        r"h_t = \tanh(h_{t-1} W + x_t U + b)",
        "CS 224N note, eq 4; there it is σ, of columns, and no bias",
    ),
    "lstm": Formula(
        r"\begin{aligned} f_t, i_t, o_t &= \sigma(h_{t-1} W + x_t U + b) \\"
        r" \tilde c_t &= \tanh(h_{t-1} W + x_t U + b) \\"
        r" c_t &= f_t \odot c_{t-1} + i_t \odot \tilde c_t \\"
        r" h_t &= o_t \odot \tanh(c_t) \end{aligned}",
        "Seq2seq slides, LSTMs. Each of the four sums has a W, U and b of its own",
    ),
}

_VECTOR = {
    "rnn": r"h^{\text{dec}}_0 = h^{\text{enc}}_n",
    "lstm": r"h^{\text{dec}}_0 = h^{\text{enc}}_n, \qquad c^{\text{dec}}_0 = c^{\text{enc}}_n",
}
"""Initial state of a decoder; an LSTM has a cell too."""


def formula_of(end: str, config: RecurrentConfig | RecurrentPairConfig) -> Formula | None:
    """The formula of what is recorded under a name with this end; None where there is none to show."""
    if end == "hidden":
        return _STATES[config.network]
    if isinstance(config, RecurrentConfig):
        language = Formula(
            r"y_t = h_t\,W_\text{out}", "CS 224N note, eq 19, before the softmax; there W is called E"
        )
        return language if end == "logits" else None
    return _of_pair(config).get(end)


def _of_pair(config: RecurrentPairConfig) -> dict[str, Formula]:
    attends = config.attention != FIXED_VECTOR
    read = r"\tilde h_t" if attends else "h_t"
    found = {
        "vector": Formula(_VECTOR[config.network], "Seq2seq slides, encoder–decoder"),
        "logits": Formula(
            rf"y_t = {read}\,E^\top + b",
            "Seq2seq slides, output layer, before the softmax; there without a bias. E are the decoder's "
            "word vectors",
        ),
    }
    if attends:
        function = SCORE_FUNCTIONS[config.attention]
        score = function.about.formula
        weights = r"\alpha_t = \text{softmax}(e_t), \qquad " if function.softmax else ""
        found["context"] = Formula(
            rf"{score}, \qquad {weights}c_t = \sum_j \alpha_{{tj}}\, h_j",
            "Seq2seq slides, attention mechanism",
        )
        found["combined"] = Formula(
            r"\tilde h_t = [h_t;\, c_t]\,W + b",
            "Seq2seq slides, attention mechanism; there W leads to the scores of words, without a bias",
        )
    return found
