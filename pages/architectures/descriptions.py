"""Descriptions of the parts of a model: their names, their purposes, and their formulas."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from core.model.alignment import SCORE_FUNCTIONS
from core.model.config import ModelConfig
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.model.recurrent import RecurrentConfig
from core.model.recurrent_pair import FIXED_VECTOR, RecurrentPairConfig
from pages.contract.sheet import Formula
from pages.step_by_step.latex import joined


class PartDescription(NamedTuple):
    """Description of a part in one sentence, its formula in LaTeX, and the source of the formula."""

    says: str
    formula: str = ""
    source: str = ""


SPOKEN: Mapping[str, str] = {
    "words": "words",
    "embed": "embedding",
    "types": "segments",
    "positions": "positions",
    "embed_norm": "normalisation of the embeddings",
    "blocks.below": "lower blocks",
    "attention_norm": "normalisation of self-attention",
    "attention": "self-attention",
    "mid.sum": "sum after self-attention",
    "cross_attention_norm": "normalisation of cross-attention",
    "cross_attention": "cross-attention",
    "cross.sum": "sum after cross-attention",
    "mlp_norm": "normalisation of feed-forward",
    "mlp": "feed-forward",
    "out.sum": "sum after feed-forward",
    "blocks.above": "upper blocks",
    "norm": "last normalisation",
    "transform": "transform",
    "logits": "output layer",
}
"""Names in menus and links, by the end of a part's path."""

INNER: Mapping[str, str] = {
    "q": "queries",
    "k": "keys",
    "v": "values",
    "bias": "bias",
    "scores": "scores",
    "allowed": "mask",
    "pattern": "weights",
    "z": "weighted sums",
    "gate": "gate",
    "hidden": "hidden layer",
    "out": "output",
}
"""Names of recorded arrays inside a part."""

ABOUT: Mapping[str, PartDescription] = {
    "words": PartDescription("The model reads each word as its number in the vocabulary."),
    "segments": PartDescription("A vector says to which segment a word belongs."),
    "transform": PartDescription(
        "A linear map, a nonlinearity and a layer norm stand before the output layer."
    ),
    "blocks": PartDescription("These blocks are drawn as one box: choose another layer to open one of them."),
    "operation": PartDescription("An operation that belongs to no other box."),
}
"""Descriptions of the parts that are the same in every model, by kind."""

ACTIVATION: Mapping[str, str] = {"relu": "ReLU", "gelu": "GELU", "gelu_tanh": "GELU", "silu": "SiLU"}
"""The names of activations in formulas."""


def spoken(name: str) -> str:
    """Return the name of a part by its path, such as `decoder: cross-attention`."""
    stack, path = _split(name)
    end = path if path in SPOKEN else path.partition("blocks.")[2].partition(".")[2]
    return f"{stack}: {SPOKEN.get(end, end)}" if stack else SPOKEN.get(end, end)


def about(kind: str, config: ModelConfig) -> PartDescription:
    """Describe a part of this kind in a model of this configuration, with the formula that it computes."""
    return _BY_CONFIG[kind](config) if kind in _BY_CONFIG else ABOUT[kind]


def _positions(config: ModelConfig) -> PartDescription:
    scheme = SCHEMES[config.positions]
    return PartDescription(scheme.about.says, scheme.about_head(0, config).formula, scheme.about.source)


def _embedding(config: ModelConfig) -> PartDescription:
    scale = config.word_scale
    if scale == 1:
        return PartDescription("Every word has a vector of parameters.", r"x_i = w_i\,E")
    by_root = scale == config.d_model**0.5
    factor = r"\sqrt{d_\text{model}}" if by_root else f"{scale:.3g}"
    return PartDescription(
        "Every word has a vector of parameters, multiplied by a fixed factor.",
        rf"x_i = {factor}\,w_i\,E",
        "Vaswani et al. 2017" if by_root else "",
    )


def _sum(config: ModelConfig) -> PartDescription:
    norm = {
        "pre": " It is added as it was before the norm.",
        "post": " A norm follows.",
        "none": "",
    }
    return PartDescription(
        f"The residual connection adds the vector from before the part to its output.{norm[config.norm]}",
        r"f_\text{residual}(h_{1:n}) = f(h_{1:n}) + h_{1:n}",
    )


def _norm(config: ModelConfig) -> PartDescription:
    if config.norm_kind == "rms":
        return PartDescription(
            "Every position is divided by its own root mean square; the gain is a parameter.",
            r"\text{RMSNorm}(h_i) = \frac{h_i}{\sqrt{\frac{1}{d}\,h_i\,h_i^\top}} \odot \gamma",
            "Zhang & Sennrich 2019",
        )
    return PartDescription(
        "Every position is normalised by its own mean and standard deviation; gain and bias are parameters.",
        r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i} \odot \gamma + \beta",
        "Ba et al. 2016",
    )


def _about_attention(config: ModelConfig) -> PartDescription:
    point = SCHEMES[config.positions].injection_point()
    added = {}
    if point == "bias":
        added["B"] = "the bias of the positions"
    if MASKS[config.mask].hides:
        added["M"] = "0 for an allowed key and −∞ for a masked key"
    named = "".join(f" {name} is {what}." for name, what in added.items())
    return PartDescription(
        "Every position gets a weighted sum of the values of the positions that it may attend to. "
        f"The vectors q, k and z are of one head.{named}{_BIASES * config.bias}",
        _attended(config, ("X", "X", "X"), rotates=point == "rotate", added=tuple(added)),
    )


