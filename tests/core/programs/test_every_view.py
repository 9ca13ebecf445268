"""The program of every view prints the numbers that the view shows."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from tests.golden.links import FILE
from tests.pages.asked import Asked
from tests.programs import numbers_in, printed
from tests.views import PAGES

View = tuple[str, str]

TOLERANCE = 6e-4
"""Programs print three decimals, or five digits."""


@dataclass(frozen=True)
class Shows:
    """A picture or table of a view, and the columns of its numbers that the program prints; by default all.

    Of a table that is longer than what the program prints, these are the first `n_rows`. The link has the
    `more` parameters.
    """

    picture: str
    columns: str = ""
    n_rows: int | None = None
    more: str = ""


SHOWN: dict[View, Shows] = {
    ("step-by-step", "soft lookup"): Shows("store", "weight"),
    ("step-by-step", "why three matrices"): Shows("compared"),
    ("interaction-distance", "networks"): Shows("recurrent"),
    ("order-invariance", "two orders"): Shows("orders", "first order|second order"),
    ("positions", "all schemes"): Shows("schemes", "learned"),
    ("positions", "learned"): Shows("scheme_added"),
    ("positions", "sinusoidal"): Shows("scheme_added"),
    ("positions", "alibi"): Shows("scheme_added"),
    ("positions", "rotary"): Shows("pairs"),
    ("positions", "relative"): Shows("scheme_added", "head 2"),
    ("positions", "length extrapolation"): Shows("extrapolation_accuracy"),
    ("masking", "paint"): Shows("gradient"),
    ("masking", "mask values"): Shows("values", "on masked keys|row sum"),
    ("masking", "the future"): Shows("next_words", "with mask, .*"),
    ("heads", "two things"): Shows("two_things_learned"),
    ("scaling", "long vectors"): Shows("growth", more="&curve=gradient"),
    ("scaling", "heads"): Shows("head_row"),
    ("blocks", "layer norm"): Shows("tokens", "after.*"),
    ("blocks", "residual"): Shows("added"),
    ("blocks", "pre and post"): Shows("last_block", "pre|post|none", more="&shows=gradient"),
    ("blocks", "feed-forward"): Shows("changes", more="&shows=one+position"),
    ("translation", "translate"): Shows(
        "certainty", "probability", more="&attention=none&temperature=2&seed=4"
    ),
    ("translation", "cross-attention"): Shows("alignment", more="&translator=RNN"),
    ("translation", "bottleneck"): Shows("told", ".*no attention"),
    ("generation", "side by side"): Shows("fed_back", "probability"),
    ("generation", "one model"): Shows(
        "written", "probability", more="&model=trained&mask=causal&way=greedy&most=12&stops=false"
    ),
    ("generation", "surprisal"): Shows("surprisals", ".*nats"),
    ("classification", "one review"): Shows("contributions", "replacement|gradient.*|attention weight"),
    ("classification", "flips"): Shows(
        "flips", "(RNN|LSTM|Transformer).*", more="&text=the+film+was+not+good+."
    ),
    ("gradients", "distance"): Shows(
        "reach_chart", "Transformer|LSTM|RNN", more="&follow=long+text&reach=50"
    ),
    ("gradients", "gates"): Shows("gates_map", "unit.*"),
    ("gradients", "clipping"): Shows(
        "steps_chart", "before clipping|never clipped", more="&scale_of_weights=2"
    ),
    ("training", "training"): Shows("trained_attention"),
    ("explorer", "heads"): Shows("matrix", more="&show=one+head&drawn=matrix"),
    ("explorer", "hiding"): Shows("hiding", "change if hidden"),
    ("explorer", "probabilities"): Shows("logits", "logit|probability", 8, "&model=trained&mask=causal"),
}

COMPARED_ELSEWHERE: dict[View, str] = {
    ("step-by-step", "one head"): "stage by stage, in test_forward.py",
    ("heads", "reshape"): "it prints what the stage q prints, of all heads",
    ("heads", "how many"): "in test_other_models.py",
    ("architectures", "encoder or decoder"): "names, shapes and norms, in tests/pages/test_architectures.py",
    ("architectures", "encoder–decoder"): "names, shapes and norms, in tests/pages/test_architectures.py",
    ("architectures", "recurrent"): "names, shapes and norms, in tests/pages/test_architectures.py",
    ("translation", "knock out"): "words, in tests/pages/test_translation.py",
    ("generation", "memory"): "it prints what its measure returns, in test_other_models.py",
    ("explorer", "compare"): "it is the program of the view heads",
    ("explorer", "head scores"): "it is the program of the view heads",
    ("explorer", "similarity"): "it needs a pretrained model, in test_other_models.py",
}
"""Views whose numbers are in no table, or not those of the program alone, and what compares them."""

WITHOUT_PROGRAM: set[View] = {
    *((name, name) for name in ("exam", "glossary", "lecture", "models", "sources")),
    *(("", "home"), ("interaction-distance", "cost"), ("interaction-distance", "long range")),
    ("order-invariance", "who did what to whom"),
}

LINKS: dict[View, list[str]] = {}
for _link in FILE.read_text("utf-8").splitlines():
    _parts = urlsplit(_link)
    LINKS.setdefault((_parts.path.strip("/"), dict(parse_qsl(_parts.query))["view"]), []).append(_link)


def all_in_order(wanted: np.ndarray, found: np.ndarray) -> bool:
    """Return whether all finite numbers are among those found, in the same order."""
    at = 0
    for one in wanted[np.isfinite(wanted)]:
        here = np.flatnonzero(np.abs(found[at:] - one) <= max(TOLERANCE, TOLERANCE * abs(one)))
        if not len(here):
            return False
        at += int(here[0]) + 1
    return True


@pytest.mark.parametrize("view", SHOWN, ids=" ".join)
def test_the_program_prints_the_numbers_of_the_view(view: View) -> None:
    shows = SHOWN[view]
    # The third link has other values of all controls than the first.
    link = LINKS[view][min(2, len(LINKS[view]) - 1)] + shows.more
    asked = Asked(view[0], **dict(parse_qsl(urlsplit(link).query)))
    table = asked.table(shows.picture)[: shows.n_rows]
    table = table[[name for name in table if re.fullmatch(shows.columns or ".*", str(name))]]
    wanted = table.to_numpy(dtype=float)
    assert np.nanmax(wanted) - np.nanmin(wanted) > 0.01, "numbers that are all alike compare nothing"

    heading = asked.code.partition('"""')[2].partition('"""')[0]
    for name, number in re.findall(r"^(layer|head) = (\d+)$", asked.code, re.MULTILINE):
        assert f"{name} {int(number) + 1}" in heading or f"{name} " not in heading
    found = numbers_in(printed(asked.code, alone=False))

    assert all_in_order(wanted.ravel(), found) or all_in_order(wanted.T.ravel(), found), link


def test_every_view_is_compared_or_named_here() -> None:
    views = {(address, name) for address, page in PAGES.items() for name in page.views}
    assert views == SHOWN.keys() | COMPARED_ELSEWHERE.keys() | WITHOUT_PROGRAM
