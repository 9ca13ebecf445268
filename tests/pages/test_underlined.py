"""Terms are underlined where a sheet first uses them, and nothing else of its texts changes."""

from pages.contract.prose import Typed
from pages.contract.sheet import Columns, Fold, Sheet, Text
from pages.sheet import build_sheet
from pages.terms import TERMS
from pages.terms.underlined import MOST_IN_HEADLINE, MOST_IN_ONE, TermLinker, underlined
from tests.covering import each
from tests.pages.session import Session, not_underlined


def linked(text: str, name: str) -> str:
    return f'[{text}]({TERMS[name].entry} "{TERMS[name].sentence}")'


def test_the_first_use_of_a_term_is_linked_and_no_other() -> None:
    pen = TermLinker("")
    assert pen.underlined("A softmax is a softmax.") == f"A {linked('softmax', 'softmax')} is a softmax."
    assert pen.underlined("Softmax again.") == "Softmax again."


@each(
    ("text", "spelled", "name"),
    [
        ("Queries come first.", "Queries", "query"),
        ("Two LSTMs read.", "LSTMs", "LSTM"),
        ("A pre-norm block.", "pre-norm", "pre-norm"),
        ("It ends with NaN.", "NaN", "NaN"),
    ],
)
def test_a_term_is_found_in_its_longest_spelling(text: str, spelled: str, name: str) -> None:
    assert linked(spelled, name) in TermLinker("").underlined(text)


@each(
    "text",
    [
        "Of `softmax(scores)` in code.",
        "```\nthe softmax\n```",
        r"It is $\text{softmax}(s)$ here.",
        "See [the softmax](/scaling).",
        "*softmax* in emphasis, **softmax** in bold, **a *head* of them**.",
        "## Softmax",
        "| softmax | head |",
        ":material/head: <head>",
        r"\<softmax\-head\>",
        "softmaxed, pre-softmax, soft/head, v1.head and nan",
    ],
)
def test_only_prose_is_underlined(text: str) -> None:
    assert TermLinker("").underlined(text) == text


def test_a_term_within_a_directive_is_linked_and_the_link_beside_it_stays() -> None:
    said = TermLinker("").underlined(":small[Softmax, see [the logit](/scaling) and :red[seed].]")
    softmax, seed = linked("Softmax", "softmax"), linked("seed", "seed")
    assert said == f":small[{softmax}, see [the logit](/scaling) and :red[{seed}].]"
    assert not_underlined(said) == ":small[Softmax, see [the logit](/scaling) and :red[seed].]"


def test_no_typed_word_is_underlined() -> None:
    typed = Typed("softmax")
    assert (
        TermLinker("", ["Softmax"]).underlined(f"The word {typed} is said.") == f"The word {typed} is said."
    )
    both = TermLinker("", ["attention"]).underlined("attention and attention weight")
    assert both == f"attention and {linked('attention weight', 'attention weight')}"


def test_a_term_of_another_sense_needs_its_neighbour() -> None:
    assert TermLinker("the cell of a matrix").underlined("The cell") == "The cell"
    assert TermLinker("the cell of an LSTM").underlined("The cell") == f"The {linked('cell', 'cell')}"


def test_a_text_with_many_terms_has_a_few_underlined_and_leaves_the_others_to_the_next() -> None:
    names = ["softmax", "logit", "entropy", "surprisal", "perplexity", "seed"]
    pen = TermLinker("")
    first, second = (pen.underlined(", ".join(names)) for _ in range(2))
    assert [first.count("]("), second.count("](")] == [MOST_IN_ONE, len(names) - MOST_IN_ONE]
    assert linked("seed", "seed") in second


def test_a_sheet_is_underlined_in_the_order_in_which_it_is_read() -> None:
    inner = Fold("How", (Text("A softmax, a logit."),))
    parts = (inner, Columns(((Text("The softmax.", "remark"),), (Text("Entropy."),))))
    found = underlined(Sheet(headline="Softmax, seed, entropy.", parts=parts))

    assert found.headline.count("](") == MOST_IN_HEADLINE
    fold, columns = found.parts
    assert isinstance(columns, Columns)
    assert isinstance(fold, Fold)
    assert columns.columns == ((Text("The softmax.", "remark"),), (Text(f"{linked('Entropy', 'entropy')}."),))
    assert fold.parts == (Text(f"A softmax, a {linked('logit', 'logit')}."),)


def test_visible_text_comes_before_folded_text() -> None:
    found = underlined(Sheet(parts=(Fold("How", (Text("A logit."),)), Text("A logit."))))
    assert found.parts == (Fold("How", (Text("A logit."),)), Text(f"A {linked('logit', 'logit')}."))


def test_parts_that_a_fold_makes_are_underlined_when_it_is_opened() -> None:
    n_made = 0

    def make() -> tuple[Text, ...]:
        nonlocal n_made
        n_made += 1
        return (Text("The cell of an LSTM, a softmax."),)

    found = underlined(Sheet(parts=(Fold("How", make), Text("A softmax."))))
    (fold, _) = found.parts
    assert isinstance(fold, Fold)
    assert n_made == 0, "the fold is closed"
    opened = Text(f"The {linked('cell', 'cell')} of an {linked('LSTM', 'LSTM')}, a softmax.")
    assert fold.parts == fold.parts == (opened,)
    assert n_made == 1


def test_a_page_has_the_links_and_the_command_line_has_none() -> None:
    session = Session("masking")
    said = [one.value for one in session.app.markdown]
    assert [one for one in said if linked("softmax", "softmax") in one]
    assert not [one for one in map(not_underlined, said) if "/glossary" in one]
    assert "/glossary" not in str(build_sheet("/masking").sheet)


def test_a_term_that_is_typed_is_underlined_nowhere_on_the_page() -> None:
    session = Session("masking", text="the softmax of a mask")
    assert not [one.value for one in session.app.markdown if "/glossary?term=softmax" in one.value]