def _cross_attention(config: ModelConfig) -> PartDescription:
    return PartDescription(
        "Queries come from the states of the decoder. Keys and values come from the output of the encoder."
        f"{_BIASES * config.bias}",
        _attended(config, (r"X_\text{decoder}", *2 * (r"X_\text{encoder}",))),
    )


_BIASES = " Each b is a bias, a vector of parameters that is added."


def _attended(
    config: ModelConfig, made_of: Sequence[str], *, rotates: bool = False, added: Sequence[str] = ()
) -> str:
    """Describe an attention whose queries, keys and values are computed from these inputs."""
    q, k, v = (
        rf"{of}\,{matrix}{_plus(config.bias, f'b_{matrix}')}"
        for of, matrix in zip(made_of, "QKV", strict=True)
    )
    if rotates:
        q, k = (rf"\operatorname{{rotate}}({made})" for made in (q, k))
    score = r"\frac{q\,k^\top}{\sqrt{d_\text{head}}}" if config.scale else r"q\,k^\top"
    lines = (
        rf"q = {q}, \quad k = {k}" if len(made_of[0]) == 1 else rf"q = {q} \\ k = {k}",
        rf"v = {v}",
        rf"z = \text{{softmax}}\!\left({' + '.join([score, *added])}\right) v",
        rf"h = {joined(config.n_heads)}\,O{_plus(config.bias, 'b_O')}",
    )
    return r"\begin{{gathered}} {} \end{{gathered}}".format(r" \\ ".join(lines))


def _feed_forward(config: ModelConfig) -> PartDescription:
    f = ACTIVATION[config.activation]
    hidden = rf"\text{{{f}}}(h_i W_1{_plus(config.bias, 'b_1')})"
    says, source = "Two linear maps with a nonlinearity between them, at each position alone.", ""
    if config.gated:
        gate = rf"\text{{{f}}}(h_i W_0{_plus(config.bias, 'b_0')})"
        hidden = rf"\bigl({gate} \odot (h_i W_1{_plus(config.bias, 'b_1')})\bigr)"
        says = (
            "A linear map with a nonlinearity is multiplied by a second linear map. A third linear map "
            "follows."
        )
        source = "Shazeer 2020"
    return PartDescription(says, rf"\text{{FF}}(h_i) = {hidden}\,W_2{_plus(config.bias, 'b_2')}", source)


def _output(config: ModelConfig) -> PartDescription:
    matrix = r"E^\top" if config.tied else r"W_\text{out}"
    of = "the vector of a word" if config.tied else "an output vector of a word"
    plus = ", plus a bias" * config.output_bias
    return PartDescription(
        f"Each logit is the dot product of a state and {of}{plus}. The softmax, which follows, turns logits "
        "into probabilities.",
        rf"y_i = h_i\,{matrix}{_plus(config.output_bias, 'b')}",
        "Before the softmax",
    )


def _plus(is_added: bool, name: str) -> str:
    return f" + {name}" if is_added else ""


_BY_CONFIG: Mapping[str, Callable[[ModelConfig], PartDescription]] = {
    "positions": _positions,
    "embedding": _embedding,
    "sum": _sum,
    "norm": _norm,
    "attention": _about_attention,
    "cross-attention": _cross_attention,
    "feed-forward": _feed_forward,
    "output": _output,
}
"""Descriptions of the parts that depend on the model, by kind."""


def _split(name: str) -> tuple[str, str]:
    first, _, rest = name.partition(".")
    return (first, rest) if first in ("encoder", "decoder") else ("", name)


_STATES = {
    "rnn": Formula(r"h_t = \tanh(h_{t-1} W + x_t U + b)"),
    "lstm": Formula(
        r"\begin{aligned} f_t, i_t, o_t &= \sigma(h_{t-1} W + x_t U + b) \\"
        r" \tilde c_t &= \tanh(h_{t-1} W + x_t U + b) \\"
        r" c_t &= f_t \odot c_{t-1} + i_t \odot \tilde c_t \\"
        r" h_t &= o_t \odot \tanh(c_t) \end{aligned}",
        "Each of the four sums has its own W, U and b",
    ),
}


_VECTOR = {
    "rnn": r"h^{\text{dec}}_0 = h^{\text{enc}}_n",
    "lstm": r"h^{\text{dec}}_0 = h^{\text{enc}}_n, \qquad c^{\text{dec}}_0 = c^{\text{enc}}_n",
}
"""Initial state of a decoder; the state of an LSTM also has a cell."""


def formula_of(end: str, config: RecurrentConfig | RecurrentPairConfig) -> Formula | None:
    """Return the formula of recorded arrays whose name has this end; None if there is none to show."""
    if end == "hidden":
        return _STATES[config.network]
    if isinstance(config, RecurrentConfig):
        language = Formula(r"y_t = h_t\,W_\text{out}", "Before the softmax")
        return language if end == "logits" else None
    return _of_pair(config).get(end)


def _of_pair(config: RecurrentPairConfig) -> dict[str, Formula]:
    attends = config.attention != FIXED_VECTOR
    read = r"\tilde h_t" if attends else "h_t"
    found = {
        "vector": Formula(_VECTOR[config.network]),
        "logits": Formula(
            rf"y_t = {read}\,E^\top + b", "Before the softmax. E are the decoder's word vectors"
        ),
    }
    if attends:
        function = SCORE_FUNCTIONS[config.attention]
        score = function.about.formula
        weights = r"\alpha_t = \text{softmax}(e_t), \qquad " if function.softmax else ""
        found["context"] = Formula(rf"{score}, \qquad {weights}c_t = \sum_j \alpha_{{tj}}\, h_j")
        found["combined"] = Formula(r"\tilde h_t = [h_t;\, c_t]\,W + b")
    return found
