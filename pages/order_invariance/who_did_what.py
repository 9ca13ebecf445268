"""Who did what to whom: the answers of trained models when the two nouns change places."""

from collections.abc import Mapping, Sequence

import pandas as pd

from core.learning.collection import load_listed_member, name_of
from core.measures.order import exchange
from core.measures.order.exchange import GUESSING, N_PAIRS, SeenNounPairs, SwapCounts
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import freest_first
from core.model.models import Transformer
from core.model.positions import SCHEMES
from core.sources import UnavailableError
from core.text.language import encode
from pages.contract.ask import Ask
from pages.contract.caching import cached_for_all
from pages.contract.examples import BREAD, OVEN
from pages.contract.model_descriptions import EITHER_TASK, in_words
from pages.contract.prose import Typed
from pages.contract.question import Choose, Option
from pages.contract.question_builders import choose, luck
from pages.contract.scene import Scene
from pages.contract.sheet import Caption, Changes, Fold, Part, PicturePart, Point, Sheet, Text
from pages.contract.view import view
from pages.contract.weights import absent_of, missing_notes
from pages.order_invariance.compared import IN_TWO_ORDERS
from viz.bar_rows import BarRows
from viz.text import quoted
from viz.theme import Role
from words import enumerated, part_of, per_cent

SURE = 0.9
"""Share of right answers of a model that can tell the orders apart."""

AGENT, _ = exchange.QUESTIONS
"""The question that the two examples ask."""

BECAUSE = ("because", "the")

SCHEMES_IN_SHORT = (
    "*Learned* and *sinusoidal* add a vector of the position to each word. *Rotary* turns queries and keys "
    "by an angle that grows with the position. *ALiBi* takes an amount off a score for each word of "
    "distance. *Relative* adds a learned number for each distance, a relative bias."
)
"""The schemes in a sentence each."""

NEAR_THE_LINE = (
    f"A bar within {100 * luck(GUESSING, GUESSING, 2 * N_PAIRS):.0f} points of the line may be luck."
)

NOT_LEARNED = (
    "**This model can tell the orders apart, and is still not clearly better than a guess.** Its mask makes "
    "its outputs differ between the orders, but its one training hardly taught it to use the difference."
)
"""Note on a model with different answers to the two orders, but no better accuracy than a guess."""


# Only trained models of the collection can answer, so the other switches would have no effect.
@view(switches=frozenset({"positions", "mask", "heads", "norm"}), **IN_TWO_ORDERS)
def who_did_what_to_whom(ask: Ask, scene: Scene) -> Sheet:
    """Draw a bar for every trained model, and say how those without positions answer."""
    question: str = ask.choice("question", options=list(exchange.QUESTIONS), hide_label=True)
    config = scene.switches.config
    missing = absent_of("trained", exchange.asked_of(config))
    table = _accuracies(config.n_heads, config.norm, question, missing)
    if table["accuracy"].isna().all():
        raise UnavailableError(missing)
    expected = next_word(_expected(scene), is_asked=question == AGENT)
    masks = (config.mask,) if ask.look.fills else freest_first()  # a hall sees the mask of the switches
    shown = table[table["mask"].isin(masks)]
    n_unseen, together = exchange.n_unseen(question), exchange.met_together(question)
    return Sheet(
        headline=headline(shown, config),
        caption=Caption(
            models=lambda: (in_words(config, EITHER_TASK, but=("mask", "positions")),),
            notes=("a model for each mask and position scheme", "test sentences in both orders"),
            chosen=False,
        ),
        notes=missing_notes(missing),
        parts=(
            _picture(shown, masks, question, config),
            Text(f"{asked(question)} {without_positions(table)}"),
            Text(f"{SCHEMES_IN_SHORT} {NEAR_THE_LINE} {below_a_guess(table)}".rstrip()),
            *((Text(expected),) if expected else ()),
            Fold("How this was measured", (Text(held_out(n_unseen, 2 * N_PAIRS, together)),)),
        ),
        questions=lambda: (answers_without_order(table),),
    )


@cached_for_all(saying="Asking all trained models …")
def _accuracies(n_heads: int, norm: str, question: str, missing: str) -> pd.DataFrame:
    config = ModelConfig.of_switches(n_heads=n_heads, norm=norm)
    return exchange.accuracies(config, question, load_listed_member)


