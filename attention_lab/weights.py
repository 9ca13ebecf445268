"""Attention weights with their words, and a model's reading of a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from textwrap import shorten

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float

from attention_lab.errors import LabError, explained
from attention_lab.measures import USUAL, Measures, Patterns, measure_patterns
from attention_lab.pictures import Picture
from core.arrays import array_of
from core.measures.heads.effects import head_effects
from core.measures.merging import merge, merge_allowed
from core.measures.prediction import Prediction, predict, top_indices
from core.measures.prediction import ablation_edits as edits_without
from core.model.forward import PATTERNS, forward_pass
from core.model.models import Transformer
from core.sources import LoadedModel
from core.sources.pieces import Pieces
from core.sources.spelling import BEGINS_WORD, BLANK, words_of_pieces
from core.store import free_memory
from figures.captions import quoted
from viz.heads import Heads
from viz.matrices import HeadMatrix, SentencePairMatrix
from viz.picture import Picture as Chart
from viz.word_lines import WordLines
from words import counted, memory

Head = tuple[int, int]
"""A layer and a head of it, counted from 1."""

Allowed = Bool[np.ndarray, "query key"]

SHARE = 0.5
"""Share of the free memory that the weights of a sentence may take."""


@dataclass(frozen=True, kw_only=True)
class WeightsOrigin:
    """Origin of weights, for captions and files: the sentences, the model, and the Python that made them."""

    sentences: tuple[str, ...]
    call: str
    title: str = ""
    described: str = ""
    notes: tuple[str, ...] = ()
    link: str = ""
    checkpoint: str = ""

    def after(self, call: str, note: str) -> "WeightsOrigin":
        """Return the origin after one more call; its weights have no link."""
        return replace(self, call=f"{self.call}.{call}", notes=(*self.notes, note), link="")


class Attention:
    """Attention weights `patterns` (layer, head, query, key), with the words of queries and keys.

    `attention` and models make it. `words` name the queries and `keys` the keys; they are the same unless
    they are two sentences. `allowed` (query, key) is False for masked keys, and None if the mask is unknown.
    """

    def __init__(
        self,
        patterns: Patterns,
        words: Sequence[str],
        keys: Sequence[str] | None = None,
        *,
        allowed: Allowed | None = None,
        about: WeightsOrigin,
        unit: str = "word",
    ) -> None:
        self.patterns, self.words, self.allowed = patterns, tuple(words), allowed
        self.keys = self.words if keys is None else tuple(keys)
        self._other_keys = None if keys is None else self.keys
        self._about, self._unit = about, unit

    def __repr__(self) -> str:
        n_layers, n_heads, n_queries, n_keys = self.patterns.shape
        size = f"{counted(n_layers, 'layer')} × {counted(n_heads, 'head')}, {n_queries} × {n_keys}"
        of = f" of {self._about.title}" if self._about.title else ""
        said = shorten(", ".join((size, *self._about.notes, *self._quoted())), 160, placeholder=" …")
        return f"<{type(self).__name__}{of}: {said}>"

    def heatmap(self, layer: int = 1, head: int = 1, *, title: str = "") -> Picture:
        """Draw one head as a matrix: rows are queries, columns are keys. Raises LabError for a missing head.

        >>> run.heatmap(layer=2, head=1).save("figure.pdf", width="77mm", theme="grey")
        """
        pattern, words, allowed = self._one(layer, head), self.words, self.allowed
        title = title or self._name(layer, head)
        chart: Chart = HeadMatrix(title=title, pattern=pattern, words=words, allowed=allowed, unit=self._unit)
        if self._other_keys is not None:
            chart = SentencePairMatrix(
                title=title, values=pattern, queries=words, keys=self.keys, allowed=allowed, unit=self._unit
            )
        return self._picture(chart, f"heatmap(layer={layer}, head={head})", f"&layer={layer}&head={head}")

    def lines(self, layer: int = 1, head: int = 1, *, title: str = "") -> Picture:
        """Draw one head as lines from queries, on the left, to keys. Raises LabError for a missing head."""
        chart = WordLines(
            pattern=self._one(layer, head),
            title=title or self._name(layer, head),
            words=self.words,
            keys=self._other_keys,
            allowed=self.allowed,
            unit=self._unit,
        )
        return self._picture(chart, f"lines(layer={layer}, head={head})", f"&layer={layer}&head={head}")

    def heads(self, *, title: str = "") -> Picture:
        """Draw all heads: a row for each layer, a small matrix for each head."""
        chart = Heads(
            title=title or "Attention weights of all heads",
            patterns=self.patterns,
            words=self.words,
            keys=self._other_keys,
            allowed=self.allowed,
            unit=self._unit,
        )
        return self._picture(chart, "heads()")

    def table(self, measures: Measures = USUAL) -> pd.DataFrame:
        """Measure each head; `measures` are as in `lab.table`. Columns: layer, head, and each measure."""
        return measure_patterns(self.patterns, measures, crosses=self._other_keys is not None)

    def _one(self, layer: int, head: int) -> Float[np.ndarray, "query key"]:
        _check_head(layer, head, self.patterns)
        return self.patterns[layer - 1, head - 1]

    def _name(self, layer: int, head: int) -> str:
        is_alone = self.patterns.shape[:2] == (1, 1)
        return "Attention weights" if is_alone else f"Layer {layer} · head {head}"

    def _quoted(self) -> list[str]:
        return list(map(quoted, self._about.sentences))

    def _picture(self, chart: Chart, call: str, place: str = "") -> Picture:
        about = self._about
        model = f"{about.title}: {about.described}" if about.described else ""
        said = (*self._quoted(), model or about.title, *about.notes)
        link = about.link and about.link + place
        provenance = {"link": link, "weights": model, "call": f"{about.call}.{call}"}
        if about.checkpoint:
            provenance["checkpoint"] = about.checkpoint
        caption = tuple(filter(None, said))
        return Picture(
            picture=chart, caption=caption, provenance_fields=provenance, sentence=about.sentences[0]
        )


class Run(Attention):
    """A sentence as a model reads it: attention weights, predictions, and the effects of heads.

    A model from `read` makes it. `loaded` is the model with the sentence, for all functions of
    `core.measures`.
    """

    def __init__(
        self,
        loaded: LoadedModel,
        about: WeightsOrigin,
        pieces: Pieces | None = None,
        *,
        ablated: frozenset[Head] = frozenset(),
    ) -> None:
        self.loaded, self._pieces, self._ablated, self._whole = loaded, pieces, ablated, about
        self._silenced = frozenset((layer - 1, head - 1) for layer, head in ablated)
        if ablated:
            names = ", ".join(f"head {head} of layer {layer}" for layer, head in sorted(ablated))
            about = about.after(f"ablate({', '.join(map(str, sorted(ablated)))})", f"without {names}")
        words = loaded.words if pieces is None else words_of_pieces(pieces.labels)
        unit, config, n = "word" if pieces is None else "token", loaded.model.config, len(words)
        n_bytes, free = 2 * config.n_layers * config.n_heads * n**2 * 4, free_memory()
        if free is not None and n_bytes > SHARE * free:
            raise LabError(
                f"The weights between {n} {unit}s would take {memory(n_bytes)}, and {memory(free)} are free: "
                "shorten the text."
            )
        edits = edits_without(self._silenced, config)
        with explained(about.title):
            run = forward_pass(loaded.model, loaded.tokens, edits=edits, keep=PATTERNS, states_only=True)
        allowed = np.broadcast_to(array_of(run.allowed()[0, 0]), (n, n))
        super().__init__(array_of(run.patterns()[:, 0]), words, allowed=allowed, about=about, unit=unit)

    def ablate(self, *heads: Head) -> "Run":
        """Return the sentence read without these heads, each a (layer, head) from 1; their output is 0.

        >>> run.ablate((2, 1), (2, 3)).next_words(5)
        """
        for one in heads:
            if not (isinstance(one, tuple | list) and len(one) == 2 and all(map(np.isscalar, one))):
                raise LabError(f"A head is a pair (layer, head), as in ablate((2, 1), (2, 3)); got {one!r}.")
            _check_head(*one, self.patterns)
        chosen = frozenset((int(layer), int(head)) for layer, head in heads)
        return Run(self.loaded, self._whole, self._pieces, ablated=self._ablated | chosen)

    def by_words(self) -> Attention:
        """Return the weights between whole words: means over a query's tokens, sums over a key's."""
        if (pieces := self._pieces) is None:
            return self
        about = self._about.after("by_words()", "tokens merged into words")
        merged = merge(self.patterns, pieces.groups)
        allowed = merge_allowed(np.asarray(self.allowed), pieces.groups)
        return Attention(merged, pieces.names, allowed=allowed, about=about)

    def next_words(self, n: int = 5, at: int | str | None = None) -> pd.DataFrame:
        """Return the `n` likeliest words after the word `at`: columns word and probability.

        `at` is a word of the run, or its place from 1; by default the last. A model that reads both sides,
        such as BERT, fills in `at`, which is hidden from it. After `ablate` there is a column `all heads`.
        Raises LabError for a model without an output layer.
        """
        position, found = self._position(at), self._prediction
        probabilities = found.probabilities(position)
        _check("n", n, len(probabilities))
        numbers = top_indices(found.log_probabilities[position], n)
        table = pd.DataFrame({"word": self._spelt(numbers), "probability": probabilities[numbers]})
        if self._ablated:
            table["all heads"] = predict(self.loaded).probabilities(position)[numbers]
        return table

    def predict(self) -> pd.DataFrame:
        """Return how well the model predicts each word: columns word, probability, rank and bits.

        `bits` is the surprisal. A word that the model does not predict has no numbers: the first word of a
        model that predicts the next one, a special token, or an unknown word.
        """
        found, places = self._prediction, range(len(self.words))
        losses, ranks = found.losses(), {at + found.ahead: found.rank(at) for at in places}
        columns = {
            "word": self.words,
            "probability": np.exp(-losses),
            "rank": pd.array([ranks.get(at) for at in places], dtype="Int64"),
            "bits": losses / np.log(2),
        }
        return pd.DataFrame(columns)

    def effects(self, at: int | str | None = None) -> pd.DataFrame:
        """Return how much each head, ablated alone, changes the prediction at a word.

        Columns: layer, head and `divergence`, D(before ‖ after) in nats. `at` is as in `next_words`. Heads
        that were ablated earlier stay ablated. Each head takes one more reading.
        """
        with explained(self._about.title):
            return head_effects(self.loaded, position=self._position(at))

    @cached_property
    def _prediction(self) -> Prediction:
        title = self._about.title
        if not isinstance(self.loaded.model, Transformer):
            raise LabError(f"{title} has no output layer, so it predicts no words: draw its heads.")
        with explained(title):
            return predict(self.loaded, silenced=self._silenced)

    def _spelt(self, numbers: Sequence[int]) -> list[str]:
        """Return words of the vocabulary; tokens are spelled as if each followed a word."""
        vocabulary = self.loaded.vocabulary.words
        words = [vocabulary[number] for number in numbers]
        if self._pieces is None:
            return words
        words = [self._pieces.readable(word) for word in words]
        if not any(word.startswith(BEGINS_WORD) for word in vocabulary):
            return words
        return [words_of_pieces([f"{BLANK}a", word])[1] for word in words]

    def _position(self, at: int | str | None) -> int:
        """Return the position from 0 of a word that is given by its place from 1 or its spelling."""
        if at is None:
            return max(set(range(len(self.words))) - set(self.loaded.special), default=0)
        if isinstance(at, str):
            if (n := self.words.count(at)) != 1:
                how = f"occurs {n} times" if n else "does not occur"
                raise LabError(f"{at!r} {how} in {', '.join(self.words)}: give its place, from 1.")
            return self.words.index(at)
        _check("at", at, len(self.words))
        return at - 1


def _check_head(layer: object, head: object, patterns: Patterns) -> None:
    _check("layer", layer, patterns.shape[0])
    _check("head", head, patterns.shape[1])


def _check(kind: str, value: object, most: int) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not 1 <= value <= most:
        raise LabError(f"{kind} must be a whole number from 1 to {most}, got {value!r}.")
