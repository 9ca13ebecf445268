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
        r"h_t = \tanh(W h_{t-1} + U x_t + b)",
        "CS 224N note, eq 4; there it is σ, and no bias",
    ),
    "lstm": Formula(
        r"\begin{aligned} f_t, i_t, o_t &= \sigma(W h_{t-1} + U x_t + b) \\"
        r" \tilde c_t &= \tanh(W h_{t-1} + U x_t + b) \\"
        r" c_t &= f_t \odot c_{t-1} + i_t \odot \tilde c_t \\"
        r" h_t &= o_t \odot \tanh(c_t) \end{aligned}",
        "Seq2seq slides, LSTMs. Each of the four sums has a W, U and b of its own",
    ),
}


def formula_of(end: str, config: RecurrentConfig | RecurrentPairConfig) -> Formula | None:
    """The formula of what is recorded under a name with this end; None where there is none to show."""
    if end == "hidden":
        return _STATES[config.network]
    if isinstance(config, RecurrentConfig):
        language = Formula(r"\hat y_t = \text{softmax}(E\,h_t)", "CS 224N note, eq 19. E is the output layer")
        return language if end == "logits" else None
    return _of_pair(config).get(end)


def _of_pair(config: RecurrentPairConfig) -> dict[str, Formula]:
    attends = config.attention != FIXED_VECTOR
    read = r"\tilde h_t" if attends else "h_t"
    found = {
        "vector": Formula(r"h^{\text{dec}}_0 = h^{\text{enc}}_n", "Seq2seq slides, encoder–decoder"),
        "logits": Formula(
            rf"\hat y_t = \text{{softmax}}(E\,{read} + b)",
            "Seq2seq slides, output layer; there without a bias. E are the decoder's word vectors",
        ),
    }
    if attends:
        score = SCORE_FUNCTIONS[config.attention].about.formula
        found["context"] = Formula(
            rf"\alpha_t = \text{{softmax}}(e_t), \qquad c_t = \sum_j \alpha_{{tj}}\, h_j, \qquad {score}",
            "Seq2seq slides, attention mechanism",
        )
        found["combined"] = Formula(
            r"\tilde h_t = W\,[h_t;\, c_t] + b",
            "Seq2seq slides, attention mechanism; there W leads to the scores of words, without a bias",
        )
    return found
