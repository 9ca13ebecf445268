"""Every switch of the sidebar says what it is for, and what the terms are that it sets."""

from core.model.masks import MASKS
from core.model.positions import SCHEMES
from pages.contract.ask import SIDEBAR, Ask
from pages.contract.common_controls import scene_of
from pages.contract.items import Control
from pages.contract.link_parameters import LinkParameters
from pages.contract.parameters import PARAMETERS
from pages.terms import TERMS, explained
from pages.terms.term import escaped
from tests.covering import each
from tests.views import PAGES

SWITCHED = {"explorer": "heads", "translation": "cross-attention"}


@each("address", SWITCHED)
def test_every_control_in_the_sidebar_has_its_sentence(address: str) -> None:
    ask = Ask(LinkParameters({"view": [SWITCHED[address]]}))
    scene_of(ask, PAGES[address])
    asked = [item for item in ask.items[SIDEBAR] if isinstance(item, Control)]
    assert asked
    for one in asked:
        assert one.help is not None
        assert one.help.startswith(escaped(PARAMETERS[one.parameter.name].meaning))


def test_a_switch_explains_its_options() -> None:
    said = explained(PARAMETERS["norm"])
    assert said.splitlines()[2:] == [
        f"- **pre**: {TERMS['pre-norm'].markdown}",
        f"- **post**: {TERMS['post-norm'].markdown}",
    ]
    assert said.startswith(f"Where the layer norms are. {TERMS['layer norm'].markdown}\n")


def test_a_control_that_sets_a_term_explains_it() -> None:
    for switch in (switch for term in TERMS.values() for switch in term.switches):
        name, _, value = switch.partition("=")
        options = PARAMETERS[name].options
        assert not value or not options or value in options, switch


def test_every_scheme_and_every_mask_has_an_entry() -> None:
    set_by = {switch for term in TERMS.values() for switch in term.switches}
    assert {f"positions={name}" for name in SCHEMES} <= set_by
    assert {f"mask={name}" for name in MASKS} <= set_by
