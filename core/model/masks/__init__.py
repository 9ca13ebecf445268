"""Masks: which query may attend to which key.

Each mask that a configuration can name has a file here with everything particular to it, including the
objective of the models trained with it. Ask the objective what a model predicts, and the matrix what a
word sees, and not the name of the mask. A new mask is a new file and a line in MASKS. The masks in
`combining` are functions of numbers, such as the width of a window, and are combined with `&`.
"""

from importlib import import_module

from core.model.masks.base import MASKED_WORD, NEXT_WORD, Given, Mask, Objective


def _mask_in(file: str) -> Mask:
    """Return the mask that a file of this folder defines."""
    mask: Mask = import_module(f"{__name__}.{file}").MASK
    assert mask.name == file, f"the mask in {file}.py calls itself {mask.name}"
    return mask


MASKS: dict[str, Mask] = {
    name: _mask_in(name)
    for name in (
        "causal",
        "bidirectional",
        "prefix",
    )
}
"""Every mask by the name of its file, which configurations, switches, links and checkpoints use too."""


def freest_first() -> tuple[str, ...]:
    """Return the masks in the order of tables and pictures: beginning with the mask that hides least."""
    return tuple(sorted(MASKS, key=lambda name: -int(MASKS[name].sample.sum())))


__all__ = ["MASKED_WORD", "MASKS", "NEXT_WORD", "Given", "Mask", "Objective", "freest_first"]
