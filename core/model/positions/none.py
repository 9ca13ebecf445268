"""A scheme without positions: only the mask then tells words apart by their order."""

from core.model.positions.base import About, PositionScheme


class NoPositions(PositionScheme):
    """Nothing is added, rotated or biased: attention sees a bag of words."""

    about = About(
        title="no positions",
        name="none",
        in_brief="adds nothing",
        says="Nothing tells the model where a word stands: without a mask it sees a bag of words.",
    )
