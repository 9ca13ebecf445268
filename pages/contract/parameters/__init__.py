"""Every parameter that a link can carry, declared once: what is not declared here no page knows.

The declarations are data and need no page: whoever reads a link without one finds here what it can say.
"""

import re
from dataclasses import replace
from typing import Any

from pages.contract.parameters.declared import COMPUTED, Parameter
from pages.contract.parameters.mechanism import MECHANISM
from pages.contract.parameters.pages_of_models import OF_MODELS
from pages.contract.parameters.shared import HOME, LECTURE, SHARED

_DECLARED = (*SHARED, *HOME, *LECTURE, *OF_MODELS, *MECHANISM)

PARAMETERS = {parameter.name: parameter for parameter in _DECLARED}
assert len(PARAMETERS) == len(_DECLARED), "two parameters have one name"

TABLE, OF_B = "_table", "b_"
"""How the parameter of an open table ends, and how that of a switch of the second architecture begins."""

FOREIGN = (
    r"embed|embed_options|utm_.*|ref|ref_src|ref_url|referrer|fb_.*|[a-z]{0,5}clk?id|gclsrc|gbraid|wbraid|gad_.*|srsltid"
    r"|mc_[a-z]id|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hs.*|hsa_.*|igshid|igsh|si|_openstat|pk_.*|mtm_.*|piwik_.*|matomo_.*"
    r"|vero_.*|oly_.*|trk|trkCampaign|li_fat_id|cvid|wt_mc|at_medium|at_campaign|_branch_match_id|_bta_.*|ml_subscriber.*"
)
"""Names that Streamlit, mail programs, chats and search engines append to a link, as a regular expression."""

SHORT = {"1": "true", "0": "false"}
"""How a link may say of a switch that it is on or off."""

OF_BOTH = {
    "model",
    "seed",
    "positions",
    "mask",
    "window",
    "heads",
    "layers",
    "norm",
    "scale",
    "residual",
    "mlp",
}
"""What the second architecture has too."""

SELECTIONS = tuple(name for name, parameter in PARAMETERS.items() if parameter.selection)
"""What Escape takes back."""


def is_parameter(name: str) -> bool:
    """Whether some page has a control of this name."""
    return declared(name) is not None


def is_foreign(name: str) -> bool:
    """Return whether another program has appended this name to a link."""
    return name not in PARAMETERS and re.fullmatch(FOREIGN, name) is not None


def declared(name: str) -> Parameter | None:
    """What a name in the link means; None where it means nothing."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    if name.endswith(TABLE):
        meaning = f"Whether the numbers of {name.removesuffix(TABLE)} are open."
        return Parameter(name=name, meaning=meaning, kind="switch", label="{}", default=False)
    if name.startswith(OF_B) and name.removeprefix(OF_B) in OF_BOTH:
        return _of_b(PARAMETERS[name.removeprefix(OF_B)])
    return None


def in_words(name: str, values: list[str]) -> list[str]:
    """What a link says of a parameter, with 1 and 0 of a switch in words."""
    one = declared(name)
    return [SHORT.get(value, value) for value in values] if one and one.kind == "switch" else values


def options_of(name: str) -> tuple[Any, ...]:
    """All that a parameter can be whose options do not depend on the page."""
    options = PARAMETERS[name].options
    assert options is not None, f"the options of {name} depend on the page"
    return options


def _of_b(parameter: Parameter) -> Parameter:
    """A parameter of architecture B, where a switch has three options: it may be as in A."""
    meaning = f"{parameter.meaning} This is that of architecture B."
    if parameter.kind == "number":
        return replace(parameter, name=f"{OF_B}{parameter.name}", meaning=meaning, default=None)
    name = f"{OF_B}{parameter.name}"
    return replace(parameter, name=name, meaning=meaning, kind="one of", options=None, default=COMPUTED)
