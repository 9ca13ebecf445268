"""The rules of the second language, one click away: each with a sentence that shows it."""

from core.text.translation import NAME, RULES
from pages.contract.sheet import Fold, Text
from pages.controls.prose import literal
from pages.translation.source_sentence import translation_of

WHOLE = 200
"""Signs of an example: none has so many."""

MADE = (
    f"{NAME} is made by rule from a small artificial English: every sentence has one translation, and every "
    "word of it is linked with the words that it translates."
)


def rules() -> Fold:
    """How the second language is made of ours; the examples are translated by the rules themselves."""
    listed = (
        Text(
            f"**{rule.title.capitalize()}.** {rule.says}  \n"
            f"*{literal(rule.example, longest=WHOLE)}* → "
            f"*{literal(' '.join(translation_of(rule.example)), longest=WHOLE)}*"
        )
        for rule in RULES
    )
    return Fold(f"The rules of {NAME}", (Text(MADE), *listed), key="rules")
