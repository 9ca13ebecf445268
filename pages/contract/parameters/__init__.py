"""Every parameter that a link can carry, declared once as data; pages know no others."""

import re
from dataclasses import replace
from typing import Any

from pages.contract.parameter import COMPUTED, FLAGS, Parameter, spell, switch
from pages.contract.parameters.mechanism import MECHANISM
from pages.contract.parameters.pages_of_models import OF_MODELS
from pages.contract.parameters.shared import SHARED

_DECLARED = (*SHARED, *OF_MODELS, *MECHANISM)

PARAMETERS = {parameter.name: parameter for parameter in _DECLARED}
assert len(PARAMETERS) == len(_DECLARED), "two parameters have one name"

TABLE, OF_B = "_table", "b_"
"""Suffix of the parameter of an open table, and prefix of a switch of the second architecture."""

FOREIGN = (
    r"embed|embed_options|utm_.*|ref|ref_src|ref_url|referrer|fb_.*|[a-z]{0,5}clk?id|gclsrc|gbraid|wbraid|gad_.*|srsltid"
    r"|mc_[a-z]id|mkt_tok|_ga|_gl|_hsenc|_hsmi|__hs.*|hsa_.*|igshid|igsh|si|_openstat|pk_.*|mtm_.*|piwik_.*|matomo_.*"
    r"|vero_.*|oly_.*|trk|trkCampaign|li_fat_id|cvid|wt_mc|at_medium|at_campaign|_branch_match_id|_bta_.*|ml_subscriber.*"
)
"""Names that Streamlit, mail programs, chats and search engines append to a link, as a regular expression."""

FIELDS = {
    name: f"n_{name}" if name in ("heads", "layers") else name
    for name in ("positions", "mask", "window", "heads", "layers", "norm", "scale", "residual", "mlp")
}
"""The field of ModelConfig that each switch sets, or `window` of Architecture."""

SWITCHES = frozenset(FIELDS) | {"model", "seed"}
"""The names of all switches of an architecture. The second architecture has them too."""

ALSO_OF_B = frozenset({"silenced"})
"""Parameters besides the switches that architecture B has."""

SELECTIONS = tuple(name for name, parameter in PARAMETERS.items() if parameter.selection)
"""Parameters that Escape clears."""


def is_foreign(name: str) -> bool:
    """Return whether another program has appended this name to a link."""
    return name not in PARAMETERS and re.fullmatch(FOREIGN, name) is not None


def declared(name: str) -> Parameter | None:
    """Return the parameter of a name in the link; None if there is none."""
    if name in PARAMETERS:
        return PARAMETERS[name]
    if name.endswith(TABLE):
        return switch(name, "{}", f"Whether the numbers of {name.removesuffix(TABLE)} are open.")
    of_a = name.removeprefix(OF_B)
    if of_a == name or of_a not in {*SWITCHES, *ALSO_OF_B}:
        return None
    one = replace(
        PARAMETERS[of_a], name=name, meaning=f"{PARAMETERS[of_a].meaning} It is for architecture B."
    )
    if one.kind == "number":
        return replace(one, default=None)
    if one.kind == "several":
        return one
    # A switch of B has a third option: as in A.
    return replace(one, kind="one of", options=(), default=COMPUTED)


def in_view(name: str, **given: Any) -> Parameter:
    """Return a declared parameter with the fields that are `given` in place of the declared ones."""
    one = declared(name)
    assert one is not None, f"{name} is missing among the parameters"
    return one.in_view(**given)


def in_words(name: str, values: list[str]) -> list[str]:
    """Return the values of a parameter in a link, with 1 and 0 of a switch in words."""
    one = declared(name)
    return [spell(FLAGS.get(value, value)) for value in values] if one and one.kind == "switch" else values


def options_of(name: str) -> tuple[Any, ...]:
    """Return all values of a parameter whose options do not depend on the page."""
    assert PARAMETERS[name].options, f"the options of {name} depend on the page"
    return tuple(PARAMETERS[name].options)
