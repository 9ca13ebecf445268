"""Attention of any model in a notebook: read it, draw it, measure it, save the figure for a paper.

    import attention_lab as lab

    model = lab.read("models/smollm2-135m")        # a folder, or the name of one in models/
    run = model("The trophy does not fit because it is too big")
    run.heatmap(layer=2, head=1)                   # one head; shows itself in a notebook
    run.heads().save("grid.svg")                   # all heads
    run.lines(2, 1).save("lines.pdf", width="77mm", theme="grey")
    run.next_words(5)                              # a table of pandas
    run.ablate((2, 1)).next_words(5)               # the same model without head 1 of layer 2

    lab.read(model, tokenizer)("a sentence")       # an object of transformers
    lab.read(positions="rotary", heads=8)          # a small model that comes with the app
    lab.attention(array, words).heatmap()          # (query, key), or (layer, head, query, key)
    lab.attention(output.attentions, tokens)       # the tuple of transformers
    lab.attention(cache, words)                    # a cache of TransformerLens
    lab.attention(output.cross_attentions, target, source)   # an encoder–decoder, rectangular
    lab.read("t5-small")("source text", "target text")       # the same, of a folder
    lab.table(model, sentences, ["entropy", "distance", "sink"])

Layers, heads and words count from 1. Words of a figure are words or clean tokens: "chef" and not "Ġchef".
A token that continues a word begins with "##". `help` of each name below says more.

`python -m attention_lab` lists the commands that install, check and serve the app. They run before PyTorch is
installed, so a name below is loaded when it is first used.
"""

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from attention_lab.arrays import attention
    from attention_lab.errors import LabError
    from attention_lab.measures import MEASURES, table
    from attention_lab.pictures import Picture
    from attention_lab.reading import Model, models, read
    from attention_lab.weights import Attention, Run

__all__ = [
    "MEASURES",
    "Attention",
    "LabError",
    "Model",
    "Picture",
    "Run",
    "attention",
    "models",
    "read",
    "table",
]

_MODULES = MappingProxyType(
    {
        **dict.fromkeys(("MEASURES", "table"), "measures"),
        **dict.fromkeys(("Attention", "Run"), "weights"),
        **dict.fromkeys(("Model", "models", "read"), "reading"),
        "LabError": "errors",
        "Picture": "pictures",
        "attention": "arrays",
    }
)
"""The module of each public name."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used. Raises AttributeError for any other name."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
