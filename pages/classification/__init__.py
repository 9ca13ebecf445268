"""Classification: is a review one of praise or of blame, and which words make it so?

The views stand in the order of the row of views.
"""

from functools import partial

from pages.classification.classifier import CLASSIFIER, choose_classifier
from pages.classification.contributing import contributing
from pages.classification.flipping import flipping
from pages.classification.forgetting import forgetting
from pages.classification.one_review import one_review
from pages.shell import Page, View

BUT = "the acting was good but the story was boring ."
EXAMPLES = (
    BUT,
    "although the soup was not bland , the cakes were burnt .",
    "the film was never dull .",
    "i did not regret the dinner .",
    "the movie was not only funny but also clever .",
    "the dinner was great . the chef ate the cakes . the dogs run on the square .",
)

_of_review = partial(View, sentence=BUT, examples=EXAMPLES)

PAGE = Page(
    question="Is a review one of praise or of blame?",
    views={
        "one review": _of_review(draw=one_review),
        "contributions": _of_review(
            draw=contributing,
            switches=frozenset({CLASSIFIER}),
            question="Which words make the verdict?",
        ),
        "flips": _of_review(draw=flipping, question="Which small change turns the verdict round?"),
        "forgetting": View(draw=forgetting, question="How long does the last state remember?"),
    },
    choose=choose_classifier,
    former_names={"verdicts_table": "review_verdicts_table"},
)
