"""Positions: how each scheme changes a score, each of them alone, and length extrapolation.

Every scheme with an injection point has a view, which shows its effect there. An entry of RICHER adds
a picture to one: its file has a `SchemeViewOptions`.
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
