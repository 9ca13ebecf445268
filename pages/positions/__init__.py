"""Positions: what each scheme adds to a score, each of them by itself, and length extrapolation.

The views stand in the order of the row of views.

Every scheme that enters somewhere has a view, which shows what it does there. A line in RICHER gives it one
picture more: that is a file with an `Extra`.
"""

from core.model.positions import SCHEMES
from pages.contract.view import Page
from pages.positions import all_schemes, extrapolation
from pages.positions.alibi import ALIBI
from pages.positions.any_scheme import view_of
from pages.positions.learned import LEARNED
from pages.positions.rotary import ROTARY
from pages.positions.sinusoidal import SINUSOIDAL

RICHER = {"learned": LEARNED, "sinusoidal": SINUSOIDAL, "alibi": ALIBI, "rotary": ROTARY}

PAGE = Page(
    question="How does a Transformer know where a word stands?",
    views={
        "all schemes": all_schemes.all_schemes,
        **{
            name: view_of(name, RICHER.get(name))
            for name, scheme in SCHEMES.items()
            if scheme.injection_point()
        },
        "length extrapolation": extrapolation.extrapolation,
    },
)
