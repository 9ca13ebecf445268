"""Programs about pretrained encoder–decoders: what one writes about a text, and what it attends to."""

from collections.abc import Sequence

from core.programs.text import literal, program
from core.programs.translation import PATHS

_IMPORTS = """
    import torch

    from core.pretrained import read
    from core.model.trace import Trace
"""

_WRITING = """
    model = read(folder).model
    source = torch.tensor([tokens])
    with torch.inference_mode():
        while len(target) <= {longest} and (len(target) == 1 or target[-1] not in ends):
            target.append(int(model((source, torch.tensor([target])))[0, -1].argmax()))
"""

_PATTERN = """
    trace = Trace(keep=["{path}"])
    with torch.inference_mode():
        model((source, torch.tensor([target[:-1]])), trace=trace)
    for row in trace["{path}"][0, {head}]:
        print(*(f"{{weight:.2f}}" for weight in row.tolist()))
"""


def pretrained_pair_program(
    folder: str,
    pieces: Sequence[str],
    tokens: Sequence[int],
    target: Sequence[int],
    *,
    ends: Sequence[int],
    longest: int,
    kind: str,
    layer: int,
    head: int,
) -> str:
    """A program that has a model write and prints the weights of one head; layer and head count from 0.

    The text is given in `pieces` and their numbers, and `target` are those that the target begins with.
    """
    path = PATHS[kind].format(layer=layer)
    return program(
        "Attention while a pretrained encoder–decoder writes: a row for every piece that is read or written.",
        _IMPORTS,
        "\n".join(
            [
                literal("folder", folder),
                literal("pieces", list(pieces)),
                literal("tokens", list(tokens)) + "  # the numbers of these pieces in the vocabulary",
                literal("target", list(target)) + "  # what the model reads before it writes",
                literal("ends", list(ends)),
            ]
        ),
        _WRITING.format(longest=longest),
        _PATTERN.format(path=path, head=head),
    )
