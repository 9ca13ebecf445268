"""Every page that asks a position scheme something gets an answer from every one of them.

The tests of this file also run over schemes that were made up: see `tests/test_made_up.py`.
"""

from itertools import cycle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from core.measures.positions.schemes import position_effect
from core.model.config import POSITIONS, ModelConfig, Positions
from core.model.masks import MASKS
from core.model.positions import SCHEMES
from core.sources import load
from pages import EXPLORER
from pages.positions import RICHER
from tests.pages.asked import Asked
from tests.pages.session import computed

TEXT = "the oven cooked bread"

SHIPPED_MASKS = ("causal", "bidirectional", "prefix")

every_scheme = pytest.mark.parametrize("positions", POSITIONS)
ENTERING = [name for name in POSITIONS if SCHEMES[name].injection_point()]


@every_scheme
def test_the_switch_offers_it_and_the_explorer_shows_it(positions: Positions) -> None:
    session = Asked(positions=positions, model="random", text=TEXT, view="heads", head=1, query=3, key=2)
    assert session.value("positions") == positions
    assert session.warnings == []
    reading = computed(TEXT, source="random", positions=positions)
    shown = session.matrix("matrix")
    assert_allclose(np.nan_to_num(shown), reading.pattern(0, 0), atol=1e-6)
    score = reading.calculation(0, 0, 2, 1).score
    ladder = next(one for one in session.latex if "weight" in one)
    assert f"{score:z.3f}" in ladder
    scheme = SCHEMES[positions]
    told = scheme.about_head(0, reading.config).says
    assert (told in session.prose) == (scheme.injection_point() is not None)


@every_scheme
def test_all_schemes_shows_it_and_a_click_opens_its_view(positions: Positions) -> None:
    session = Asked("positions", model="random")
    name = SCHEMES[positions].about.name
    assert name in session.table("schemes")
    texts = [note["text"] for note in session.figure("schemes")["layout"]["annotations"]]
    assert f"<b>{name}</b>" in texts
    assert any(SCHEMES[positions].about.in_brief in text for text in texts)
    if positions in ENTERING:
        session.click("schemes", x=0, y=0, data=POSITIONS.index(positions))
        assert session.value("view") == positions


@pytest.mark.parametrize(("positions", "mask"), list(zip(ENTERING, cycle(SHIPPED_MASKS), strict=False)))
def test_its_view_shows_its_effect(positions: Positions, mask: str) -> None:
    scheme, about = SCHEMES[positions], SCHEMES[positions].about
    link = {"model": "random", "seed": 5} if positions not in RICHER else {}
    session = Asked("positions", view=positions, mask=mask, positions_shown=64, **link)
    assert session.warnings == []
    config = ModelConfig(vocab_size=1, positions=positions, mask=mask)
    values = position_effect(load("random" if link else "trained", config, ["bread"], 5).model, 64)
    if scheme.injection_point() == "bias":
        query = 32 if MASKS[mask].looks_ahead else 63
        shown = session.table("scheme_added")
        for head in range(4):
            row = values[head, query, : None if MASKS[mask].looks_ahead else query + 1]
            assert_allclose(shown[f"head {head + 1}"], row, atol=1e-6)
    else:
        assert_allclose(session.matrix("scheme_added"), values.T, atol=1e-4)
    assert session.latex[0] == about.formula
    for said in (about.source, about.says):
        assert said in session.prose
    if positions not in RICHER:
        assert session.code.startswith(f'"""The effect of {about.title}')


@pytest.mark.parametrize("positions", POSITIONS[POSITIONS.index("relative") :])
def test_every_page_with_the_switch_takes_it(positions: Positions) -> None:
    for page in (EXPLORER.address, "masking", "scaling", "heads", "blocks", "interaction-distance"):
        session = Asked(page, positions=positions)
        assert session.pictures or any("trained" in said for said in session.warnings)
    for size in ("small", "full"):
        assert Asked("step-by-step", positions=positions, size=size, model="random").warnings == []
    session = Asked("order-invariance", model="random", positions=positions)
    assert session.warnings == []
    assert session.pictures
