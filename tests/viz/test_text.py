"""Typed text stays as it was typed."""

from html import unescape

from tests.covering import each
from viz.text import (
    LONGEST_LABEL,
    em_width,
    fitting_size,
    label,
    literal,
    plain,
    shortened,
    whole_words,
    wrapped,
)

TYPED = [
    "the",
    "<b>x</b>",
    "a & b",
    "&amp;",
    "&lt;i&gt;",
    "<a href='javascript:alert(1)'>y</a>",
    "%{x}",
    "naïve",
]


@each("typed", TYPED)
def test_literal_text_reads_as_the_characters_typed(typed: str) -> None:
    assert unescape(literal(typed)) == typed


def test_a_typed_dollar_begins_no_formula() -> None:
    assert "$" not in literal("$x^2$")
    assert unescape(literal("$x^2$")) == "$x^2$"


def test_line_breaks_become_spaces() -> None:
    assert literal("the\noven \t so") == "the oven so"


def test_a_character_that_would_turn_the_direction_is_made_visible() -> None:
    assert plain("\u202eevil\u202c") == "�evil�"
    assert plain("a\u2066b\x00") == "a�b�"


def test_characters_that_join_others_are_kept() -> None:
    joined = "\N{WOMAN}\u200d\N{WOMAN}"
    assert plain(joined) == joined


@each("word", ["שלום", "عالم"])
def test_a_word_from_right_to_left_is_isolated_from_its_neighbours(word: str) -> None:
    assert literal(word) == f"\u2068{word}\u2069"


@each("blank", ["", " ", "\n"])
def test_a_word_of_white_space_has_a_label_that_can_be_seen(blank: str) -> None:
    assert label(blank) == "␣"


@each("word", ["Donaudampfschifffahrtsgesellschaft", "W" * 40, "i" * 80, "私" * 20])
def test_a_long_label_is_cut_to_its_room(word: str) -> None:
    shown = shortened(word)
    assert em_width(shown) <= LONGEST_LABEL
    assert shown.endswith("…")
    assert word.startswith(shown[:-1])


@each(("room", "size"), [(400, 19), (320, 17), (250, 15)])
def test_a_title_with_little_room_is_smaller_before_it_is_cut(room: int, size: int) -> None:
    title = "Change of states without each head"  # 18.33 em
    assert fitting_size(title, room, usual=19, smallest=15) == size
    assert (shortened(title, longest=room / size) == title) == (18.33 * size <= room)


def test_a_label_is_cut_before_it_is_made_literal() -> None:
    assert label("<" * 60).count("&lt;") == len(shortened("<" * 60)) - 1


# Advance widths in em, read from Arial, the widest font of the family the figures name.
ARIAL = {"The": 1.723, "blackberries": 5.444, "WWWWW": 4.72, "illicit": 1.944, "0.26": 1.946, "−3.24": 2.53}


@each("text", ARIAL)
def test_the_estimated_width_leaves_room_enough_but_not_much_more(text: str) -> None:
    assert ARIAL[text] <= em_width(text) <= 1.6 * ARIAL[text]


def test_invisible_characters_have_no_width() -> None:
    assert em_width("e\u0301") == em_width("e")
    assert em_width("a\u200db") == em_width("ab")


def test_a_sentence_is_cut_between_its_words_and_its_first_word_where_that_is_too_long() -> None:
    sentence = "went to the  stores"
    assert whole_words(sentence, longest=em_width("went to the stores")) == "went to the stores"
    assert whole_words(sentence, longest=em_width("went to the stores") - 0.01) == "went to the …"
    assert whole_words(sentence, longest=em_width("went to …")) == "went to …"
    assert whole_words(sentence, longest=em_width("we…")) == "we…"


def test_a_text_is_wrapped_between_its_words_and_no_word_is_cut() -> None:
    text = "a head that attends equally to all"
    assert wrapped(text, em_width(text)) == [text]
    assert wrapped(text, em_width("a head that") + 0.01) == ["a head that", "attends", "equally to", "all"]
    assert wrapped(text, 1) == text.split()
    spoken = "the chef , who ran , is tired ."
    assert wrapped(spoken, em_width("the chef")) == ["the", "chef ,", "who", "ran , is", "tired ."]