def _picture(table: pd.DataFrame, masks: Sequence[str], question: str, config: ModelConfig) -> Part:
    """Draw a row of bars for each mask, a bar for each position scheme; a single row needs no mask's name."""
    rows: dict[str, Role] = dict.fromkeys(masks if len(masks) > 1 else ["accuracy"], "attention")
    by = "by mask and position scheme" if len(masks) > 1 else f"{masks[0]}, by position scheme"
    picture = BarRows(
        shares=table["accuracy"].to_numpy().reshape(len(rows), len(POSITIONS)),
        rows=rows,
        columns=[SCHEMES[positions].about.name for positions in POSITIONS],
        title=f"Accuracy on {quoted(question)}, {by}",
        make_table=lambda: table,
        chosen=POSITIONS.index(config.positions),
        level=(GUESSING, f"guess: {per_cent(GUESSING)}"),
    )
    return PicturePart("exchange", picture, on_click=lambda points, link: choose_model(points, masks))


def choose_model(points: Sequence[Point], masks: Sequence[str]) -> Changes:
    """Return the change of the switches to the model whose bar was clicked; `masks` are those of the rows."""
    mask, positions = points[-1]["data"]
    return {"mask": masks[mask], "positions": POSITIONS[positions]}


def headline(table: pd.DataFrame, config: ModelConfig) -> str:
    """Return how often the model of the switches is right, and how many models nearly always are."""
    found = table.dropna()
    own = found[(found["mask"] == config.mask) & (found["positions"] == config.positions)]["accuracy"]
    able = int((found["accuracy"] >= SURE).sum())
    models = part_of(able, len(found), "model")
    others = f"{models[0].upper()}{models[1:]} {'is' if able == 1 else 'are'} right in 90 % or more"
    if own.empty:
        return f"A guess is right in {per_cent(GUESSING)} of sentences. {others}."
    right = float(own.iloc[0])
    guess = f"; a guess is right in {per_cent(GUESSING)}"
    beside = ", not clearly more often than a guess" if is_a_guess(right) else guess
    which = _with_positions(config.positions)
    return f"The {config.mask} model {which} is right in {per_cent(right)} of sentences{beside}. {others}."


def _with_positions(positions: str) -> str:
    return "without positions" if positions == "none" else f"with {SCHEMES[positions].about.title}"


def asked(question: str) -> str:
    """Return what trained models are asked, with an example."""
    shown = [f"`{' '.join(one.words[: one.place])} …`" for one in exchange.pairs(question)[0]]
    return (
        f"Trained models complete {N_PAIRS} sentences in both orders, such as {shown[0]} and {shown[1]}. A "
        "model that ignores order gives the same answer for both orders, so it is right for one order."
    )


def without_positions(table: pd.DataFrame) -> str:
    """Return for each model without positions how often it is right and how often its answers differ."""
    blind = table[table["positions"] == "none"].dropna()
    alike = [f"**{mask}**" for mask in blind[blind["n_differing"] == 0]["mask"]]
    told = []
    if alike:
        models, give = ("models", "give") if len(alike) > 1 else ("model", "gives")
        told.append(
            f"Without positions the {enumerated(alike)} {models} {give} both orders the same answer in all "
            f"{N_PAIRS} pairs, and so {'are' if len(alike) > 1 else 'is'} right in {per_cent(GUESSING)}."
        )
    for row in blind[blind["n_differing"] > 0].itertuples():
        found = SwapCounts(int(row.n_right), int(row.n_differing))
        right = per_cent(row.accuracy)
        told.append(f"Without positions the **{row.mask}** model is right in {right}: {judged(found)}.")
        if is_a_guess(row.accuracy):
            told.append(NOT_LEARNED)
    return " ".join(told)


def is_a_guess(accuracy: float) -> bool:
    """Return whether a share of right answers is within luck."""
    return abs(accuracy - GUESSING) <= luck(accuracy, GUESSING, 2 * N_PAIRS)


def judged(replies: SwapCounts) -> str:
    """Return in how many pairs a model has two answers, and in how many of these both are right."""
    n, right = replies.n_differing, replies.n_both_right
    differ = f"its answers to the two orders differ in {n} of {N_PAIRS} pairs"
    if n == 1:
        return f"{differ}, and both are {'right' if right else 'wrong'}"
    return (
        f"{differ}. Both answers are right in {'all' if right == n else right or 'none'} of these {n} pairs"
    )


