"""A deck is read and written without loss, and one that is wrong is refused with the line and the reason."""

import tracemalloc
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.lecture import deck as module
from pages.lecture.deck import (
    MOST_BYTES,
    MOST_STEPS,
    Deck,
    DeckError,
    Step,
    deck_named,
    deck_of,
    packed,
    read_deck,
    unpacked,
    write_deck,
)
from tests.covering import each

WHOLE = Step("/masking?view=paint", "Masks", "Say this.\nThen that.", "Which words?", covered=True)
DECK = Deck("Of masks", (WHOLE, Step("/explorer")))

TOML = '''title = "Of masks"

[[step]]
link = "/masking?view=paint"
title = "Masks"
notes = """
Say this.
Then that."""
question = "Which words?"
covered = true

[[step]]
link = "/explorer"
'''


def test_a_deck_is_read_from_toml() -> None:
    assert read_deck(TOML) == DECK


def test_a_deck_is_written_to_be_edited_by_hand() -> None:
    assert write_deck(DECK) == TOML


def test_the_ends_of_lines_of_another_system_are_read() -> None:
    assert read_deck("\ufeff" + TOML.replace("\n", "\r\n")) == DECK


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=50)
lines = texts.filter(lambda text: "\n" not in text)
steps = st.builds(
    Step,
    link=st.sampled_from(["/", "/explorer?text=hot tea", "/masking?view=paint&text=%22"]),
    title=lines,
    notes=texts,
    question=texts,
    covered=st.booleans(),
)
decks = st.builds(Deck, title=lines, steps=st.lists(steps, min_size=1, max_size=4).map(tuple))


@given(decks)
def test_any_text_survives_a_file_and_a_link(deck: Deck) -> None:
    assert read_deck(write_deck(deck)) == deck
    assert unpacked(packed(deck)) == deck


@each(
    "text",
    [
        *(
            '"',
            '""',
            '"""',
            '""""""',
            "'''",
            'ends in "',
            'ends in """',
            "\\",
            "\\n",
            "\\u0041",
            "#",
            "[[step]]",
        ),
        *("\t", "\x00", "\x1f", "\x7f", "\x85", "a\rb", "a\r\nb", "🙂 é", "<b>&amp;</b>", "=", " "),
    ],
)
@each("around", ["{}", "a\n{}", "{}\na", "\n{}\n"])
def test_signs_that_toml_writes_otherwise_survive(text: str, around: str) -> None:
    deck = Deck("", (Step("/", notes=around.format(text)),))
    assert read_deck(write_deck(deck)) == deck


def test_a_packed_deck_fits_an_address() -> None:
    assert packed(DECK).startswith("~")
    assert packed(DECK)[1:].replace("-", "").replace("_", "").isalnum()
    assert len(packed(replace(DECK, steps=DECK.steps * 20))) < 2 * len(packed(DECK))


LINES_BEFORE = """title = "T" # [[step]]

[[step]]
link = "/explorer"
notes = '''
[[step]]
link = 1
'''

[[ step ]]
"""


