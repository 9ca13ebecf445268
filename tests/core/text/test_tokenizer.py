"""Words of every script, with their places; only separators are lost."""

import random
import re
import sys
import unicodedata
from itertools import pairwise

import pytest
import torch

from core.text.tokenizer import MAX_WORDS, Token, Vocabulary, tokenize, with_word, words_of
from tests.covering import each

UNSEEN = "\u200b\ufeff\u200e\u200f\u061c"
"""Separates or steers without being seen: dropped like white space."""

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
BRITAIN, FRANCE = "\U0001f1ec\U0001f1e7", "\U0001f1eb\U0001f1f7"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"

SENTENCES = {
    # a sentence: its tokens with a space between
    "So why are we not reducing our emissions?": "So why are we not reducing our emissions ?",
    "Så varför minskar inte vi våra utsläpp?": "Så varför minskar inte vi våra utsläpp ?",
    # apostrophes and hyphens belong to the word they stand in, and only there
    "don't l’été rock'n'roll": "don't l’été rock'n'roll",
    "'tis the dogs' ‘own’": "' tis the dogs ' ‘ own ’",
    "well-known x-ray- -y a--b": "well-known x-ray - - y a - - b",
    "co‐op co\u2011op": "co‐op co\u2011op",
    "re\u00adsume word\u2060joiner": "re\u00adsume word\u2060joiner",
    "pages 3–5—or so…": "pages 3 – 5 — or so …",
    "snake_case café naïve Ærøskøbing": "snake_case café naïve Ærøskøbing",
    # numbers are words, with the point or comma inside them
    "3.14 is 10,000 times 1,234.5. Yes, 2.": "3.14 is 10,000 times 1,234.5 . Yes , 2 .",
    "at 10:30 for $5 or 50%": "at 10 : 30 for $ 5 or 50 %",
    "GPT-2 v1.2 x2": "GPT-2 v1.2 x2",
    "end.Start 3.Then no.5 U.S.": "end . Start 3 . Then no . 5 U . S .",
    "me@x.org #tag": "me @ x . org # tag",
    # markup is text like any other
    "<b>bold</b>": "< b > bold < / b >",
    "$\\alpha_1^2$ &amp;": "$ \\ alpha_1 ^ 2 $ & amp ;",
    # scripts with marks, joiners and other directions
    "नमस्ते दुनिया क्षत्रिय।": "नमस्ते दुनिया क्षत्रिय ।",
    "क्\u200dष": "क्\u200dष",
    "مرحبا بالعالم، كيف؟": "مرحبا بالعالم ، كيف ؟",
    "مُحَمَّد ٣٫١٤": "مُحَمَّد ٣٫١٤",
    "می\u200cخواهم": "می\u200cخواهم",
    "צה״ל ז׳ שָׁלוֹם": "צה״ל ז ׳ שָׁלוֹם",
    "col·lega Привет, мир Γειά": "col·lega Привет , мир Γειά",
    "한국어를 배워요": "한국어를 배워요",
    "tiếng Việt": "tiếng Việt",
    # scripts without spaces: every character stands alone
    "我喜欢猫。": "我 喜 欢 猫 。",
    "猫とneko": "猫 と neko",
    "コーヒーを2杯": "コ ー ヒ ー を 2 杯",
    "サッカー2": "サ ッ カ ー 2",
    "น้ำดื่ม": "น้ำ ดื่ ม",
    "ខ្មែរ\u200bមាន": "ខ្មែ រ មា ន",
    # an emoji of many code points is one character
    f"{FAMILY}\U0001f44d\U0001f3fd": f"{FAMILY} \U0001f44d\U0001f3fd",
    f"{BRITAIN}{FRANCE}{ENGLAND}": f"{BRITAIN} {FRANCE} {ENGLAND}",
    "I ❤\ufe0f u 1\ufe0f\u20e3 #\ufe0f\u20e3": "I ❤\ufe0f u 1\ufe0f\u20e3 #\ufe0f\u20e3",
    # invisible signs
    "a\x00b\x1bc": "a \x00 b \x1b c",
    "\ufeffone\u200btwo\u200f three": "one two three",
    "a\u202eb": "a \u202e b",
    "\u0600 abc": "\u0600 abc",
    "one\r\n\ttwo\u00a0three\u2028four\u3000five\x85six": "one two three four five six",
}


