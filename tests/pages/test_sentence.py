"""The sentence box: typed text is kept and shown literally; an impossible text gets a sentence."""

from core.text.tokenizer import words_of
from pages.contract.examples import EXAMPLES, PRAISED
from pages.contract.prose import literal
from pages.contract.words import UNKNOWN_MARK
from pages.shell.known_words import RANDOM
from tests.covering import each
from tests.pages.session import Session

LONGEST = " ".join(f"w{i}" for i in range(256))


def words_of_axis(figure: dict) -> list[str]:
    """Return the words beside a matrix, as Plotly gets them, without the mark of unknown words."""
    return [word.removesuffix(UNKNOWN_MARK) for word in figure["layout"]["yaxis"]["ticktext"]]


def test_an_empty_box_and_257_words_stay_in_the_box_and_have_a_note() -> None:
    session = Session()
    assert f"{len(words_of(PRAISED))} words (at most 256)" in session.prose
    session.set(text="\u200b")
    assert session.infos == ["The sentence is empty: type at least one word."]
    assert session.pictures == []

    session.set(text=f"{LONGEST} more")
    (warning,) = session.warnings
    assert "sentences of up to 256 words; the sentence has 257." in warning
    assert "Remove 1:" in warning
    assert session.pictures == []
    assert session.value("text") == f"{LONGEST} more"


def test_examples_are_one_click_away_marked_if_unknown_and_known_words_are_listed() -> None:
    session = Session(text="something else", view="heads")
    labels = [session.element(f"example_{at}").label for at in range(len(EXAMPLES))]
    (unknown,) = [at for at, label in enumerate(labels) if UNKNOWN_MARK in label]
    assert EXAMPLES[unknown] == "Så varför minskar inte vi våra utsläpp?"
    assert "Trained models do not know 7 of its 8 words." in session.element(f"example_{unknown}").help
    assert "**pronouns**" not in session.prose

    session.app.session_state["known_words"] = True
    session.element(f"example_{unknown}").click()
    session.run()
    assert session.value("text") == EXAMPLES[unknown]
    assert words_of_axis(session.figure("matrix")) == list(words_of(EXAMPLES[unknown]))
    assert "**pronouns**: he, her, him" in session.prose
    assert "**names**: anna" in session.prose


def test_a_near_known_word_is_put_in_by_one_click() -> None:
    session = Session(text="Zuko praised the catt, the catt.", view="heads")
    assert "**catt**†: not among the words that the model has learned" in session.prose

    session.press("cat for catt?")

    assert session.value("text") == "Zuko praised the cat, the cat."
    assert "not among the words" not in session.prose
    assert not session.has("known_random")


@each(
    ("text", "proposed"),
    [
        ("< > ( ) the store_s", [f"stores for {literal('store_s')}?"]),
        ("I had the bok and we read the uncl and the storess", ["book for bok?", "uncle for uncl?"]),
    ],
)
def test_at_most_two_words_have_a_proposal_in_the_order_of_the_sentence(
    text: str, proposed: list[str]
) -> None:
    session = Session(text=text, view="heads")
    labels = [button.label for button in session.app.button if str(button.key).startswith("known_")]
    assert [label for label in labels if "any word" not in label] == [*proposed, RANDOM]
    assert not any("any word" in label for label in labels[1:]), "a real model comes first"


def test_random_weights_are_one_click_away_where_a_word_is_unknown() -> None:
    session = Session(text="Zuko praised xyz", view="heads")
    session.press(RANDOM)
    assert session.value("model") == "random"
    assert "not among the words" not in session.prose
    assert words_of_axis(session.figure("matrix")) == ["Zuko", "praised", "xyz"]
