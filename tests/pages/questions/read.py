"""What tests read of a question."""

from pages.contract.question import Choose, Estimate, Question


def whole(question: Question | None) -> Question:
    """A question that is asked: its answer is no tie."""
    assert question is not None
    return question


def reasons(question: Question | None) -> dict[str, str]:
    """What resolves each option of a choice."""
    asked = whole(question)
    assert isinstance(asked, Choose)
    return {one.text: one.why_not for one in asked.options}


def mistaken(question: Question | None) -> list[float]:
    """The values that come of a known misconception, to one decimal."""
    asked = whole(question)
    assert isinstance(asked, Estimate)
    return [round(value, 1) for value, _ in asked.mistaken]
