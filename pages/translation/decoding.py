"""Decoding of a translation: the strategy, its given beginning, its end and its log-probability."""

from collections.abc import Sequence

from core.measures.translation.writing import Strategy, WrittenTranslation
from core.text.translation import NAME, SPECIAL, vocabulary
from pages.contract.ask import Ask
from pages.contract.prose import Typed
from pages.contract.sampling import ask_sampling
from words import counted

MOST_GIVEN = 32
"""Greatest number of given words; a longer translation is seldom right."""


def ask_strategy(ask: Ask) -> Strategy:
    """Return how words are chosen."""
    way = ask.choice("way", hide_label=True)
    if way == "beam":
        return Strategy(way=way, width=ask.menu("beam", width=150))
    if way == "greedy":
        return Strategy(way=way)
    sampling, seed = ask_sampling(ask)
    return Strategy(way=way, sampling=sampling, seed=seed)


BY_LENGTH = " It is not divided by the length, so shorter translations are preferred."


def how(strategy: Strategy) -> str:
    """Return how each word is chosen that is not given."""
    given = "The first words are given. " * bool(strategy.prefix)
    step, word = ("each further step", "Each further word") if strategy.prefix else ("each step", "Each word")
    if strategy.way == "beam":
        kept = "one beginning" if strategy.width == 1 else f"{strategy.width} beginnings"
        return (
            f"{given}At {step} the beam keeps the {kept} with the largest log-probability so far (the number "
            f"under a word).{BY_LENGTH * (strategy.width > 1)}"
        )
    if strategy.way == "sampled":
        return (
            f"{given}{word} is drawn by chance: logits are divided by the temperature, then the words beyond "
            "top k and top p are left out. The same seed draws the same words. The probabilities in "
            "sentences are the model's own, at temperature 1."
        )
    return f"{given}{word} is the likeliest one, given the source and the words before it."


def ending(text: WrittenTranslation) -> str:
    """Return whether the translation reached its end."""
    if text.ended:
        return "The model ended the translation itself."
    return f"The translation was cut off after {counted(len(text.words), 'step')}."


def worth(text: WrittenTranslation, greedy: WrittenTranslation, way: str) -> str:
    """Return the log-probability of the translation, beside the greedy translation's."""
    own = f"The log-probability of the whole translation is **{nats(text.total)}**"
    if way == "greedy":
        return f"{own}, the sum over its words."
    if text.words == greedy.words:
        return f"{own}. Greedy decoding writes the same words."
    if way == "beam" and greedy.total > text.total:
        lost = "the beam dropped the beginning of that translation on the way"
        return f"{own}. The greedy translation has {nats(greedy.total)}: {lost}."
    return f"{own}. The greedy translation has {nats(greedy.total)}."


def given(begins: Sequence[Typed]) -> tuple[str, ...]:
    """Return the given first words of a translation that Verano has."""
    return tuple(str(word) for word in begins[:MOST_GIVEN] if not _is_strange(word))


def not_given(begins: Sequence[Typed]) -> list[str]:
    """Return why a translation does not begin with all given words."""
    notes = []
    if len(begins) > MOST_GIVEN:
        notes.append(f"At most {MOST_GIVEN} words can be given: the first of your {len(begins)}.")
    strange = dict.fromkeys(word for word in begins[:MOST_GIVEN] if _is_strange(word))
    if strange:
        listed = ", ".join(f"**{word}**" for word in strange)
        notes.append(f"{NAME} does not have {listed}: the translation begins without.")
    return notes


def nats(log_probability: float) -> str:
    """Return a log-probability with its unit."""
    return f"{log_probability:.3f} nats".replace("-", "−")


def _is_strange(word: Typed) -> bool:
    return str(word) not in vocabulary() or str(word) in SPECIAL
