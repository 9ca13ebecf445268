"""The rules of the second language, behind a button: each with a sentence that shows it."""

import streamlit as st

from core.text.translation import NAME, RULES
from pages.controls.notes import HERE
from pages.controls.page_answers import bind_switch
from pages.controls.prose import literal
from pages.translation.said import translation_of

WHOLE = 200
"""Signs of an example: none has so many."""


def list_rules() -> None:
    """How the second language is made of ours; the examples are translated by the rules themselves."""
    bind = bind_switch("rules_table", HERE)
    title = f"The rules of {NAME}"
    expander = st.expander(title, key="rules_table", on_change="rerun", bind=bind, type="compact")
    if not expander.open:
        return
    expander.markdown(
        f"{NAME} is made by rule from a small artificial English: every sentence has one translation, and "
        "every word of it is linked with the words that it translates."
    )
    for rule in RULES:
        expander.markdown(
            f"**{rule.title.capitalize()}.** {rule.says}  \n"
            f"*{literal(rule.example, longest=WHOLE)}* → "
            f"*{literal(' '.join(translation_of(rule.example)), longest=WHOLE)}*"
        )
