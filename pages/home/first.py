"""One sentence on what attention is, and a way on."""

from pages.contract.look import Look
from pages.contract.sheet import Sheet, Text
from pages.shell import Scene, View

ANSWER = "Attention lets a word take what it needs from the other words, more from some than from others."


def sheet(scene: Scene, look: Look) -> Sheet:
    """The sentence, and a link to the explorer."""
    return Sheet(answer=ANSWER, parts=(Text("[Explorer](/explorer) shows it on a sentence of your own."),))


VIEW = View(sheet=sheet)
