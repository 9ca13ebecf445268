"""Parsing: the structure of a sentence from its words alone."""

from collections.abc import Iterator, Sequence

from core.text.language.forms import Form
from core.text.language.grammar import CONSTRUCTIONS, GRAMMAR, Phrase, Slot, starts
from core.text.language.sentence import Sentence
from core.text.language.structure import Leaf, Scope, fresh, structured
from core.text.language.vocabulary import fold

MENTIONED = 3
"""Greatest number of possible words that a complaint names."""

SPOKEN = {",": "a comma"}
"""Names of marks that a list of words cannot show."""


def parse(words: Sequence[str]) -> Sentence:
    """Return the sentence that these words make, with its structure; capitals do not matter.

    Raises ValueError naming the first word, counted from 1, with which no sentence can continue, and the
    words that could stand there.
    """
    reader = _Reader(words)
    for sentence in reader.sentences():
        return sentence
    raise ValueError(reader.complaint())


def readings(words: Sequence[str]) -> list[Sentence]:
    """Return every way to read these words: at most one, unless the grammar is at fault."""
    return list(_Reader(words).sentences())


class _Reader:
    """A parser that tries every rule; `expected` are the words that could stand at `furthest`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = [fold(word) for word in words]
        self._leaves: list[Leaf] = []
        self.furthest = 0
        self.expected: set[str] = set()

    def sentences(self) -> Iterator[Sentence]:
        """Yield every reading of all the words."""
        for construction in CONSTRUCTIONS:
            for symbol, label in starts(construction).items():
                for names in self._phrase(symbol, {}):
                    if len(self._leaves) == len(self._words):
                        yield structured(self._leaves, names, construction, label)
                    else:
                        self._miss(len(self._leaves), ())

    def complaint(self) -> str:
        """Return where the words leave the language, and a few words that would have fitted."""
        some = [SPOKEN.get(word, word) for word in sorted(self.expected)[:MENTIONED]]
        listed = " or ".join([", ".join(some[:-1])] * (len(some) > 1) + some[-1:])
        fitting = "words such as " * (len(self.expected) > MENTIONED) + listed
        if self.furthest == len(self._words):
            return f"the sentence is not complete: {fitting} could follow"
        got = f"word {self.furthest + 1}, {self._words[self.furthest]!r},"
        if not some:
            return f"{got} stands after the end of the sentence"
        return f"{got} does not fit: {fitting} could stand there"

    def _phrase(self, symbol: str, names: Scope) -> Iterator[Scope]:
        """Yield every way to read a phrase from the next word on, each with the words it names."""
        for rule in GRAMMAR[symbol].rules:
            yield from self._row(rule.slots, 0, names)

    def _row(self, slots: Sequence[Slot | Phrase], i: int, names: Scope) -> Iterator[Scope]:
        """Yield every way to read the slots from the i-th on; the leaves are restored afterwards."""
        start, names = len(self._leaves), dict(names)
        while i < len(slots) and isinstance(slot := slots[i], Slot):
            if not self._word(slot, names):
                del self._leaves[start:]
                return
            i += 1
        if i == len(slots):
            yield names
        else:
            yield from self._after(slots, i, names)
        del self._leaves[start:]

    def _after(self, slots: Sequence[Slot | Phrase], i: int, names: Scope) -> Iterator[Scope]:
        """Yield every way to read the phrase at the i-th slot and the slots after it."""
        phrase = slots[i]
        assert isinstance(phrase, Phrase)
        inner = {"x": names[phrase.of]} if phrase.of else {}
        for found in self._phrase(phrase.symbol, inner):
            bound = {phrase.bind: found["x"]} if phrase.bind else {}
            yield from self._row(slots, i + 1, {**names, **bound})

    def _word(self, slot: Slot, names: Scope) -> bool:
        """Read one word, if it can stand here."""
        position = len(self._leaves)
        of = names[slot.of] if slot.of else None
        forms = fresh(slot.options(None if of is None else self._leaves[of].form), slot.kind, self._leaves)
        form = self._matching(forms, position)
        if form is None:
            return False
        if slot.bind:
            names[slot.bind] = position
        self._leaves.append(Leaf(form, slot.kind, of))
        return True

    def _matching(self, forms: Sequence[Form], position: int) -> Form | None:
        for form in forms:
            if position < len(self._words) and form.text == self._words[position]:
                return form
        self._miss(position, forms)
        return None

    def _miss(self, position: int, forms: Sequence[Form]) -> None:
        """Remember the expected words, if no reading has got further."""
        if position > self.furthest:
            self.furthest, self.expected = position, set()
        if position == self.furthest:
            self.expected.update(form.text for form in forms)
