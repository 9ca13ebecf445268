"""What one expects of an encoder–decoder without attention, before its accuracy is shown."""

from collections.abc import Mapping

from core.learning.evaluation.translation import Share
from pages.contract.predict import choose, is_near, luck
from pages.contract.question import Choose, Option
from viz.units import per_cent

ALIKE = 0.02
"""Difference up to which two shares are about the same."""


def right_without_attention(network: str, shares: Mapping[str, tuple[Share, Share]]) -> Choose | None:
    """Ask for whole sentences right without attention, at the length at which attention helps most.

    `shares` has those right without it and with it, by length; None if there are none.
    """
    if not shares:
        return None
    words, (alone, attending) = max(shares.items(), key=lambda one: one[1][1].value - one[1][0].value)
    gap = attending.value - alone.value
    margin = luck(alone.value, attending.value, min(alone.n, attending.n))
    alike = is_near(gap, 0, within=ALIKE, beyond=margin)
    return choose(
        f"Of sentences with {words} words the {network} with attention gets {per_cent(attending.value)} "
        f"wholly right. How many does the {network} without attention get right?",
        Option("clearly fewer", None if alike is None else not alike and gap > 0),
        Option("about as many", alike),
        Option("clearly more", None if alike is None else not alike and gap < 0),
        because=(
            f"It gets {per_cent(alone.value)} right. Without attention the last state of the encoder has to "
            "hold the whole sentence. With attention the decoder reads the states of all words."
        ),
    )
