"""Step by step: one head from words to output, a matrix at a time."""

from pages.contract.view import Page
from pages.step_by_step import one_head, soft_lookup, three_matrices
from pages.step_by_step.model import choose_model

PAGE = Page(
    question="How does one head turn words into output?",
    views={
        "one head": one_head.one_head,
        "soft lookup": soft_lookup.soft_lookup,
        "why three matrices": three_matrices.three_matrices,
    },
    choose=choose_model,
)
