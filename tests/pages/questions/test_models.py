"""What is asked of real models before they are listed."""

from pages.contract.question import Choose, solution
from pages.models.questions import what_a_real_model_has
from tests.pages.asked import Asked
from tests.pages.questions.read import whole


def test_a_larger_model_has_the_same_attention() -> None:
    asked = whole(what_a_real_model_has())
    assert isinstance(asked, Choose)
    assert solution(asked) == "its sizes and its weights"
    assert Asked("models").questions == [asked]
