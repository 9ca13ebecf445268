"""The state of a room, for phones and for its host."""

from collections.abc import Sequence
from typing import Any

import orjson

from rooms.distributions import distribution
from rooms.free_words import approved_alone, counted_words
from rooms.replies import without_solution
from rooms.room import Room, Round
from rooms.store import Store

SIDE_BY_SIDE = 2
"""The most rounds of one question that are compared."""


def tag_of(room: Room) -> str:
    """Return a tag that changes whenever phones have to show something else."""
    return f"{room.now.number}{'r' if room.now.is_revealed else 'a'}" if room.now else "0"


def for_phone(room: Room, mine: str | None) -> dict[str, Any]:
    """Return the state for a phone, without the solution before the reveal; `mine` is its answer as JSON."""
    asked = room.now
    if asked is None:
        return {"round": 0}
    question = dict(asked.question) if asked.is_revealed else without_solution(asked.question)
    answered = None if mine is None else orjson.loads(mine)
    return {
        "round": asked.number,
        "revealed": asked.is_revealed,
        "question": question,
        "mine": answered,
        "once_more": changed_settings(compared_rounds(room)),
        "is_same": len({one.question["text"] for one in compared_rounds(room)}) == 1,
        "ends": room.ends,
    }


def compared_rounds(room: Room) -> list[Round]:
    """Return the last rounds of the current question, which were asked with different settings."""
    return _rounds_of_the_question(room)[-SIDE_BY_SIDE:]


def _rounds_of_the_question(room: Room) -> list[Round]:
    return [one for one in room.rounds if room.now and one.about == room.now.about]


def changed_settings(rounds: Sequence[Round]) -> str | None:
    """Return the settings in which the last of the rounds differs, such as "Mask: causal".

    It is None if the question is asked for the first time. With other settings, such as another sentence, a
    view can ask another question at the same place.
    """
    if len(rounds) < SIDE_BY_SIDE:
        return None
    names = dict.fromkeys(name for one in rounds for name in one.settings)
    differing = [name for name in names if len({one.settings.get(name) for one in rounds}) > 1]
    # A setting of only one round comes with another setting, such as the seed with random weights.
    shared = [name for name in differing if all(name in one.settings for one in rounds)]
    last = rounds[-1].settings
    return ", ".join(f"{name}: {last.get(name, 'none')}" for name in shared or differing)


def for_owner(store: Store, room: Room, counts: Sequence[int]) -> dict[str, Any]:
    """Return the compared rounds for the host: counts, and the answers to revealed questions.

    `nth` counts the rounds of the question, and `number` all rounds of the room, both from 1.
    """
    compared = compared_rounds(room)
    first = len(_rounds_of_the_question(room)) - len(compared) + 1
    rounds = [
        {"nth": nth, **_round(store, room, one, count)}
        for nth, (one, count) in enumerate(zip(compared, counts, strict=True), first)
    ]
    return {"code": room.code, "ends": room.ends, "rounds": rounds}


def _round(store: Store, room: Room, one: Round, count: int) -> dict[str, Any]:
    said = {
        "number": one.number,
        "about": one.about,
        "settings": dict(one.settings),
        "question": dict(one.question),
        "revealed": one.is_revealed,
        "count": count,
    }
    are_words = one.question["kind"] == "words"
    if not (one.is_revealed or are_words):
        return said
    answers = [orjson.loads(answer) for answer in store.answers(room.code, one.number)]
    if are_words:
        said |= {"words": counted_words(answers), "approved": list(one.approved)}
    if one.is_revealed:
        shown = approved_alone(answers, one.approved) if are_words else distribution(one.question, answers)
        said |= {"count": len(answers), "shown": shown}
    return said