@each(("text", "expected"), SENTENCES.items())
def test_sentences_fall_into_the_words_a_reader_sees(text: str, expected: str) -> None:
    assert [token.text for token in tokenize(text)] == expected.split(" ")


@each("text", ["", " ", "\t\n \u00a0\u3000", UNSEEN, f" {UNSEEN} "])
def test_a_text_without_words_has_no_tokens(text: str) -> None:
    assert tokenize(text) == []
    assert words_of(text) == ()


def random_texts(n: int, *, longest: int = 40) -> list[str]:
    """Random strings, the same each time: of every code point, and of a few that do not get on."""
    generator = random.Random(5)
    every = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) != "Cs"]
    awkward = list("aé9_ '’-.,·ーก็あ゙ँ्한가\u0301\u0338\u1100\u1161\u11a8\u0600\u200d\u200c\u00ad\ufe0f\n\r\t")
    awkward += ["\U0001f469", "\U0001f1ec", "\U0001f3fd", "\u20e3", "=", "<", "\u0323", "\u0307", *UNSEEN]
    return [
        "".join(generator.choices(letters, k=generator.randrange(longest)))
        for _ in range(n // 2)
        for letters in (every, awkward)
    ]


def test_tokens_of_any_text_are_in_order_apart_and_cover_everything_but_blanks() -> None:
    blank = re.compile(f"[\\s{UNSEEN}]")
    for text in [*random_texts(200), *SENTENCES]:
        tokens = tokenize(text)
        covered = {place for token in tokens for place in range(token.start, token.end)}
        assert covered == {place for place, c in enumerate(text) if not is_blank(c, blank)}, ascii(text)
        assert all(text[token.start : token.end] == token.text != "" for token in tokens), ascii(text)
        assert all(a.end <= b.start for a, b in pairwise(tokens)), ascii(text)


def is_blank(character: str, blank: re.Pattern[str]) -> bool:
    """White space in Unicode's sense; Python counts four separators of data files too."""
    return bool(blank.match(character)) and character not in "\x1c\x1d\x1e\x1f"


def test_words_are_the_same_however_their_accents_are_encoded() -> None:
    for text in [*random_texts(100), *SENTENCES]:
        composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
        assert words_of(composed) == words_of(decomposed), ascii(text)
    assert tokenize("e\u0301te\u0301") == [Token("e\u0301te\u0301", 0, 5)], "a token keeps the typed text"
    same = ("the", "The", "ﬁne", "x²", "Ⅷ", "ｱ", "ſo", "Ĳsel")  # compatible signs stay
    assert words_of(" ".join(same)) == same


def test_a_long_text_without_spaces_takes_no_longer_than_a_long_text() -> None:
    assert len(tokenize("a-" * 20_000)) == 2
    assert len(tokenize("'" * 20_000)) == 20_000
    assert MAX_WORDS == 256


def test_a_vocabulary_numbers_its_words_in_their_order() -> None:
    vocabulary = Vocabulary(["tea", "茶", "çay"])
    assert (len(vocabulary), vocabulary.words) == (3, ("tea", "茶", "çay"))
    assert "茶" in vocabulary
    assert "coffee" not in vocabulary
    tokens = vocabulary.encode(["çay", "tea", "çay"])
    assert tokens.dtype == torch.long
    assert tokens.tolist() == [[2, 0, 2]]
    assert vocabulary.decode(tokens[0]) == ["çay", "tea", "çay"]
    with pytest.raises(KeyError, match="not among the 3 words of the vocabulary: coffee, milk"):
        vocabulary.encode(["tea", "coffee", "milk"])
    with pytest.raises(ValueError, match="the words of a vocabulary must differ, got 3 with repeats"):
        Vocabulary(["tea", "water", "tea"])


@each(
    ("text", "word", "expected"),
    [
        ("catt, the Catt  catt.", "catt", "cat, the Catt  cat."),
        ("cattle catt", "catt", "cattle cat"),
        ("s\u0061\u030a s\u00e5", "s\u00e5", "cat cat"),
        ("the dog", "catt", "the dog"),
        ("", "catt", ""),
    ],
)
def test_a_word_is_replaced_where_it_stands_and_nothing_else(text: str, word: str, expected: str) -> None:
    assert with_word(text, word, "cat") == expected
