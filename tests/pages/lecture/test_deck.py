"""A deck is read and written without loss, and a wrong one is refused with its line and the reason."""

import tracemalloc
import zlib
from base64 import urlsafe_b64encode
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from pages.contract.prose import JOINER
from pages.lecture import deck as module
from pages.lecture import listing
from pages.lecture.deck import (
    MOST_STEPS,
    Deck,
    LectureStep,
    deck_named,
    deck_of,
    packed,
    read_deck,
    unpacked,
    write_deck,
)
from pages.lecture.deck_file import MOST_BYTES, DeckError
from pages.sheet import build_sheet
from tests.covering import each

WHOLE = LectureStep("/masking?view=paint", "Masks", "Say this.\nThen that.", "Which words?", covered=True)
DECK = Deck("Of masks", (WHOLE, LectureStep("/explorer")))

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


def test_a_deck_is_read_from_toml_and_written_to_be_edited_by_hand() -> None:
    assert read_deck(TOML) == DECK
    assert write_deck(DECK) == TOML
    assert read_deck("\ufeff" + TOML.replace("\n", "\r\n")) == DECK, "of another system"


LETTERS = "aé茶🙂\"'\\#=[]{} \t\u00a0\u2028"


def made_up(seed: int) -> Deck:
    """Return a deck of arbitrary texts."""
    draw = Random(seed)

    def text(letters: str) -> str:
        return "".join(draw.choices(letters, k=draw.randrange(12)))

    links = ["/", "/explorer?text=hot tea", "/masking?view=paint&text=%22"]
    steps = tuple(
        LectureStep(
            link=draw.choice(links),
            title=text(LETTERS),
            notes=text(f"{LETTERS}\n"),
            question=text(f"{LETTERS}\n"),
            covered=draw.random() < 0.5,
        )
        for _ in range(draw.randint(1, 4))
    )
    return Deck(text(LETTERS), steps, about=text(LETTERS))


@each("seed", range(100))
def test_any_text_survives_a_file_and_a_link(seed: int) -> None:
    deck = made_up(seed)
    assert read_deck(write_deck(deck)) == deck
    assert unpacked(packed(deck)) == deck


TRICKY = (
    *('"', '""', '"""', '""""""', "'''", 'ends in "', "\\", "\\n", "\\u0041", "#", "[[step]]"),
    *("\t", "🙂 é", "=", " ", "\\frac{a}{b} \\theta", "“curly”", "\u2028"),
)


@each("text", TRICKY)
@each("around", ["{}", "a\n{}", "{}\na", "\n{}\n"])
def test_signs_that_toml_writes_otherwise_survive(text: str, around: str) -> None:
    deck = Deck("", (LectureStep("/", notes=around.replace("{}", text)),))
    assert read_deck(write_deck(deck)) == deck


@each("text", ["\x00", "\x0c", "a\rb", "\x1f", "\x7f", "\x85"])
def test_a_control_character_in_plain_data_is_refused(text: str) -> None:
    with pytest.raises(DeckError, match=r"^Step 1: notes has the control character U\+00.. after “soa?”\.$"):
        deck_of({"title": "T", "step": [{"link": "/", "notes": f"so{text}"}]})


