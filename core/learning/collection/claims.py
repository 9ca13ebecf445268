"""What the records of the collection claim, measured again."""

from pathlib import Path

from core.device import choose_device
from core.learning.checkpoints import load, read_record
from core.learning.collection.checkpoint_store import FOLDER, path_of
from core.learning.collection.making import described
from core.learning.collection.members import MEMBERS

ROUNDING = 1e-3
"""How far a loss in nats, or an accuracy over all words, may lie off on another machine."""

TIES = 2 / 256
"""How far a share of some hundred answers may lie off: another machine may round two ties the other way."""


def untrue(name: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """A line for each number in a member's record that is not found when it is measured again."""
    path = path_of(name, folder)
    record = read_record(path)
    again = described(load(path).to(choose_device()), MEMBERS[name].task, record.recipe)
    nothing = float("nan")
    claims = [
        ("loss", record.loss, again.loss, ROUNDING),
        ("accuracy", record.accuracy, again.accuracy, ROUNDING),
    ]
    for what in sorted(record.accuracies.keys() | again.accuracies.keys()):
        claims.append((what, record.accuracies.get(what, nothing), again.accuracies.get(what, nothing), TIES))
    return tuple(
        f"{name}: {what} is {claimed:.4f} in the record and {found:.4f} measured again"
        for what, claimed, found, most in claims
        if not abs(claimed - found) <= most  # not a number where one of them lacks it
    )
