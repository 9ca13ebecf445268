"""Positions: what each scheme adds and where, the same sentence under all, and length extrapolation.

The views stand in the order of the row of views.

Every scheme that enters somewhere has a view: one of its own, which is a line in RICHER, or that of any
scheme. A new view is a new file with a function of a Scene, and a line here.
"""

from functools import partial

from core.model.positions import SCHEMES
from pages.controls.sentence import OVEN
from pages.positions.alibi import alibi
from pages.positions.all_schemes import all_schemes
from pages.positions.any_scheme import any_scheme
from pages.positions.extrapolation import extrapolation
from pages.positions.learned import learned
from pages.positions.rotary import rotary
from pages.positions.sinusoidal import sinusoidal
from pages.shell import Page, View

OF_THE_WEIGHTS = frozenset({"model", "seed", "mask", "heads", "layers", "norm"})

_of_sentence = partial(View, sentence=OVEN)

RICHER = {
    "learned": View(
        draw=learned, switches=frozenset({"mask", "heads", "norm"}), defaults={"positions": "learned"}
    ),
    "sinusoidal": View(draw=sinusoidal),
    "alibi": _of_sentence(draw=alibi, switches=frozenset({"mask", "heads"}), defaults={"positions": "alibi"}),
    "rotary": _of_sentence(draw=rotary, switches=OF_THE_WEIGHTS, defaults={"positions": "rotary"}),
}


def _view_of(positions: str) -> View:
    """The view of a scheme: its own, or that of any scheme."""
    of_any = _of_sentence(
        draw=any_scheme,
        switches=OF_THE_WEIGHTS - {"layers"},
        defaults={"positions": positions},
        reads=True,
    )
    return RICHER.get(positions, of_any)


PAGE = Page(
    question="How does a Transformer know where a word stands?",
    views={
        "all schemes": _of_sentence(draw=all_schemes, switches=OF_THE_WEIGHTS, one_model=False),
        **{name: _view_of(name) for name, scheme in SCHEMES.items() if scheme.injection_point()},
        "length extrapolation": View(draw=extrapolation, switches=frozenset({"heads", "norm"})),
    },
    formerly="scheme",
    renamed={"all five": "all schemes", "beyond training": "length extrapolation"},
    former_names={"added_table": "scheme_added_table"},
)
