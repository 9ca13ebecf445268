"""What is said below the picture of one head: a word found again, an attention sink."""

from pages.explorer.again import again_note
from pages.explorer.shown import HEAD, Weights
from pages.explorer.sink import sink_note
from pages.shell.scene import Scene


def notes_of(scene: Scene, shown: Weights) -> str:
    """The notes on the chosen head, a paragraph each; empty where there are none, or more than one head."""
    if shown.kind != HEAD:
        return ""
    return "\n\n".join(f":material/info: {note}" for note in (again_note(scene), sink_note(scene)) if note)
