"""Who did what to whom: what trained models answer when the two nouns change places."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.learning.collection import name_of, take
from core.measures.order import exchange
from core.measures.order.exchange import Replies
from core.model.config import POSITIONS, ModelConfig
from core.model.masks import freest_first
from core.model.models import Transformer
from core.sources import UnavailableError
from pages.contract.ask import Ask
from pages.contract.look import Look
from pages.contract.question import Question
from pages.contract.sheet import Changes, Fold, Point, Remark, Sheet, Shown, Text
from pages.controls.examples import BREAD, OVEN
from pages.controls.memory import remembered
from pages.controls.prose import Typed
from pages.controls.weights import absent_of, missing_notes
from pages.order_invariance import exchange_said as said
from pages.order_invariance.exchange_said import Expected
from pages.order_invariance.orders import IN_TWO_ORDERS, schemes_in_brief
from pages.order_invariance.questions import right_without_positions
from pages.shell import Scene, View
from pages.shell.five import five
from viz.bar_rows import bars
from viz.text import quoted

BECAUSE = ("because", "the")


@dataclass(frozen=True)
class Found:
    """How often every trained model is right, and what that of the switches expects of the two orders.

    `table` has a row for each mask and position scheme, without numbers where `missing` names the model.
    """

    config: ModelConfig
    question: str
    table: pd.DataFrame
    missing: str
    expected: tuple[Expected, ...]


def ask(ask: Ask, scene: Scene) -> str:
    """The question."""
    question: str = ask.choice("question", options=list(exchange.QUESTIONS), hide_label=True)
    return question


def find(scene: Scene, question: str) -> Found:
    """All models asked. Raises UnavailableError where there is none of them."""
    config = scene.switches.config
    missing = absent_of("trained", exchange.asked_of(config))
    table = _accuracies(config.n_heads, config.norm, question, missing)
    if table["accuracy"].isna().all():
        raise UnavailableError(missing)
    return Found(config, question, table, missing, _expected(scene))


@remembered(saying="Asking all trained models …")
def _accuracies(n_heads: int, norm: str, question: str, missing: str) -> pd.DataFrame:
    config = ModelConfig.of_switches(n_heads=n_heads, norm=norm)
    return exchange.accuracies(config, question, take)


def blind(config: ModelConfig) -> ModelConfig:
    """The causal model without positions that has the heads and the norm of `config`."""
    return ModelConfig.of_switches(n_heads=config.n_heads, norm=config.norm, positions="none", mask="causal")


def _expected(scene: Scene) -> tuple[Expected, ...]:
    """What the trained model of the switches expects after both orders, if just two words change places."""
    config, first, second = scene.switches.config, scene.words, scene.other
    same = sorted(first) == sorted(second)
    positions = exchange.changed_places(first, second) if same else None
    if positions is None:
        first, second = (tuple(map(Typed, text.split())) for text in (OVEN, BREAD))
        positions = exchange.changed_places(first, second)
    assert positions is not None
    nouns = [str(first[at]) for at in positions]
    asked = [[*map(str, order[: max(positions) + 1]), *BECAUSE] for order in (first, second)]
    try:
        model = take(name_of(config))
    except OSError:
        return ()
    assert isinstance(model, Transformer), "the collection says so"
    return tuple(
        Expected(words, dict(zip(nouns, exchange.expected(model, words, nouns), strict=True)))
        for words in asked
    )


def sheet(found: Found, look: Look) -> Sheet:
    """A bar for every model, and what the models can tell."""
    n_pairs, question = exchange.N_PAIRS, found.question
    held_out = said.held_out(exchange.n_unseen(question), 2 * n_pairs, exchange.met_together(question))
    told = f"{said.asked(question)} {said.told(found.table)}"
    example = (Text(said.next_word(found.expected)),) if found.expected else ()
    return Sheet(
        answer=said.answer(found.table),
        notes=missing_notes(found.missing),
        parts=(
            _picture(found, look),
            Text(told),
            *example,
            Remark(schemes_in_brief()),
            Fold("How this was measured", (Text(held_out),)),
        ),
    )


def _picture(found: Found, look: Look) -> Shown:
    picture = bars(
        found.table["accuracy"].to_numpy().reshape(len(freest_first()), len(POSITIONS)),
        dict.fromkeys(freest_first(), look.theme.attention),
        POSITIONS,
        title=f"Accuracy on {quoted(found.question)}, by mask and position scheme",
        theme=look.theme,
        narrow=look.is_narrow,
        table=lambda: found.table,
        top=1,
        chosen=POSITIONS.index(found.config.positions),
        level=(exchange.GUESSING, "chance"),
    )
    return Shown("exchange", picture, on_click=lambda points, link: choose(points))


def choose(points: Sequence[Point]) -> Changes:
    """The change of the switches to the model whose bar was clicked."""
    mask, positions = points[-1]["data"]
    return {"mask": freest_first()[mask], "positions": POSITIONS[positions]}


def questions(found: Found) -> tuple[Question | None, ...]:
    """How often models without positions are right: that with the mask chosen, and the causal one."""
    blind = found.table[found.table["positions"] == "none"].dropna().set_index("mask")
    masks = [mask for mask in dict.fromkeys((found.config.mask, "causal")) if mask in blind.index]
    return tuple(
        right_without_positions(mask, Replies(*(int(blind.at[mask, name]) for name in Replies._fields)))
        for mask in masks
    )


# Trained models alone answer, and only those that the collection has: the other switches do nothing.
VIEW = View(
    sheet=five(ask=ask, find=find, sheet=sheet, questions=questions),
    switches=frozenset({"positions", "mask", "heads", "norm"}),
    **IN_TWO_ORDERS,
)
