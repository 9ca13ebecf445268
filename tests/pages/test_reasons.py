"""A view gives a reason only if it is mathematics or measured in the same view."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pages

CAUSAL = re.compile(r"\b(because|therefore|thus|hence|that is why|which is why|so that|due to)\b", re.I)
SENTENCE_ENDS = re.compile(r"(?<=[.!?:;])\s+")
ELSEWHERE = {"terms", "syllabus"}

REASONS = {
    ", because exp(0) = 1": "mathematics",
    "10⁻⁵ is added to the variance, so that": "mathematics",
    "**A causal mask reveals the order**, because": "the table beside it has the same models without a mask",
    "both roots are the same, because d_head is d": "mathematics",
    "weights are set by hand, so that every number can be read": "an intention",
    "with *because the* or *so the*": "a quotation",
    "has no bar for the change, because it always sees": "mathematics: hiding never hides a word from itself",
    "is not scored, because nothing stands before it": "mathematics: its probability needs a word before",
}
"""Sentences with a causal word, and the evidence for each. A new one needs a line here, or must go."""


QUESTIONS = re.compile(r"\b(Choose|Estimate|Sketch|Arrange|Question)\b")
"""Functions that return texts of questions, which are tested with their answers."""


class _WithoutQuestions(ast.NodeTransformer):
    """Takes functions that make questions out of a module."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        returned = "" if node.returns is None else ast.unparse(node.returns)
        return None if QUESTIONS.search(returned) else self.generic_visit(node)


def strings(source: str) -> Iterator[str]:
    """Yield the texts in a module, joined if they are formatted, without docstrings and questions."""
    tree = _WithoutQuestions().visit(ast.parse(source))
    inner = {
        id(one) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for one in ast.walk(node)
    } | {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


def sentences() -> Iterator[str]:
    """Yield the sentences of all views; explanations of questions are tested with the questions."""
    root = Path(pages.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if "questions" in path.name or path.relative_to(root).parts[0] in ELSEWHERE:
            continue
        source = path.read_text("utf-8")
        for text in strings(source) if CAUSAL.search(source) else ():
            yield from (one for one in SENTENCE_ENDS.split(text) if " " in one)


def test_every_reason_is_mathematics_or_measured_where_it_is_given() -> None:
    given = [one for one in sentences() if CAUSAL.search(one)]
    unfounded = [one for one in given if not any(known in one for known in REASONS)]
    assert unfounded == [], "measure it in the same view, or leave it out"
    assert [known for known in REASONS if not any(known in one for one in given)] == []


def test_a_reason_is_found_in_any_kind_of_text() -> None:
    source = '''
def said(n):
    """Because of a docstring nothing is said."""
    return f"It falls to {n}, because it has never learned that. So be it.", "Plain, so that it ends."

def asked() -> Choose | None:
    return choose("Why?", because="That is because it is.")
'''
    found = [one for text in strings(source) for one in SENTENCE_ENDS.split(text) if CAUSAL.search(one)]
    assert found == ["It falls to {}, because it has never learned that.", "Plain, so that it ends."]
