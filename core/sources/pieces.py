"""A sentence in the pieces of a pretrained vocabulary, and the words that they make."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from core.pretrained import Piece, PieceTokenizer
from core.pretrained.tokenizer import Span
from core.sources.spelling import BEGINS_WORD, BLANK, CONTINUES, FALLBACK, readable
from core.text.tokenizer import tokenize


@dataclass(frozen=True)
class Pieces:
    """A sentence in pieces; every position belongs to one of `groups`, whose `names` are their texts.

    `texts` are the pieces as the vocabulary has them, `labels` as a reader understands them. `special` are
    the positions of tokens that the model expects around a text, `typed` of special tokens in the text, and
    `unknown` of pieces for unknown text. With `in_bytes` the vocabulary is one of bytes.
    """

    texts: tuple[str, ...]
    tokens: tuple[int, ...]
    labels: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    special: frozenset[int]
    unknown: tuple[int, ...]
    typed: frozenset[int] = frozenset()
    in_bytes: bool = False

    def readable(self, piece: str) -> str:
        """Return any piece of the vocabulary as a reader understands it, outside a text."""
        return readable(piece, in_bytes=self.in_bytes)


def split(text: str, tokenizer: PieceTokenizer) -> Pieces:
    """Return the pieces of a text with special tokens; words that share one, as in `f(x):`, are a group."""
    encoded = tokenizer.encode(text)
    pieces = encoded.pieces
    labels = tuple(_label(piece, text, in_bytes=tokenizer.in_bytes) for piece in pieces)
    typed = frozenset(at for at, piece in enumerate(pieces) if _is_typed(piece, text, tokenizer))
    words = _words(text, [(pieces[at].start, pieces[at].end) for at in sorted(typed)])
    owners, covered = _owners(words, encoded.of(words))
    # A piece without a word is its own owner, with a number below 0.
    owners |= {at: -1 - at for at in typed}
    _give_blanks_away(owners, pieces, text)
    groups: dict[int, list[int]] = {}
    for at in range(len(pieces)):
        groups.setdefault(owners.get(at, -1 - at), []).append(at)
    names = (
        unicodedata.normalize("NFC", text[slice(*covered[owner])]) if owner >= 0 else labels[-1 - owner]
        for owner in groups
    )
    special = frozenset(at for at, piece in enumerate(pieces) if piece.special)
    unknown, known = tokenizer.special.get("unk"), special | typed
    return Pieces(
        texts=tuple(piece.text for piece in pieces),
        tokens=tuple(piece.token for piece in pieces),
        labels=labels,
        groups=tuple(map(tuple, groups.values())),
        names=tuple(names),
        special=special,
        unknown=tuple(at for at, piece in enumerate(pieces) if piece.token == unknown and at not in known),
        typed=typed,
        in_bytes=tokenizer.in_bytes,
    )


def _is_typed(piece: Piece, text: str, tokenizer: PieceTokenizer) -> bool:
    """Return whether a piece is a special token spelt in the text, and not the unknown token."""
    is_spelt = text[piece.start : piece.end].strip() == piece.text
    return not piece.special and piece.token in tokenizer.reserved and is_spelt


def _words(text: str, typed: Sequence[Span]) -> list[Span]:
    """Return the places of the words of a text, without typed special tokens such as `[MASK]`."""
    starts, ends = [0, *(end for _, end in typed)], [*(start for start, _ in typed), len(text)]
    return [
        (start + word.start, start + word.end)
        for start, end in zip(starts, ends, strict=True)
        for word in tokenize(text[start:end])
    ]


def _owners(
    words: Sequence[Span], positions: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, Span]]:
    """Return each position's word, and each word's text; the first of words that share a piece owns it."""
    owners: dict[int, int] = {}
    covered: dict[int, Span] = {}
    for word, (span, own) in enumerate(zip(words, positions, strict=True)):
        if own:
            first = min((owners[at] for at in own if at in owners), default=word)
            owners |= dict.fromkeys(own, first)
            covered[first] = covered.get(first, span)[0], span[1]
    return owners, covered


def _give_blanks_away(owners: dict[int, int], pieces: Sequence[Piece], text: str) -> None:
    """Give a blank piece to the next word, or the previous one, as vocabularies do themselves."""
    blank = [
        at
        for at, piece in enumerate(pieces)
        if not piece.special and not tokenize(text[piece.start : piece.end])
    ]
    for nearby, ordered in ((1, reversed(blank)), (-1, blank)):
        for at in ordered:
            if at not in owners and at + nearby in owners:
                owners[at] = owners[at + nearby]


def _label(piece: Piece, text: str, *, in_bytes: bool) -> str:
    """Return a piece for a reader: as spelt in the text if different, or with its bytes."""
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
    """Return `text` without capitals and accents, which some tokenizers remove."""
    letters = unicodedata.normalize("NFKD", text.strip()).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
