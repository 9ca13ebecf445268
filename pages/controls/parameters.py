"""Every parameter that a link can carry: what is in none of these lists no page knows."""

SHARED = (
    *("text", "other", "view", "layer", "head", "seed", "model", "code"),
    *("real", "tokens", "special"),
    *("positions", "mask", "window", "heads", "layers", "norm", "scale", "residual", "mlp"),
)
"""What several pages have: the sentences, the view, the head and the switches."""

OF_PAGES = {
    "explorer": (
        "query",
        "key",
        "place",
        "silenced",
        "show",
        "mass",
        "calculation",
        "b_calculation",
        "against",
    ),
    "interaction distance": ("from", "to", "count"),
    "order invariance": ("word", "question"),
    "step by step": ("size", "stage", "form", "edit", "latex", "temperature", "unit"),
    "positions": ("of", "pair", "moved", "width", "measured", "positions_shown", "calculated"),
    "masking": ("preset", "prefix", "padded", "causal", "cells"),
    "heads": ("maria", "d_model", "n", "part", "among"),
    "scaling": ("d",),
    "architectures": ("part", "inside", "network"),
    "blocks": ("depth", "train_depth", "with_none", "norm_at", "others"),
    "sources": ("document",),
    "translation": (
        *("translator", "attention", "way", "beam", "top_k", "top_p", "step", "begins"),
        *("kind", "target", "wrong", "instead", "hidden", "cut"),
    ),
    "classification": ("classifier",),
    "gradients": ("reach", "recurrence", "scale_of_weights", "gate", "lstm"),
    "generation": ("writer", "most", "stops", "by_hand", "measure", "quantity", "cost"),
    "training": ("task", "steps", "rate", "batch", "at"),
}
"""What belongs to one page, though others may use the same word for the same thing."""

PARAMETERS = frozenset(SHARED).union(*OF_PAGES.values())
TABLE, OF_B = "_table", "b_"
"""How the parameter of an open table ends, and how that of a switch of the second architecture begins."""


def is_parameter(name: str) -> bool:
    """Whether some page has a control of this name."""
    return name in PARAMETERS or name.endswith(TABLE) or name.removeprefix(OF_B) in SHARED
