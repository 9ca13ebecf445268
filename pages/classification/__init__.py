"""Classification: is a review positive or negative, and which words decide it?"""

from pages.classification import flips, one_review
from pages.classification.classifier import choose_classifier
from pages.contract.view import Page

PAGE = Page(
    question="Does a review praise or blame?",
    views={"one review": one_review.one_review, "flips": flips.flips},
    choose=choose_classifier,
)
