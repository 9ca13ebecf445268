"""A scheme without positions: words then differ by their order only through the mask."""

from core.model.positions.base import PositionScheme, SchemeDescription


class NoPositions(PositionScheme):
    """No scheme: nothing is added, rotated or biased, and attention sees a bag of words."""

    about = SchemeDescription(
        title="no positions",
        name="none",
        in_brief="adds nothing",
        says="Nothing tells the model where a word stands: without a mask it sees a bag of words.",
    )