def held_out(n_unseen: int, n: int, together: SeenNounPairs | None) -> str:
    """Return which of the sentences were held out of training, and which parts of them were not."""
    elsewhere = (
        f"Sentences of other kinds do have {together.met} of the {together.n} pairs together."
        if together is not None
        else "Sentences of other kinds may have both."
    )
    if n_unseen == n:
        held = "No training sentence of this kind has the two nouns of a test sentence together"
    else:
        held = (
            f"For **{n_unseen} of these {n} sentences**, no training sentence of this kind has the two nouns "
            "together"
        )
    return (
        f"{held}, with *because the* or *so the*, in either order. A right answer there is not remembered "
        f"from training. {elsewhere}"
    )


def below_a_guess(table: pd.DataFrame) -> str:
    """Return which models are clearly right less often than a guess, and in how many pairs; empty if none."""
    found = table.dropna()
    told = []
    for row in found[found["accuracy"] < GUESSING].itertuples():
        if is_a_guess(row.accuracy):
            continue
        replies = judged(SwapCounts(int(row.n_right), int(row.n_differing)))
        told.append(
            f"The {row.mask} model {_with_positions(row.positions)} is right in {per_cent(row.accuracy)} of "
            f"sentences, less often than a guess: {replies}. This page cannot say why."
        )
    return " ".join(told)


Expected = tuple[Sequence[str], Mapping[str, float]]
"""Some words, and the probability of each of the two nouns as the next one."""


def _expected(scene: Scene) -> tuple[Expected, ...]:
    """Ask the trained model of the switches for the next word in both orders of the sentence.

    It is asked about the oven and the bread unless exactly two words have changed places and it knows
    all words.
    """
    config, first, second = scene.switches.config, scene.words, scene.other
    is_asked = sorted(first) == sorted(second) and not encode(scene.plain).unknown
    positions = exchange.changed_places(first, second) if is_asked else None
    if positions is None:
        first, second = (tuple(map(Typed, text.split())) for text in (OVEN, BREAD))
        positions = exchange.changed_places(first, second)
    assert positions is not None
    nouns = [str(first[at]) for at in positions]
    both = [[*map(str, order[: max(positions) + 1]), *BECAUSE] for order in (first, second)]
    try:
        model = load_listed_member(name_of(config))
    except OSError:
        return ()
    assert isinstance(model, Transformer), "the collection says so"
    return tuple(
        (words, dict(zip(nouns, exchange.expected(model, words, nouns), strict=True))) for words in both
    )


def next_word(expected: Sequence[Expected], *, is_asked: bool) -> str:
    """Return the probabilities of both nouns after both orders; empty without a model.

    They answer who did it: if the accuracies are not about that (`is_asked`), the sentence says so.
    """
    lines = [
        f"After *{Typed(' '.join(words)):200}*, the chosen model gives {_shares(shares)}."
        for words, shares in expected
    ]
    other = f"These answer the other question, {quoted(AGENT)}. " if lines and not is_asked else ""
    return other + " ".join(lines)


def _shares(shares: Mapping[str, float]) -> str:
    """Return the likelier of two nouns with its probability, and then the other."""
    ranked = sorted(shares, key=shares.__getitem__, reverse=True)
    return " and ".join(f"*{Typed(noun)}* a probability of {per_cent(shares[noun])}" for noun in ranked)


def answers_without_order(table: pd.DataFrame) -> Choose | None:
    """Ask how often the model without positions and without a mask is right."""
    blind = table[(table["positions"] == "none") & (table["mask"] == "bidirectional")].dropna()
    if blind.empty:
        return None
    found = SwapCounts(int(blind["n_right"].iloc[0]), int(blind["n_differing"].iloc[0]))
    return choose(
        f"A model without positions and without a mask completes {N_PAIRS} sentences in both orders. In one "
        "order the right answer is the first noun, in the other the second. How often is it right?",
        Option("in half of the sentences", found.n_differing == 0),
        Option("almost never", False, "Even the same answer to both orders is right for one of the two."),
        Option("almost always", False, "Then its answers to the two orders would have to differ."),
        because="It sees a bag of words and gives the same answer for both orders, so it is right for one "
        "order.",
    )
