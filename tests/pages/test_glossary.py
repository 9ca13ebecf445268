"""The glossary: every term has one plain sentence and a view that shows it, and a search finds it."""

import re
from urllib.parse import quote

import torch
from torch.nn.functional import one_hot

from core.learning.checkpoints import build
from core.model.config import ModelConfig
from core.model.trace import Trace
from pages.contract.prose import JOINER
from pages.contract.sheet import Table, Text
from pages.sheet import build_sheet
from pages.terms import TERMS
from pages.terms.spelled import every_spelling, term_of
from pages.terms.term import escaped
from tests.covering import each
from tests.formulas import drawn, equations, value
from tests.pages.words_used import said_in

PAGE = "glossary"


def entries(link: str = "") -> list[str]:
    """Return the names in the table that a link leads to."""
    parts = build_sheet(f"/{PAGE}{link}").sheet.parts
    written = "\n".join(str(part.data) for part in parts if isinstance(part, Table))
    return [
        re.sub(r"\\(.)", r"\1", name) for name in re.findall(r"^\| \*\*\[(.+?)\]\(/glossary", written, re.M)
    ]


def test_every_name_leads_to_its_own_entry() -> None:
    assert [name for name, term in TERMS.items() if term_of(name) is not term] == []
    assert term_of("key x") is None, "it begins with one"


def test_the_entries_stand_in_the_order_of_the_alphabet() -> None:
    found = entries()
    assert found == list(TERMS)
    assert found.index("ablation") < found.index("ALiBi") < found.index("attention") < found.index("Verano")


OF_RECURRENT_MODELS = [
    "/architectures?view=recurrent",
    "/architectures?view=recurrent&network=with+attention",
    "/translation?view=cross-attention&translator=LSTM",
    "/translation?view=bottleneck",
    "/generation?view=memory&writer=LSTM",
    "/gradients?view=gates",
    "/gradients?view=distance&follow=Jacobians",
]
"""Views of recurrent models."""

OF_ONE_ARCHITECTURE = {
    "Transformer": "what it is",
    "position scheme": "only a Transformer has one",
    "residual stream": "only a Transformer has one",
    "block": "only a Transformer has them",
}
"""Terms of Transformers alone that such a view may use beside the recurrent model."""


def terms_used(link: str) -> set[str]:
    """Return the terms of the sentences of a view, without its formulas."""
    found = every_spelling().findall("\n".join(said_in(build_sheet(link).sheet)))
    return {term.name for term in map(term_of, found) if term is not None}


def test_an_entry_that_views_of_recurrent_models_use_is_not_about_transformers_alone() -> None:
    used = set().union(*map(terms_used, OF_RECURRENT_MODELS)) - set(OF_ONE_ARCHITECTURE)
    assert {"encoder", "decoder", "state", "attention"} <= used
    for name in used:
        sentence = TERMS[name].sentence
        assert "Transformer" not in sentence or re.search("recurrent|RNN|LSTM", sentence), sentence


def test_one_word_vector_is_a_row_in_all_formulas_of_the_glossary() -> None:
    formulas = "\n".join(term.formula for term in TERMS.values())
    assert re.findall(r"(?<![A-Za-z])[A-Z](?:_\d)?(?:\^\\top)?\s?[a-z]_[ijt]", formulas) == [], "a column"
    assert (TERMS["key"].formula, TERMS["embedding"].formula) == ("k_j = x_j K", "e = w E")


def test_an_entry_gives_its_reason_below_its_sentence() -> None:
    reasoned = [term for term in TERMS.values() if term.reason]
    assert len(reasoned) > 50
    for term in reasoned[:5]:
        first = build_sheet(term.entry).sheet.parts[0]
        assert isinstance(first, Text)
        assert first.markdown == escaped(term.reason)
    assert "softmax" in entries("?term=nothing to follow"), "a search finds a reason too"


UNITS = {"loss": "nats", "surprisal": "nats", "entropy": "bits"}


def test_a_measure_of_information_names_the_unit_of_its_formula() -> None:
    for name, unit in UNITS.items():
        assert unit in TERMS[name].sentence
        assert ("\\log_2" in TERMS[name].formula) == (unit == "bits")


@each("name", [*TERMS][::6])
def test_the_link_of_an_entry_leads_to_it_alone(name: str) -> None:
    found = build_sheet(TERMS[name].entry).sheet
    assert found.headline == TERMS[name].markdown
    place = found.parts[bool(TERMS[name].reason)]
    assert isinstance(place, Text)
    assert TERMS[name].place in place.markdown
    assert TERMS[name].place.endswith(f"]({TERMS[name].view.path})"), "with the parameters of its link"
    assert name not in entries(TERMS[name].entry.removeprefix(f"/{PAGE}"))


@each(
    ("searched", "name"),
    [
        ("queries", "query"),
        ("KEY", "key"),
        ("relu", "ReLU"),
        ("pre", "pre-norm"),
        ("RNNs", "recurrent network"),
    ],
)
def test_a_term_is_found_in_each_of_its_spellings(searched: str, name: str) -> None:
    assert build_sheet(f"/{PAGE}?term={searched}").sheet.headline == TERMS[name].markdown


def test_a_search_finds_names_before_sentences() -> None:
    found = entries("?term=gradient")
    named = [any("gradient" in spelling for spelling in TERMS[name].spellings) for name in found]
    assert named == sorted(named, reverse=True)
    assert not all(named)


@each("searched", ["![](http://x)", "<b>", "$x$", "**z**", "nothing of this"])
def test_a_search_without_an_entry_is_quoted_as_typed(searched: str) -> None:
    found = build_sheet(f"/{PAGE}?term={quote(searched)}").sheet
    assert re.sub(r"\\(.)", r"\1", found.headline.replace(JOINER, "")) == f"No entry has *{searched}*."
    assert searched == "nothing of this" or searched not in found.headline
    assert found.parts == ()


@each(("scale", "bias"), [(None, False), (2.5, True)])
def test_formulas_of_embedding_and_logit_hold_for_every_model(scale: float | None, bias: bool) -> None:
    config = ModelConfig(vocab_size=11, d_model=12, n_layers=1, embed_scale=scale, output_bias=bias)
    model, trace, tokens = drawn(build(config)), Trace(), torch.tensor([[3, 1, 4]])
    with torch.no_grad():
        model(tokens, trace=trace)
    y, rows = trace["logits"], model.embed.weight[tokens].detach()
    named = {"e": rows, "x": trace["embed"], "E": model.embed.weight, "y": y, "p": y.softmax(-1)}
    named |= {"w": one_hot(tokens, 11).double(), "h": trace["norm"], r"W_\text{out}": model.unembed.weight.T}
    for name in ("embedding", "logit"):
        ((left, right),) = equations(TERMS[name].formula).items()
        torch.testing.assert_close(value(right, named), named[left])
