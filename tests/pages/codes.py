"""Codes by which the documents behind the app are cited: of use to a lecturer, a riddle to a student."""

import re

CODE = re.compile(
    r"(?<!%)\b[CE]\d{1,2}\b(?!⟩)"
    r"|\beqs?\.? ?\(?\d|\bequations? \(?\d|§ ?\d|\bsection \d|\bappendix [A-Z]\b|\bfootnote \d|\bFigure \d"
    r"|CS ?224N|\b[Ss]eq2seq slides|\bFNLP\b|\b[Tt]extbook\b|\blecture note\b|source slips|Beyond the sources"
)
"""Numbers of concepts, slips, equations and figures, and names of documents."""

WITH_CODES = ("sources", "lecture")
"""The addresses of the pages that cite the documents."""


def codes_in(text: str) -> list[str]:
    """Return the codes that stand in a text."""
    return CODE.findall(text)
