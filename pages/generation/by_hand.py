"""Words chosen by hand in place of a model's own: kept in the link, in the order of the choices."""

from contextlib import suppress

from core.measures.generation.by_hand import ByHand, spell, unspell, with_choice
from pages.contract.ask import Ask
from pages.contract.sheet import Changes, Link
from pages.contract.words import Words

BY_HAND = "by_hand"
"""The parameter of the link that has the words chosen."""


def ask_by_hand(ask: Ask, given: Words) -> tuple[ByHand, ...]:
    """What the link says of the words given: after others the choices are those of another text, and go."""
    instead = "the texts without words chosen by hand"
    chosen: tuple[ByHand, ...] = ask.spelt(
        BY_HAND, unspell, default=(), instead=instead, about=tuple(map(str, given))
    )
    return chosen


def choose_by_hand(writer: str, step: int, word: str, link: Link) -> Changes:
    """Have a writer go on with this word at a step, counted from 0."""
    return _changed(with_choice(chosen_in(link), ByHand(writer, step, word)))


def undo_button(ask: Ask, chosen: tuple[ByHand, ...]) -> None:
    """The button that takes back the word chosen last."""
    ask.button(
        "Take back the last word",
        take_back,
        key="undo",
        icon=":material/undo:",
        is_off=not chosen,
        help="Takes back the word chosen last by hand, whatever else was done since.",
    )


def take_back(link: Link) -> Changes:
    """The choices without the last one."""
    return _changed(chosen_in(link)[:-1])


def chosen_in(link: Link) -> tuple[ByHand, ...]:
    """The choices that a link says were made; none where it says something impossible."""
    with suppress(ValueError):
        return unspell(",".join(link.get(BY_HAND, [])))
    return ()


def _changed(choices: tuple[ByHand, ...]) -> Changes:
    return {BY_HAND: spell(choices) if choices else None}
