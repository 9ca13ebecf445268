"""What the views of a typed review have in common."""

from typing import Any

BUT = "the acting was good but the story was boring ."
DIFFERS = "although the film was good , the ending was not dull ."
"""A review on which the classifiers disagree: three of the seven say praise."""

EXAMPLES = (
    BUT,
    "although the soup was not bland , the cakes were burnt .",
    "the film was never dull .",
    "i did not regret the dinner .",
    "the movie was not only funny but also clever .",
    "the dinner was great . the chef ate the cakes . the dogs run on the square .",
)

OF_REVIEW: dict[str, Any] = {"sentence": BUT, "examples": EXAMPLES}
"""The review in the box at first, and those one click away from it."""
