"""Programs about gradients on their way back through a text: they vanish, explode, or arrive."""

from collections.abc import Sequence

from core.analysis.distance import long_range
from core.analysis.gradients.networks import STAGES, long_text
from core.config import ModelConfig
from core.programs.text import literal, program

_REACH = '''
    def norms(model, states):
        """The largest singular value of d(last state) / d(word vector), from the last word to the first."""

        def last_state(vectors):
            trace = Trace(edits={"embed": lambda _: vectors})
            model(tokens, trace=trace)
            return trace[states][0, -1]

        read = Trace(keep=["embed"])
        model(tokens, trace=read)
        jacobian = torch.autograd.functional.jacobian(last_state, read["embed"].detach())
        return torch.linalg.svdvals(jacobian[:, 0].transpose(0, 1))[:, 0].flip(0)

'''

_PRINTING = """
    for name, states in networks.items():
        for stage in stages:
            model = deepcopy(take(name)).cpu().requires_grad_(False)
            if stage == "initial":
                initialise(model, seed=seed)
            print(f"{name} {stage}", *(f"{norm:.5e}" for norm in norms(model.double(), states).tolist()))
"""


def reach_program(words: Sequence[str], config: ModelConfig, *, seed: int, furthest: int) -> str:
    """A program that prints how far the word k back can move the last state, k = 0 … furthest, by network."""
    states = dict.fromkeys(long_range.rivals("agreement", config).values(), "layers.1.hidden")
    states[long_range.rivals("agreement", config)[long_range.TRANSFORMER]] = "norm"
    return program(
        "How far the word k back can move the last state, for k = 0, 1, 2, …: a line for each network.",
        "from copy import deepcopy\n\nimport torch\n\nfrom core.initialisation import initialise\n"
        "from core.learning.collection import take\nfrom core.text import language\n"
        "from core.trace import Trace",
        literal("words", list(long_text(words, furthest + 1)))
        + f"\ntokens, seed = language.encode(words).tokens, {seed}\n"
        f"networks = {states!r}\nstages = {STAGES!r}",
        _REACH,
        _PRINTING,
    )
