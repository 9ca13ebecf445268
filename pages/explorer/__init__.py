"""The explorer: one sentence, one model, and what each word attends to, from overview to detail."""

from pages.contract.view import Page
from pages.explorer import compare, head_scores, heads, hiding, probabilities, similarity
from pages.explorer.explored import OPENING_HEAD as OPENING_HEAD

PAGE = Page(
    question="What does each word attend to?",
    views={
        "heads": heads.heads,
        "hiding": hiding.hiding,
        "compare": compare.compare,
        "head scores": head_scores.head_scores,
        "similarity": similarity.similarity,
        "probabilities": probabilities.probabilities,
    },
)
