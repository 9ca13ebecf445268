"""What one expects of a text that is written word by word, before the views of generation show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.contract.predict import MOST_OPTIONS, choose, choose_largest, sketch
from pages.contract.question import Choose, Estimate, Sketch
from pages.controls.prose import Typed
from viz.units import per_cent

NEAR = 7
"""Points of per cent by which an estimate may miss a probability."""

LAST_WORDS = 5
"""Number of words named of the text before."""

MOST_QUOTED = 160
"""Characters of a text that are quoted."""


@dataclass(frozen=True)
class NextWord:
    """What a model of the name gives the words after a text, the likeliest first, of a whole vocabulary."""

    name: str
    before: tuple[str, ...]
    words: tuple[str, ...]
    shares: tuple[float, ...]
    n_words: int

    @property
    def read(self) -> str:
        """The end of the text before, to be quoted."""
        cut = len(self.before) > LAST_WORDS
        return f"{'… ' * cut}{Typed(' '.join(self.before[-LAST_WORDS:]))}"


def likeliest_word(asked: NextWord) -> Choose | None:
    """The word that a model finds likeliest, among the next ones."""
    top = dict(zip(asked.words[:MOST_OPTIONS], asked.shares, strict=False))
    best = max(top, key=top.__getitem__, default="")
    return choose_largest(
        f"The {asked.name} has read *{asked.read}*. Which word does it find the likeliest to come next?",
        {f"*{Typed(word)}*": top[word] for word in sorted(top)},
        because=f"*{Typed(best)}* has the largest probability.",
    )


def share_of_likeliest(asked: NextWord) -> Estimate:
    """How sure a model is of its likeliest word."""
    share = 100 * asked.shares[0]
    certain = (
        100.0,
        "A language model gives every word of the vocabulary a probability, and these share 100 %. Rarely "
        "one word alone is possible.",
    )
    return Estimate(
        text=(
            f"Of {asked.n_words} words, the {asked.name} finds *{Typed(asked.words[0])}* the likeliest after "
            f"*{asked.read}*. How likely?"
        ),
        right=share,
        bounds=(0, 100),
        unit="%",
        near=NEAR,
        mistaken=() if abs(share - 100) <= NEAR else (certain,),
        because=f"{per_cent(1 - asked.shares[0])} is left for all other words.",
    )


def greedy_text() -> Choose:
    """Whether the likeliest words make the likeliest text."""
    return choose(
        "A model writes greedily: the likeliest word at every step. Is its text the likeliest of all texts?",
        "not always",
        {
            "always": (
                "The probability of a text is the product of those of its words. The likeliest first word "
                "may lead to unlikely ones."
            ),
        },
        because=(
            "A less likely word can lead to a text that is more likely as a whole. Greedy decoding never "
            "looks ahead."
        ),
    )


def same_seed() -> Choose:
    """Whether chance makes another text each time."""
    return choose(
        "Words are drawn by chance, twice, each time with the same seed. Do the two texts differ?",
        "no",
        {"yes": "The seed decides all that is drawn: only another seed draws other words."},
        because="A seed makes chance repeatable, so a link shows everybody the same text.",
    )


def largest_surprisal(
    writer: str, text: Sequence[str], words: Sequence[Typed], nats: Sequence[float]
) -> Choose | None:
    """The word of a text that a model expects least; `words` of it differ, and each has a surprisal."""
    found = dict(zip(words, nats, strict=True))
    return choose_largest(
        f"The {writer} reads *{Typed(' '.join(text)):{MOST_QUOTED}}* word by word. Which of these words has "
        "the largest surprisal?",
        {f"*{word}*": value for word, value in found.items()},
        because=(
            f"Its surprisal is {max(nats, default=0.0):.1f} nats. Surprisal is −ln p: the less likely a "
            "word is after those before it, the larger."
        ),
    )


def best_reader(writer: str, of_text: Mapping[str, float], of_tests: Mapping[str, float]) -> Choose | None:
    """The model with the smallest perplexity on a text that one of them wrote."""
    why_not = {}
    if of_text and of_tests:
        best, usual = min(of_text, key=of_text.__getitem__), min(of_tests, key=of_tests.__getitem__)
        if best != usual:
            why_not[usual] = (
                f"The {usual} has the smallest perplexity on test sentences, but not on every text."
                f"{' The writer expects its own words best.' * (best == writer)}"
            )
    told = ", ".join(f"{name} {value:.2f}" for name, value in of_text.items())
    return choose_largest(
        f"RNN, LSTM and Transformer read a text by the {writer}. Which has the smallest perplexity on it?",
        of_text,
        because=f"Perplexities of this text: {told}.",
        why_not=why_not,
        smallest=True,
    )


def row_of_weights(head: str, keys: Sequence[Typed], weights: Sequence[float]) -> Sketch | None:
    """The weights of a head at the last of the words so far, the `keys`, to choose the next word."""
    if not keys:
        return None
    largest, most = max(zip(weights, keys, strict=True))
    return sketch(
        f"To choose the word after *{keys[-1]}*, {head} attends to the words so far. Draw its weights.",
        [str(key) for key in keys],
        weights,
        because=f"*{most}* gets {per_cent(largest)}. Equal weights would be {per_cent(1 / len(keys))} each.",
    )


def text_twice_as_long(writer: str, ratio: float) -> Choose | None:
    """What a writer keeps of a text twice as long, as a `ratio` to what it keeps of this one."""
    grows, stays = "twice as much", "as much as before"
    by_ratio = {1.0: stays, 2.0: grows}
    if ratio not in by_ratio:
        return None
    why_not = {
        stays: "A Transformer keeps a key and a value of every word, so that later words can attend to them.",
        grows: "A recurrent network hands on states of one size: a longer text has to fit into them.",
    }
    right = by_ratio[ratio]
    wrong = {other: said for other, said in why_not.items() if other != right}
    wrong["four times as much"] = (
        "Attention has a weight for each pair of words, four times as many, but none of them is kept."
    )
    return choose(
        f"A text is twice as long. What does the {writer} keep of it to write the next word?",
        right,
        wrong,
        because={
            stays: "Its states have one size for every text.",
            grows: "Keys and values of all words are kept, so that none is computed twice.",
        }[right],
    )
