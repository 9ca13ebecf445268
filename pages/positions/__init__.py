"""Positions: what each scheme adds and where, the same sentence under all, and length extrapolation.

The views stand in the order of the row of views.

Every scheme that enters somewhere has a view: one of its own, which is a line in RICHER, or that of any
scheme. A new view is a new file with a VIEW, and a line here.
"""

from core.model.positions import SCHEMES
from pages.positions import alibi, all_schemes, any_scheme, extrapolation, learned, rotary, sinusoidal
from pages.shell import Page

RICHER = {
    "learned": learned.VIEW,
    "sinusoidal": sinusoidal.VIEW,
    "alibi": alibi.VIEW,
    "rotary": rotary.VIEW,
}

PAGE = Page(
    question="How does a Transformer know where a word stands?",
    views={
        "all schemes": all_schemes.VIEW,
        **{
            name: RICHER.get(name) or any_scheme.view_of(name)
            for name, scheme in SCHEMES.items()
            if scheme.injection_point()
        },
        "length extrapolation": extrapolation.VIEW,
    },
)