@each(
    ("lines", "reason"),
    [
        ("", "Line 10, step 2: link is missing."),
        ('title = "T"', "Line 10, step 2: link is missing."),
        ("link = 1", "Line 11, step 2: link has to be a text in quotes, got a number."),
        ("link = 2026-11-24", "Line 11, step 2: link has to be a text in quotes, got a date or a time."),
        (
            'link = "/explorer"\ntitle = true',
            "Line 12, step 2: title has to be a text in quotes, got true or false.",
        ),
        (
            'link = "/explorer"\nnotes = ["a"]',
            "Line 12, step 2: notes has to be a text in quotes, got a list.",
        ),
        (
            'link = "/explorer"\nquestion = 1.5',
            "Line 12, step 2: question has to be a text in quotes, got a number.",
        ),
        (
            'link = "/explorer"\ncovered = "yes"',
            "Line 12, step 2: covered has to be true or false, got a text.",
        ),
        (
            'link = "/explorer"\ncovered = 1',
            "Line 12, step 2: covered has to be true or false, got a number.",
        ),
        (
            'link = "/explorer"\nnote = "a"',
            "Line 12, step 2: note is no field of a step: there are covered, link, notes, question, title.",
        ),
        ('link = "/nowhere?a=1"', "Line 11, step 2: link leads to no page: there is no /nowhere."),
        (
            'link = "/lecture?deck=cs224n"',
            "Line 11, step 2: link leads to a lecture, which cannot be a step of one: “/lecture?deck",
        ),
        ('link = "/explorer"\ntitle = "a\\nb"', "Line 12, step 2: title has to be on one line."),
        (
            f'link = "/explorer"\n\nnotes = "{"n" * 5001}"',
            "Line 13, step 2: notes has at most 5000 characters, got 5001.",
        ),
        (
            f'link = "/explorer"\ntitle = "{"n" * 201}"',
            "Line 12, step 2: title has at most 200 characters, got 201.",
        ),
        ('link = "/explorer"\n[step.more]', "Line 10, step 2: more is no field of a step"),
        ('link = "/explorer"\n[author]\nname = "A"', "Author is no field of a deck: there are step, title."),
    ],
)
def test_what_is_wrong_is_said_with_its_line(lines: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(LINES_BEFORE + lines)
    assert str(refused.value).startswith(reason)


@each(
    "link",
    [
        *(
            "",
            "explorer",
            "http://elsewhere.org/explorer",
            "//elsewhere.org/",
            "/\\elsewhere.org",
            "javascript:alert(1)",
        ),
        *("/explorer#there", "/explorer\t", "/\x00", " /explorer"),
    ],
)
def test_a_link_that_is_no_path_of_this_app_is_refused(link: str) -> None:
    with pytest.raises(DeckError, match=r"^Line 4, step 1: link has to be a path of this app such as /"):
        read_deck(f"title = ''\n\n[[step]]\nlink = {module._quoted(link)}")


def test_a_link_on_two_lines_is_refused() -> None:
    with pytest.raises(DeckError, match=r"^Line 2, step 1: link has to be on one line\.$"):
        read_deck('[[step]]\nlink = """/explorer\n"""')


@each(
    ("toml", "reason"),
    [
        ('title = "a\n', "Line 1: this is no TOML: illegal character '\\n'."),
        ("title = 'a'\n\nlink", "At the end: this is no TOML: expected '=' after a key in a key/value pair."),
        ("title = 'a'\ntitle = 'b'\n", "Line 2: this is no TOML: cannot overwrite a value."),
        ("title = 'a'", "This deck has no steps: each begins with [[step]] and has a link."),
        ("", "This deck has no steps"),
        ("step = []", "This deck has no steps"),
        ("title = 1", "Line 1: title has to be a text in quotes, got a number."),
        ("\nname = 'a'", "Line 2: name is no field of a deck: there are step, title."),
        ("[step]\nlink = '/'", "Line 1: step has to be a table: each step begins with [[step]]."),
        ("step = 3", "Line 1: step has to be a table"),
        ("step = ['/']", "Line 1: step has to be a table"),
        ("step = [{link = '/'}, {link = 1}]", "Step 2: link has to be a text in quotes"),
        ("a = " + "[" * 5000, "This file is nested too deeply for a deck."),
        (f"a = {'1' * 5000}", "At the end: this is no TOML"),
        ("# " + "ä" * (MOST_BYTES // 2), "This deck is too large: a file has at most 256 KB."),
    ],
)
def test_a_file_that_is_no_deck_is_refused(toml: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(toml)
    assert str(refused.value).startswith(reason)


def test_a_file_whose_quotes_end_nowhere_is_refused_at_once() -> None:
    with pytest.raises(DeckError):
        read_deck('a = """' + "\\\n" * 100_000)


def test_a_deck_has_at_most_so_many_steps() -> None:
    def toml(n: int) -> str:
        return "[[step]]\nlink = '/'\n" * n

    assert len(read_deck(toml(MOST_STEPS)).steps) == MOST_STEPS
    with pytest.raises(DeckError, match=r"^Line 401, step 201: a deck has at most 200 steps, got 202\.$"):
        read_deck(toml(MOST_STEPS + 2))


def test_plain_data_are_refused_without_a_line() -> None:
    assert deck_of({"title": "T", "step": [{"link": "/"}]}) == Deck("T", (Step("/"),))
    with pytest.raises(DeckError, match=r"^Step 1: link is missing\.$"):
        deck_of({"title": "T", "step": [{}]})
    with pytest.raises(DeckError, match=r"^Step 1: notes has half a character\.$"):
        deck_of({"step": [{"link": "/", "notes": "\ud800"}]})


def test_a_deck_that_could_not_be_read_again_is_not_written() -> None:
    large = Deck("T", (Step("/", notes="ä" * 5000),) * 30)
    for write in (write_deck, packed):
        with pytest.raises(DeckError, match="too large"):
            write(large)


DAMAGED = "The lecture that this link holds is damaged: the link may have been cut off."


@each(
    "spoil",
    [
        lambda text: text[:-1],
        lambda text: text[: len(text) // 2],
        lambda _: "~",
        lambda _: "~ä",
        lambda _: "~AAAA",
        lambda text: text[:9] + ("A" if text[9] != "A" else "B") + text[10:],
    ],
)
def test_a_damaged_link_is_refused(spoil) -> None:
    with pytest.raises(DeckError) as refused:
        deck_named(spoil(packed(DECK)))
    assert str(refused.value) == DAMAGED


def as_packed(plain: bytes) -> str:
    return "~" + urlsafe_b64encode(zlib.compress(plain)).decode()


def test_a_link_that_holds_other_bytes_is_refused() -> None:
    with pytest.raises(DeckError, match="damaged"):
        deck_named(as_packed(b"\xff\xfe"))
    with pytest.raises(DeckError, match="no steps"):
        deck_named(as_packed(b"title = 'T'"))


def test_a_link_that_unpacks_to_more_than_a_file_is_refused_before_it_is_unpacked() -> None:
    bomb = as_packed(b" " * 50_000_000)
    assert len(bomb) < 70_000
    tracemalloc.start()
    with pytest.raises(DeckError, match="too large"):
        deck_named(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 * MOST_BYTES


def test_a_deck_is_named_or_held_by_the_link() -> None:
    for name, deck in module.shipped().items():
        assert deck_named(name) is deck
        assert deck_named(packed(deck)) == deck
    with pytest.raises(DeckError, match=r"^There is no lecture “\.\./cs224n”"):
        deck_named("../cs224n")
    with pytest.raises(DeckError) as refused:
        deck_named("a" * 5000)
    assert len(str(refused.value)) < 200
