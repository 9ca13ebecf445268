"""A flip changes one thing in a review, and its label follows the rules of the language."""

from core.measures.classification.flips import flips
from core.measures.classification.reviews import by_the_rules
from core.text.language.parsing import readings
from core.text.language.review_parts import parts_of
from tests.core.text.language.samples import sample, words
from tests.covering import each

BUT = "the acting was good but the story was boring ."


def changed(text: str) -> dict[str, str]:
    """Return the flips but the first, which is the text as it was typed."""
    return {flip.what: " ".join(flip.words) for flip in flips(words(text))[1:]}


@each(
    ("text", "expected"),
    [
        (
            BUT,
            {
                "+ negation": "the acting was good but the story was not boring .",
                "+ intensifier": "the acting was good but the story was very boring .",
                "− contrast": "the story was boring .",
                "exchanged": "the story was boring but the acting was good .",
            },
        ),
        (
            "although the soup was not bland , the cakes were really stale .",
            {
                "+ negation": "although the soup was not bland , the cakes were not really stale .",
                "− intensifier": "although the soup was not bland , the cakes were stale .",
                "− contrast": "the cakes were really stale .",
                "exchanged": "although the cakes were really stale , the soup was not bland .",
            },
        ),
        (
            "i did not enjoy the dinner .",
            {
                "− negation": "i enjoyed the dinner .",
                "+ intensifier": "i did not really enjoy the dinner .",
                "+ contrast": "i did not enjoy the dinner but the dessert was delicious .",
            },
        ),
        (
            "i loved the film",
            {
                "+ negation": "i never loved the film",
                "+ intensifier": "i really loved the film",
                "+ contrast": "i loved the film but the ending was boring .",
            },
        ),
        (
            "the film was not only dull but also slow .",
            {
                "+ intensifier": "the film was not only dull but also very slow .",
                "+ contrast": "the film was not only dull but also slow but the ending was great .",
            },
        ),
        ("the dog sleeps .", {}),
    ],
)
def test_flips_insert_and_delete_words(text: str, expected: dict[str, str]) -> None:
    assert changed(text) == expected
    assert [" ".join(flip.words) for flip in flips(words(text)) if flip.what == "as typed"] in ([text], [])


def test_the_label_by_the_rules_agrees_with_the_language() -> None:
    for review in sample("review"):
        assert by_the_rules(parts_of(review.words)) == review.label, " ".join(review.words)


def test_flips_that_the_language_contains_have_its_label() -> None:
    found = [
        (flip, reading)
        for review in sample("review")[:40]
        for flip in flips(review.words)
        for reading in readings(flip.words)
    ]
    assert len(found) > 80
    assert all(reading.label == flip.label for flip, reading in found)
