"""A slide, and a question of a step, are read from a file and refused with the line and the reason."""

from base64 import b64encode
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from pages.lecture.deck import Deck, deck_of, packed, read_deck, unpacked, write_deck
from pages.lecture.deck_file import DeckError
from pages.lecture.listing import as_data
from pages.lecture.slide_picture import MOST_PICTURE_BYTES, bytes_of, name_in_browser
from pages.lecture.step import SLIDES, LectureStep
from tests.covering import each


def picture(kind: str = "PNG", size: tuple[int, int] = (4, 3), name: str = "") -> str:
    """Return a picture as a data URL, of the kind that it is or under the name of another."""
    written = BytesIO()
    Image.new("RGB", size, "#0072B2").save(written, kind)
    return f"data:image/{name or kind.lower()};base64,{b64encode(written.getvalue()).decode()}"


LECTURE = f"""title = "Slides"

[[step]]
kind = "title"
title = "Attention"
text = "For *everybody*"

[[step]]
kind = "agenda"
title = "Today"
text = '''
1. Scores
2. Weights'''

[[step]]
kind = "text"
text = "A word looks back."
notes = "Wait."
question = "Where to?"
answer_kind = "words"
covered = true

[[step]]
kind = "formula"
formula = "\\\\mathrm{{softmax}}(QK^\\\\top)"

[[step]]
kind = "picture"
picture = "{picture()}"

[[step]]
kind = "end"

[[step]]
link = "/masking"
sentence = "none"
question = "Which word?"
answer_kind = "choice"
options = ["tea", "the \\"cat\\""]
right = "the \\"cat\\""

[[step]]
link = "/explorer"
sentence = "Each line is a weight."
question = "Draw the weights."
answer_kind = "drawing"
options = ["hot", "tea"]
right = "40 60.5"
"""


def test_slides_and_questions_are_read_and_written_without_loss() -> None:
    deck = read_deck(LECTURE)
    assert [step.kind for step in deck.steps] == [*SLIDES, "", ""]
    assert deck.steps[3].formula == r"\mathrm{softmax}(QK^\top)"
    choice, drawing = deck.steps[-2:]
    assert (choice.right_option, choice.right_numbers) == (1, ())
    assert (drawing.right_option, drawing.right_numbers) == (None, (40, 60.5))
    assert read_deck(write_deck(deck)) == deck
    deck = replace(deck, about="For beginners.")
    assert deck_of(as_data(deck)) == deck


def test_a_link_names_the_pictures_that_only_a_browser_has() -> None:
    deck = read_deck(LECTURE)
    held = unpacked(packed(deck))
    assert held.steps[4].picture == name_in_browser(deck.steps[4].picture) != deck.steps[4].picture
    assert replace(held, steps=(*held.steps[:4], deck.steps[4], *held.steps[5:])) == deck
    assert packed(held) == packed(deck)
    other = replace(deck.steps[4], picture=picture(size=(5, 3)))
    assert name_in_browser(other.picture) != held.steps[4].picture


def asked(fields: str) -> LectureStep:
    return read_deck(f"[[step]]\nlink = '/'\nquestion = 'Q'\n{fields}").steps[0]


@each(
    ("fields", "kind", "right"),
    [
        ("options = ['a', 'b']", "choice", ""),
        ("options = ['a', 'b']\nright = 2", "choice", "b"),
        ("options = ['a', 'b']\nright = '1'", "choice", "a"),
        ("options = [ # the choices\n  'a',\n  'b', # the last\n]\nright = 'a'", "choice", "a"),
        ("answer_kind = 'number'\nright = -1.5", "number", "-1.5"),
        ("answer_kind = 'number'\nright = '1e3'", "number", "1e3"),
        ("answer_kind = 'order'\noptions = ['a', 'b', 'c']", "order", ""),
        ("answer_kind = 'drawing'\noptions = ['a', 'b']\nright = [1, 2.5]", "drawing", "1 2.5"),
        ("answer_kind = 'words'", "words", ""),
        ("", "", ""),
    ],
)
def test_a_question_says_how_it_is_answered(fields: str, kind: str, right: str) -> None:
    step = asked(fields)
    assert (step.answer_kind, step.right) == (kind, right)
    assert read_deck(write_deck(Deck("", (step,)))).steps == (step,)


