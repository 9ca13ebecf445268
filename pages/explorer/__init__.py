"""The explorer: one sentence, one model, and what each word attends to, from overview to detail.

The views stand in the order of the row of views.
"""

from pages.explorer import (
    all_heads,
    compare,
    head_scores,
    hiding,
    lines,
    matrix,
    probabilities,
    similarity,
    stages,
)
from pages.explorer.explored import OPENING_HEAD as OPENING_HEAD
from pages.shell import Page

PAGE = Page(
    question="What does each word attend to?",
    views={
        "all heads": all_heads.VIEW,
        "matrix": matrix.VIEW,
        "lines": lines.VIEW,
        "stages": stages.VIEW,
        "hiding": hiding.VIEW,
        "compare": compare.VIEW,
        "head scores": head_scores.VIEW,
        "similarity": similarity.VIEW,
        "probabilities": probabilities.VIEW,
    },
)
