"""The program behind every view of the explorer."""

from core.programs import attention_program
from pages.shell.program import Program
from pages.shell.scene import Scene


def attention(scene: Scene) -> Program:
    """Prints the weights of the chosen head."""
    return Program(
        lambda: attention_program(scene.subject),
        prints=f"the weights of layer {scene.layer + 1}, head {scene.head + 1}",
    )