@each(
    ("fields", "reason"),
    [
        ("answer_kind = 'choice'", "Line 4, step 1: the answer_kind choice needs options."),
        (
            "answer_kind = 'number'\noptions = ['1', '2']",
            "Line 4, step 1: the answer_kind number has no options.",
        ),
        ("options = ['a']", "Line 4, step 1: a question has from 2 to 12 options, got 1."),
        ("options = ['a', 'a']", "Line 4, step 1: two of the options are the same."),
        (f"options = ['a', '{'b' * 121}']", "Line 4, step 1: options has at most 120 characters, got 121."),
        ("options = 'a, b'", "Line 4, step 1: options has to be a list of texts"),
        ("options = ['a', 2]", 'Line 4: options has to be a list of texts, as in ["one", "two"], got “2]”.'),
        ("options = ['a',\n\n'b'", "Line 4: options has a list that begins with [ and does not end."),
        (
            "options = ['a', 'b']\nright = 3",
            "Line 5, step 1: right has to be one of the options, or its number",
        ),
        ("right = 3", "Line 4, step 1: right needs options or an answer_kind."),
        ("answer_kind = 'number'\nright = 'many'", "Line 5, step 1: right has to be a number."),
        ("answer_kind = 'number'\nright = 'nan'", "Line 5, step 1: right has to be a number."),
        ("answer_kind = 'number'\nright = '1e999'", "Line 5, step 1: right has to be a number."),
        (
            "answer_kind = 'words'\nright = 'a'",
            "Line 5, step 1: right must be left out where the room answers with",
        ),
        (
            "answer_kind = 'order'\noptions = ['a', 'b']\nright = 'a'",
            "Line 6, step 1: right must be left out of an order: write the options in the right order",
        ),
        (
            "answer_kind = 'drawing'\noptions = ['a', 'b']\nright = [1]",
            "Line 6, step 1: right has to be a list of numbers from 0 on, one for each option.",
        ),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_with_its_line(fields: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        asked(fields)
    assert str(refused.value).startswith(reason)


def test_options_need_a_question() -> None:
    with pytest.raises(DeckError, match=r"^Line 3, step 1: options needs a question\.$"):
        read_deck("[[step]]\nlink = '/'\noptions = ['a', 'b']")


SCRIPT = b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
NOT_READ = "Line 3, step 1: picture has to be a PNG, JPEG or WebP as data:image/png;base64,…."


@each(
    ("fields", "reason"),
    [
        (
            "kind = 'video'",
            "Line 2, step 1: kind has to be title, agenda, text, formula, picture or end, got",
        ),
        (
            "kind = 'text'\nlink = '/masking'",
            "Line 2, step 1: a step has a link or a kind of slide, not both.",
        ),
        ("kind = 'title'", "Line 1, step 1: a slide of the kind title needs the field title."),
        (
            "kind = 'end'\nsentence = 'a'",
            "Line 3, step 1: sentence is not a field of a slide of the kind end.",
        ),
        ("link = '/'\ntext = 'a'", "Line 3, step 1: text belongs to a slide, and this step has a link."),
        (
            "kind = 'text'\ntext = '![a](https://b.example/c.png)'",
            "Line 3, step 1: text has a picture, ![…]:",
        ),
        ("kind = 'picture'\npicture = 'https://b.example/c.png'", NOT_READ),
        ("kind = 'picture'\npicture = 'javascript:alert(1)'", NOT_READ),
        (f"kind = 'picture'\npicture = 'data:image/svg+xml;base64,{SCRIPT}'", NOT_READ),
        (f"kind = 'picture'\npicture = 'data:text/html;base64,{SCRIPT}'", NOT_READ),
        (
            f"kind = 'picture'\npicture = 'data:image/png;base64,{SCRIPT}'",
            "Line 3, step 1: picture is no PNG that",
        ),
        (
            f"kind = 'picture'\npicture = '{picture(name='jpeg')}'",
            "Line 3, step 1: picture is no JPEG that can",
        ),
        (
            f"kind = 'picture'\npicture = '{picture(size=(4000, 3001))}'",
            "Line 3, step 1: picture has more than 12 million pixels: make it smaller.",
        ),
        (
            f"kind = 'picture'\npicture = 'data:image/png;base64,{'A' * (4 * MOST_PICTURE_BYTES // 3 + 60)}'",
            "Line 3, step 1: picture has more than 150 KB: make it smaller.",
        ),
    ],
)
def test_a_slide_that_cannot_be_shown_is_refused_with_its_line(fields: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(f"[[step]]\n{fields}")
    assert str(refused.value).startswith(reason)


@each("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_of_each_kind_is_taken(kind: str) -> None:
    (step,) = read_deck(f"[[step]]\nkind = 'picture'\npicture = '{picture(kind)}'").steps
    with Image.open(BytesIO(bytes_of(step.picture))) as image:
        assert (image.format, image.size) == (kind, (4, 3))
