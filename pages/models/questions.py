"""What one expects of a real model, before it is listed."""

from pages.contract.predict import choose, mistakes
from pages.contract.question import Choose, Estimate, Option
from pages.controls.prose import Typed
from pages.controls.sizes import parameters

MEGA = 1e6
NEAR = 0.15
"""Share of an amount of memory by which an estimate may miss it."""


def memory_of(title: Typed, n_parameters: int, in_memory: int) -> Estimate:
    """The memory that the parameters of a model take, `in_memory` bytes."""
    right = in_memory / MEGA
    one_byte = "That would be one byte for each: a number in single precision takes four."
    return Estimate(
        text=(
            f"*{title}* has {parameters(n_parameters)} parameters, each a number in single precision. How "
            "much memory do they need?"
        ),
        right=right,
        bounds=(0, 100 * right),
        unit="MB",
        decimals=1,
        near=NEAR * right,
        mistaken=mistakes(right, (n_parameters / MEGA, one_byte), near=NEAR * right),
        because="Each parameter takes four bytes.",
    )


def what_a_real_model_has() -> Choose | None:
    """Ask what tells a real model from the small ones of this app."""
    return choose(
        "What tells a real model from the small ones of this app?",
        Option("its sizes and its weights", True),
        Option(
            "the formula of its attention",
            False,
            "Queries, keys, softmax and sum of values are the same: our own modules run it.",
        ),
        Option(
            "attention weights that explain its predictions",
            False,
            "A large weight need not change what is predicted, however large the model.",
        ),
        because="Layers, heads and texts are more, and words come in pieces.",
    )