def test_a_packed_deck_fits_an_address() -> None:
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
        ("", "Line 10, step 2: link is missing, or the kind of a slide: title, agenda, text, formula, "),
        ("link = /masking", "Line 11: link has to be a text in quotes, got “/masking”."),
        (
            'link = "/explorer"\ncovered = "yes"',
            "Line 12, step 2: covered has to be true or false, got a text.",
        ),
        (
            'link = "/explorer"\nnote = "a"',
            "Line 12, step 2: note is not a field of a step: there are answer_kind, covered, ",
        ),
        ('link = "/nowhere?a=1"', "Line 11, step 2: link leads to no page: there is no /nowhere."),
        (
            'link = "/lecture?deck=cs224n"',
            "Line 11, step 2: link leads to a lecture, which cannot be a step of one: “/lecture?deck",
        ),
        ('link = "/explorer"\ntitle = "a\\n b"', "Line 12, step 2: title has to be on one line."),
        (
            f'link = "/explorer"\n\nnotes = "{"n" * 5001}"',
            "Line 13, step 2: notes has at most 5000 characters, got 5001.",
        ),
        ('link = """/explorer\n"""', "Line 11, step 2: link has to be on one line."),
        ('link = "/explorer"\n[author]\nname = "A"', "Line 12: expected [[step]] or a field"),
        (
            'link = "/masking?view=pain"',
            "Line 11, step 2: the page Masking has no view “pain”: there are paint, ",
        ),
        ('link = "/masking?vew=paint"', "Line 11, step 2: link has a parameter that no page knows: vew."),
    ],
)
def test_an_error_has_its_line(lines: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(LINES_BEFORE + lines)
    assert str(refused.value).startswith(reason)


@each(
    "link",
    [
        *(
            "",
            "explorer",
            "//elsewhere.org/",
            "//[",
            "/\\elsewhere.org",
            "javascript:alert(1)",
            "/explorer\t",
        ),
        *("ftp://elsewhere.org/explorer", "http:///explorer", "http://a\\b/explorer", " /explorer"),
        *("https://[::1/\\explorer", "/explorer\t"),
    ],
)
def test_a_link_outside_this_app_is_refused(link: str) -> None:
    with pytest.raises(DeckError, match=r"^Line 4, step 1: link has to be a path of this app such as /"):
        read_deck(f"title = ''\n\n[[step]]\nlink = {module._quoted(link)}")


@each(
    ("link", "path"),
    [
        ("http://lab.example/masking?view=paint", "/masking?view=paint"),
        ("HTTPS://lab.example:8501/masking?view=paint#top", "/masking?view=paint"),
        ("http://localhost:8501", "/"),
        ("http://localhost?text=tea", "/?text=tea"),
        ("https://hub.example/user/me/proxy/8501/masking?text=a/b", "/masking?text=a/b"),
        ("localhost:8501/masking?view=paint", "/masking?view=paint"),
        ("http://lab.example/lab/masking/?view=paint", "/masking?view=paint"),
        ("http://[::1]:8501/explorer", "/explorer"),
        ("/explorer#there", "/explorer"),
        ("/explorer?text=a%23b#c?d", "/explorer?text=a%23b"),
    ],
)
def test_a_whole_address_is_taken_as_its_path_and_query(link: str, path: str) -> None:
    assert read_deck(f"[[step]]\nlink = '{link}'").steps == (LectureStep(path),)
    assert deck_of({"step": [{"link": link}]}).steps == (LectureStep(path),)


@each(
    ("link", "reason"),
    [
        ("http://lab.example/lecture?deck=cs224n", "link leads to a lecture"),
        ("http://lab.example//elsewhere.org/", "link leads to no page: there is no /elsewhere.org."),
    ],
)
def test_a_whole_address_that_leads_to_no_page_is_refused(link: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(f"[[step]]\nlink = '{link}'")
    assert str(refused.value).startswith(f"Line 2, step 1: {reason}")


def test_a_view_that_is_gone_stops_no_lecture_that_a_link_holds() -> None:
    deck = Deck("", (LectureStep("/masking?view=gone"), LectureStep("/explorer?gone=1")))
    assert deck_named(packed(deck)) == deck
    with pytest.raises(DeckError, match=r"^Line 4, step 1: the page Masking has no view “gone”"):
        read_deck(write_deck(deck))
    with pytest.raises(DeckError, match=r"^Step 1: the page Masking has no view “gone”"):
        deck_of(listing.as_data(deck))


@each(
    ("toml", "reason"),
    [
        ("title = 'a'", "This deck has no steps: each begins with [[step]]."),
        ("title = true", "Line 1: title has to be a text in quotes, got true or false."),
        ("\nname = 'a'", "Line 2: name is not a field of a deck: there are about, step, title."),
        ("# " + "ä" * (MOST_BYTES // 2), "This deck is too large: a file has at most 2 MB."),
    ],
)
def test_a_file_that_is_not_a_deck_is_refused(toml: str, reason: str) -> None:
    with pytest.raises(DeckError) as refused:
        read_deck(toml)
    assert str(refused.value).startswith(reason)


def test_a_deck_has_a_bounded_number_of_steps() -> None:
    def toml(n: int) -> str:
        return "[[step]]\nlink = '/'\n" * n

    assert len(read_deck(toml(MOST_STEPS)).steps) == MOST_STEPS
    with pytest.raises(DeckError, match=r"^Line 401, step 201: a deck has at most 200 steps, got 202\.$"):
        read_deck(toml(MOST_STEPS + 2))


def test_plain_data_are_refused_without_a_line() -> None:
    assert deck_of({"title": "T", "step": [{"link": "/"}]}) == Deck("T", (LectureStep("/"),))
    with pytest.raises(DeckError, match=r"^Step 1: link is missing, or the kind of a slide"):
        deck_of({"title": "T", "step": [{}]})
    with pytest.raises(DeckError, match=r"^Step 1: notes has half a character\.$"):
        deck_of({"step": [{"link": "/", "notes": "\ud800"}]})


def test_a_deck_that_could_not_be_read_again_is_not_written() -> None:
    large = Deck("T", (LectureStep("/", notes="ä" * 5000),) * 30)
    assert read_deck(write_deck(large)) == large
    with pytest.raises(
        DeckError, match=r"^This deck is too large for a link, .* at most 256 KB: use its file"
    ):
        packed(large)
    with pytest.raises(DeckError, match="too large: a file has at most 2 MB"):
        write_deck(replace(large, steps=large.steps * 7))


DAMAGED = "The lecture that this link holds is damaged: the link may have been cut off."


@each(
    "spoil",
    [
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
    bomb = as_packed(b" " * 10_000_000)
    assert len(bomb) < 70_000
    tracemalloc.start()
    with pytest.raises(DeckError, match="too large"):
        deck_named(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10 * module.MOST_LINK_BYTES


def test_more_letters_than_a_deck_needs_are_refused_before_they_are_read() -> None:
    most = module.MOST_LINK_BYTES - 30
    noise = bytes(n * n % 251 for n in range(most)).decode("latin-1").encode()[:most]
    assert len(urlsafe_b64encode(zlib.compress(b"# " + noise, level=0))) < module.LONGEST_PACKED
    with pytest.raises(DeckError, match="too large"):
        deck_named("~" + "A" * (module.LONGEST_PACKED + 1))


def test_a_file_of_the_folder_that_is_no_deck_is_named_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "good.toml").write_text(TOML)
    (tmp_path / "windows.toml").write_bytes(TOML.replace("Masks", "Für").encode("cp1252"))
    (tmp_path / "wrong.toml").write_text("[[step]]\nlink = '/nowhere'")
    (tmp_path / "folder.toml").mkdir()
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    module._files.cache_clear()
    try:
        assert dict(module.shipped()) == {"good": DECK}
        assert module.spoilt().keys() == {"folder", "windows", "wrong"}
        with pytest.raises(
            DeckError, match=r"^wrong\.toml cannot be read\. Line 2, step 1: link leads to no page"
        ):
            deck_named("wrong")
        with pytest.raises(DeckError, match=r"^There is no lecture “other”: there are good\.$"):
            deck_named("other")
        said = [note.markdown for note in build_sheet("/lecture").sheet.notes if note.kind == "warning"]
        assert len(said) == 3
        assert "lectures/windows" in said[1].replace("\\", "").replace(JOINER, "")
    finally:
        module._files.cache_clear()


def test_a_deck_is_named_or_held_by_the_link() -> None:
    for name, deck in module.shipped().items():
        assert deck_named(name) is deck
        assert deck_named(packed(deck)) == deck
    with pytest.raises(DeckError, match=r"^There is no lecture “\.\./cs224n”"):
        deck_named("../cs224n")
    with pytest.raises(DeckError) as refused:
        deck_named("a" * 5000)
    assert len(str(refused.value)) < 200
