"""What every part of a model is called, its formula, and where that stands."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from core.model.config import ModelConfig
from core.model.positions import SCHEMES


class About(NamedTuple):
    """What a part does in a sentence, its formula in LaTeX, and the place that has it."""

    says: str
    formula: str = ""
    source: str = ""


SPOKEN: Mapping[str, str] = MappingProxyType(
    {
        "words": "words",
        "embed": "embedding",
        "types": "segments",
        "positions": "positions",
        "embed_norm": "norm of the embeddings",
        "blocks.below": "blocks below",
        "attention_norm": "norm of self-attention",
        "attention": "self-attention",
        "mid.sum": "sum after self-attention",
        "cross_attention_norm": "norm of cross-attention",
        "cross_attention": "cross-attention",
        "cross.sum": "sum after cross-attention",
        "mlp_norm": "norm of feed-forward",
        "mlp": "feed-forward",
        "out.sum": "sum after feed-forward",
        "blocks.above": "blocks above",
        "norm": "last norm",
        "transform": "transform",
        "logits": "output",
    }
)
"""What the end of a part's path is called in menus and links."""

INNER: Mapping[str, str] = MappingProxyType(
    {
        "q": "queries",
        "k": "keys",
        "v": "values",
        "bias": "bias",
        "scores": "scores",
        "allowed": "mask",
        "pattern": "weights",
        "z": "weighted values",
        "gate": "gate",
        "hidden": "hidden layer",
        "out": "output",
    }
)
"""What is recorded inside of a part, in words."""

_NOTE = "CS 224N note"
_NORM = r"\text{LN}(h_i) = \frac{h_i - \hat\mu_i}{\hat\sigma_i} \odot g + b"

ABOUT: Mapping[str, About] = MappingProxyType(
    {
        "words": About("Numbers of words in the vocabulary enter the model."),
        "embedding": About("Every word has a learned vector.", r"x_i = E\,w_i", f"{_NOTE}, section 1.1"),
        "segments": About("A learned vector says which segment a word is of."),
        "norm": About(
            "Every position is normalised by its own mean and standard deviation.",
            _NORM,
            f"{_NOTE}, eq 27–28",
        ),
        "sum": About(
            "What enters the part is added to what the part gives: the residual connection.",
            r"f_\text{residual}(h_{1:n}) = f(h_{1:n}) + h_{1:n}",
            f"{_NOTE}, eq 29",
        ),
        "attention": About(
            "Every position averages the values of the positions that it may attend to.",
            r"\text{softmax}\!\left(\frac{XQ\,K^\top X^\top}{\sqrt{d_\text{head}}}\right) XV",
            f"{_NOTE}, eq 25–26 and 32",
        ),
        "cross-attention": About(
            "Queries are made of the decoder's states z, keys and values of the encoder's output h.",
            r"q_i = Q^\top z_i, \quad k_j = K^\top h_j, \quad v_j = V^\top h_j",
            f"{_NOTE}, eq 33–36",
        ),
        "feed-forward": About(
            "Two linear maps with a nonlinearity between them, at each position alone.",
            r"\text{FF}(h_i) = W_2\,\text{ReLU}(W_1 h_i + b_1) + b_2",
            f"{_NOTE}, eq 17",
        ),
        "transform": About("A linear map with a nonlinearity and a norm, before states meet words."),
        "output": About(
            "Every state is compared with every word: a score for each. Their softmax is the prediction.",
            r"\hat y_i = \text{softmax}(E\,h_i)",
            f"{_NOTE}, section 3.5",
        ),
        "blocks": About("These blocks are drawn as one box: choose another layer to open one of them."),
        "operation": About("An operation that no other box stands for."),
    }
)
"""What a part does, by its kind."""


def spoken(name: str) -> str:
    """What a part is called, by its path: `decoder: cross-attention`."""
    stack, path = _split(name)
    end = path if path in SPOKEN else path.partition("blocks.")[2].partition(".")[2]
    return f"{stack}: {SPOKEN.get(end, end)}" if stack else SPOKEN.get(end, end)


def about(kind: str, config: ModelConfig) -> About:
    """What a part of this kind does in a model of this configuration."""
    if kind == "positions":
        scheme = SCHEMES[config.positions].about
        return About(scheme.says, scheme.formula, scheme.source)
    found = ABOUT[kind]
    if kind == "attention" and not config.scale:
        return found._replace(formula=r"\text{softmax}(XQ\,K^\top X^\top)\, XV", source=f"{_NOTE}, eq 25–26")
    if kind == "output" and config.output_bias:
        return found._replace(formula=r"\hat y_i = \text{softmax}(E\,h_i + b)")
    return found


def _split(name: str) -> tuple[str, str]:
    first, _, rest = name.partition(".")
    return (first, rest) if first in ("encoder", "decoder") else ("", name)
