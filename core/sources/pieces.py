"""A sentence as a pretrained model reads it: in pieces of its vocabulary, and which of them make a word."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.pretrained import Piece, PieceTokenizer
from core.sources.spelling import BEGINS_WORD, BLANK, CONTINUES, FALLBACK, readable
from core.text.tokenizer import tokenize


@dataclass(frozen=True)
class Pieces:
    """A sentence in pieces. Every position belongs to one of `groups`, whose `names` are the words as typed.

    `texts` are the pieces as the vocabulary has them, which is what the model reads, and `labels` as a
    reader understands them. Special tokens and signs that are no word have a group of their own; `special`
    are the positions of those that the model expects around a text, `typed` of those that stand in the text,
    and `unknown` those where the vocabulary has no piece that fits. It is one of bytes if `in_bytes`.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    special: frozenset[int]
    unknown: tuple[int, ...]
    typed: frozenset[int] = frozenset()
    in_bytes: bool = False

    def readable(self, piece: str) -> str:
        """Any piece of the vocabulary as a reader understands it, in no text."""
        return readable(piece, in_bytes=self.in_bytes)


def split(text: str, tokenizer: PieceTokenizer) -> Pieces:
    """The pieces of a text, with the special tokens that the model expects around them."""
    encoded = tokenizer.encode(text)
    pieces, words = encoded.pieces, tokenize(text)
    labels = tuple(_label(piece, text, in_bytes=tokenizer.in_bytes) for piece in pieces)
    typed = frozenset(at for at, piece in enumerate(pieces) if _is_typed(piece, text, tokenizer))
    owners = _owners(encoded.of([(word.start, word.end) for word in words]))
    for at in typed:  # its signs would be words of the text: [MASK] three, and the first of them its owner
        owners.pop(at, None)
    _give_blanks_away(owners, pieces, text)
    groups: dict[int, list[int]] = {}
    for at in range(len(pieces)):
        # A piece of no word is called by a number of its own, below 0.
        groups.setdefault(owners.get(at, -1 - at), []).append(at)
    names = (
        unicodedata.normalize("NFC", words[owner].text) if owner >= 0 else labels[-1 - owner]
        for owner in groups
    )
    special = frozenset(at for at, piece in enumerate(pieces) if piece.special)
    unknown, known = tokenizer.special.get("unk"), special | typed
    return Pieces(
        texts=tuple(piece.text for piece in pieces),
        labels=labels,
        groups=tuple(map(tuple, groups.values())),
        names=tuple(names),
        special=special,
        unknown=tuple(at for at, piece in enumerate(pieces) if piece.token == unknown and at not in known),
        typed=typed,
        in_bytes=tokenizer.in_bytes,
    )


def _is_typed(piece: Piece, text: str, tokenizer: PieceTokenizer) -> bool:
    """Whether this is a special token that is spelt out in the text.

    What no piece fits becomes one too, which is spelt otherwise there.
    """
    is_spelt = text[piece.start : piece.end].strip() == piece.text
    return not piece.special and piece.token in tokenizer.reserved and is_spelt


def _owners(positions: Sequence[Sequence[int]]) -> dict[int, int]:
    """The word that each position belongs to: the first, where a piece crosses the border of two."""
    return {at: word for word, own in reversed(list(enumerate(positions))) for at in own}


def _give_blanks_away(owners: dict[int, int], pieces: Sequence[Piece], text: str) -> None:
    """A piece that is a blank alone is the next word's: vocabularies have it before a word as part of it."""
    for at in reversed(range(len(pieces) - 1)):
        piece = pieces[at]
        is_blank = not piece.special and not text[piece.start : piece.end].strip()
        if is_blank and at not in owners and at + 1 in owners:
            owners[at] = owners[at + 1]


def _label(piece: Piece, text: str, *, in_bytes: bool) -> str:
    """A piece as a reader understands it: what is not spelt as in the text is shown as it stands there.

    Pieces of bytes are spelt out, for several of them can share one letter of the text.
    """
    if piece.special:
        return piece.text
    if in_bytes or FALLBACK.fullmatch(piece.text):
        return readable(piece.text, in_bytes=in_bytes)
    lead = BLANK if piece.text.startswith(BEGINS_WORD) else CONTINUES * piece.text.startswith(CONTINUES)
    own, typed = (
        piece.text.removeprefix(CONTINUES).lstrip("".join(BEGINS_WORD)),
        text[piece.start : piece.end],
    )
    return lead + (own if _plain(own) == _plain(typed) else typed.strip())


def _plain(text: str) -> str:
    """`text` without what some tokenizers take away: capitals and accents."""
    letters = unicodedata.normalize("NFKD", text.strip()).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
