"""Golden texts are compared in every word, and in all digits of numbers except the last."""

from tests.covering import each
from tests.golden.agreement import agree


@each(
    ("one", "other", "agrees"),
    [
        ("*met* gives 97 %.", "*met* gives 96 %.", True),
        ("*met* gives 97 %.", "*met* gives 95 %.", False),
        ("0.894 and 1.23", "0.895 and 1.22", True),
        ("0.894", "0.896", False),
        ("0.89", "0.894", False),
        ("1,458.2", "1,458.3", True),
        ("head 3", "head 4", False),
        ("0.5", "0.5 and 0.5", False),
        ("2.1·10⁻³", "2.2·10⁻³", True),
        ("2.1·10⁻³", "2.3·10⁻³", False),
        ("4·10⁻⁸", "9·10⁻⁹", True),
        ("4·10⁻⁸", "3·10⁻⁹", False),
        ("4·10⁻¹⁵", "3·10⁻¹⁸", True),
        ("5514.555", "5514.557", True),
        ("first\nsecond", "first", False),
        ("[steps_chart] from 16.6 to 0.94", "[steps_chart] from 16.6 to 0.58", True),
        ("[steps_chart] from 16.6 to 0.94", "[steps_chart] from 16.6", False),
        ("[other_chart] from 16.6 to 0.94", "[other_chart] from 16.6 to 0.58", False),
    ],
)
def test_words_agree_exactly_and_numbers_within_one_unit(one: str, other: str, agrees: bool) -> None:
    assert agree(one, other) is agrees
    assert agree(other, one) is agrees
