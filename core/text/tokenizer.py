"""Tokens: words and punctuation of any script, each with its position in the text."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import regex
import torch
from jaxtyping import Int
from torch import Tensor

MAX_WORDS = 256
"""Longest sentence the app takes, in words."""

MAX_CHARACTERS = 10_000
"""Longest text that the app tokenizes, in characters: 1,024 tokens of any language have fewer.

Normalising the order of combining marks (NFC) takes time that grows with the square of their number in a row:
0.1 s for this many, half a minute for 200,000, which a browser can send.
"""

# Between words: white space, and invisible separators and controls: the zero-width space, the byte order mark
# and the marks of writing direction.
_RUN = regex.compile(r"[^\s\u200b\ufeff\u200e\u200f\u061c]+")
# Scripts written without spaces between words: there every character is a token.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}ーｰ\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Yi}]"
# Inside a word, invisible characters belong to it: joiners, as Persian and Hindi need them, and soft hyphens.
_LETTER = rf"[[\p{{L}}\p{{N}}\p{{M}}_\u200c\u200d\u2060\u00ad]--{_UNSPACED}]"
# So does an apostrophe or hyphen between letters: don't, l’été, well-known; or the middle dot of Catalan and
# the geresh and gershayim of Hebrew; and a point or comma between digits: 3.14, 10,000.
_BETWEEN = r"['’‐‑\-·\u0387\u05f3\u05f4]|(?<=\p{N})[.,\u066b\u066c](?=\p{N})"
_WORD = rf"{_LETTER}+(?:(?:{_BETWEEN}){_LETTER}+)*"
# \X is one character as a reader sees it: an emoji of several code points, a letter with its marks.
_TOKEN = regex.compile(rf"{_WORD}|\X", regex.VERSION1)


@dataclass(frozen=True)
class Token:
    """A word or a punctuation mark and its place: `text` is the sentence's [start:end]."""

    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Return the words and punctuation marks of `text` in order, without white space."""
    return [
        Token(match.group(), *match.span())
        for run in _RUN.finditer(text)
        for match in _TOKEN.finditer(text, *run.span())
    ]


def words_of(text: str) -> tuple[str, ...]:
    """Return the texts of the tokens, composed (NFC), so that words that look alike are equal."""
    return tuple(unicodedata.normalize("NFC", token.text) for token in tokenize(text))


def readable(text: str) -> str:
    """Return `text` if it is short enough to be tokenized, else an empty string."""
    return text if len(text) <= MAX_CHARACTERS else ""


def too_long(what: str, most: int, has: int, unit: str, *, called: str = "this one") -> str:
    """Return a message such as “MiniLM reads sentences of up to 512 tokens; this one has 600.”.

    `what` is `MiniLM reads` here. `unit` is the unit of the length, a word or a token; `called` names the
    sentence if there are two.
    """
    return f"{what} sentences of up to {most:,} {unit}s; {called} has {has:,}."


def with_word(text: str, word: str, other: str) -> str:
    """Return `text` with `other` in place of every word that reads `word`, and otherwise unchanged."""
    for token in reversed(tokenize(text)):
        if unicodedata.normalize("NFC", token.text) == word:
            text = f"{text[: token.start]}{other}{text[token.end :]}"
    return text


class VocabularyWords(tuple[str, ...]):
    """The words of a vocabulary: they belong to its model, and no result's memory includes them."""

    __slots__ = ()
    most_bytes = 0


class Vocabulary:
    """A fixed list of distinct words and the number of each; raises ValueError for a word listed twice."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = VocabularyWords(words)
        self._ids = {word: i for i, word in enumerate(self.words)}
        if len(self._ids) != len(self.words):
            raise ValueError(f"the words of a vocabulary must differ, got {len(self.words)} with repeats")

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def encode(self, words: Sequence[str]) -> Int[Tensor, "batch position"]:
        """Return token ids of `words` as a batch of one; raises KeyError naming the unknown words."""
        unknown = [word for word in words if word not in self._ids]
        if unknown:
            raise KeyError(f"not among the {len(self)} words of the vocabulary: {', '.join(unknown)}")
        return torch.tensor([[self._ids[word] for word in words]], dtype=torch.long)

    def decode(self, tokens: Int[Tensor, "position"]) -> list[str]:
        """Return the words of these token ids."""
        return [self.words[token] for token in tokens.tolist()]
