"""The sentence box: what is typed is kept and shown literally; what cannot be shown gets a sentence."""

import pytest

from core.text.tokenizer import words_of
from pages.contract.examples import EXAMPLES, OVEN, PRAISED, TEA
from pages.contract.prose import literal
from pages.contract.words import UNKNOWN_MARK
from pages.controls.known_words import RANDOM
from tests.pages.asked import Asked
from tests.pages.session import Session

PAGES = ("explorer", "interaction-distance", "order-invariance")
DEFAULTS = {"explorer": PRAISED, "interaction-distance": TEA, "order-invariance": OVEN}

LONGEST = " ".join(f"w{i}" for i in range(256))


def words_of_axis(figure: dict) -> list[str]:
    """The words beside a matrix, as Plotly gets them, but for the mark of the unknown."""
    return [word.removesuffix(UNKNOWN_MARK) for word in figure["layout"]["yaxis"]["ticktext"]]


@pytest.mark.parametrize("address", PAGES)
def test_a_page_opens_with_its_own_sentence(address: str) -> None:
    session = Session(address)

    assert session.value("text") == DEFAULTS[address]
    assert f"{len(words_of(DEFAULTS[address]))} of 256 words" in session.prose


def test_an_empty_box_says_what_to_do_and_shows_no_picture() -> None:
    """Here by hand: every view is given an empty box by a link in `contract/test_every_link.py`."""
    session = Session()
    for text in ("", "   ", "\u200b"):
        session.set(text=text)

        assert session.infos == ["The sentence is empty: type at least one word."]
        assert session.pictures == []
        assert session.value("text") == text


def test_257_words_are_one_too_many_and_stay_in_the_box() -> None:
    session = Session()
    session.set(text=f"{LONGEST} more")

    (warning,) = session.warnings
    assert "sentences of up to 256 words; the sentence has 257." in warning
    assert "Take 1 away" in warning
    assert session.pictures == []
    assert session.value("text") == f"{LONGEST} more"


@pytest.mark.parametrize("text", ["hi", "?!", "…", "🙂", "א", "猫"])
def test_a_word_or_a_sign_alone_is_a_sentence(text: str) -> None:
    session = Asked(view="heads", text=text, query=1, key=1)

    assert session.warnings == session.infos == []
    assert session.pictures


def test_typed_markup_reaches_the_lines_as_text() -> None:
    session = Asked(view="heads", drawn="lines", text="<b>bold</b>", model="random")

    assert session.drawing("lines")["words"] == list(words_of("<b>bold</b>"))


def test_every_example_is_one_click_away() -> None:
    session = Session(text="something else", view="heads")

    for at, example in enumerate(EXAMPLES):
        session.element(f"example_{at}").click()
        session.run()

        assert session.value("text") == example
        assert words_of_axis(session.figure("matrix")) == list(words_of(example))


def test_an_example_that_trained_models_do_not_know_says_so() -> None:
    session = Session()
    marked = [at for at in range(len(EXAMPLES)) if UNKNOWN_MARK in session.element(f"example_{at}").label]

    assert [EXAMPLES[at] for at in marked] == ["Så varför minskar inte vi våra utsläpp?"]
    assert "Trained models do not know 7 of its 8 words." in session.element(f"example_{marked[0]}").help


def test_what_was_typed_can_be_had_back() -> None:
    session = Session(view="heads")
    session.set(text="the **old** king sings")
    session.press("So why …")
    session.press("the oven …")
    assert session.value("text") == OVEN
    assert literal("the **old** king sings") in session.element("way_back").help

    session.element("way_back").click()
    session.run()

    assert session.value("text") == "the **old** king sings"
    assert not session.has("way_back")


def test_examples_are_not_kept_as_typed() -> None:
    session = Session(view="heads")
    session.press("So why …")
    session.press("the oven …")
    assert not session.has("way_back")


def test_a_near_known_word_is_put_in_by_one_click() -> None:
    session = Session(text="Zuko praised the catt, the catt.", view="heads")
    assert "**catt**†: not among the words that the model has learned" in session.prose

    session.press("cat for catt?")

    assert session.value("text") == "Zuko praised the cat, the cat."
    assert "not among the words" not in session.prose
    assert not session.has("known_random")


def test_a_word_is_shown_as_typed_beside_what_is_proposed_for_it() -> None:
    session = Session(text="< > ( ) the store_s", view="heads")
    (label,) = [button.label for button in session.app.button if button.key == "known_0"]

    assert label == rf"stores for {literal('store_s')}?"


def test_at_most_two_words_have_a_proposal_of_the_same_kind_in_the_order_of_the_sentence() -> None:
    text = "I had the bok and we read the uncl and the storess"
    session = Session(text=text, view="heads")
    proposed = [button.label for button in session.app.button if str(button.key).startswith("known_")]
    assert [label for label in proposed if "any word" not in label] == [
        "book for bok?",
        "uncle for uncl?",
        RANDOM,
    ]
    assert not any("any word" in label for label in proposed[1:]), "a real model comes first"


@pytest.mark.parametrize("text", ["Så varför", "Zuko praised xyz"])
def test_random_weights_are_one_click_away_where_a_word_is_unknown(text: str) -> None:
    session = Session(text=text, view="heads")

    session.press(RANDOM)

    assert session.value("model") == "random"
    assert "not among the words" not in session.prose
    assert words_of_axis(session.figure("matrix")) == list(words_of(text))


def test_the_known_words_are_listed_by_kind_when_they_are_asked_for() -> None:
    session = Session()
    assert "**pronouns**" not in session.prose

    session.app.session_state["known_words"] = True
    session.run()

    assert "**pronouns**: he, her, him" in session.prose
    assert "**names**: anna" in session.prose
