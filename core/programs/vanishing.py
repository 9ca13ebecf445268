"""Programs about gradients on their way back through a text: they vanish, explode, or arrive."""

from collections.abc import Sequence

from core.analysis.distance import long_range
from core.analysis.gradients.jacobians import NAME, Weights
from core.analysis.gradients.networks import STAGES, long_text
from core.config import ModelConfig
from core.learning.collection.members import RECURRENT_WIDTH
from core.programs.text import joined, literal, program
from core.programs.weights import IMPORTS_FOR_NORMAL, normal_numbers
from core.text import language

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


_UNROLLING = """
    x = weights["embed.weight"][tokens]
    for i in range({n_layers}):
        matrix = weights[f"layers.{{i}}.from_hidden.weight"]{orthogonal}
        matrix = {scale!r} * matrix
        hidden, states = torch.zeros(d_model).double(), []
        for word in x:
            from_word = weights[f"layers.{{i}}.from_input.weight"] @ word{bias}
            hidden = torch.tanh(matrix @ hidden + from_word)
            states.append(hidden)
        x = torch.stack(states)
"""

_ORTHOGONAL = """
        q, r = torch.linalg.qr(matrix)
        matrix = q * r.diagonal().sign()"""

_PRODUCT = """
    product = torch.eye(d_model).double()
    for back, state in enumerate(reversed(x[1:]), start=1):
        factor = torch.diag(1 - state**2) @ matrix
        product = product @ factor
        singular = torch.linalg.svdvals(factor)
        numbers = torch.linalg.svdvals(product)[0], singular[0], singular.square().mean().sqrt()
        print(back, *(f"{number:.5e}" for number in numbers))
"""


def jacobians_program(words: Sequence[str], weights: Weights, *, layer: int, furthest: int) -> str:
    """A program that prints for every k the norm of the product, and two means of its last factor.

    They are the largest singular value of ∂h_n / ∂h_{n−k}, that of the factor that came last, and the
    root mean square of all singular values of this factor. `layer` counts from 0.
    """
    text = long_text(words, furthest + 1)
    drawn = weights.recurrence != "trained"
    return program(
        "The way back through an RNN: a factor for every word, and their product.",
        IMPORTS_FOR_NORMAL if drawn else "import torch\nfrom safetensors.torch import load_file",
        literal("words", list(text)) + "\n" + literal("tokens", language.encode(text).tokens[0].tolist()),
        _drawn(weights.seed, layer + 1) if drawn else _FETCHED,
        _UNROLLING.format(
            n_layers=layer + 1,
            orthogonal=_ORTHOGONAL if weights.recurrence == "orthogonal" else "",
            scale=weights.scale,
            bias="" if drawn else ' + weights[f"layers.{i}.from_input.bias"]',
        ),
        _PRODUCT,
    )


_FETCHED = f"""
    d_model = {RECURRENT_WIDTH}
    weights = load_file("checkpoints/{NAME}.safetensors")
    weights = {{name: weight.double() for name, weight in weights.items()}}
"""


def _drawn(seed: int, n_layers: int) -> str:
    """Lines that draw the weights of an RNN at initialisation, where biases are 0."""
    return joined(
        normal_numbers(seed),
        f"""
        n_words, d_model = {len(language.vocabulary())}, {RECURRENT_WIDTH}
        weights = {{"embed.weight": normal("embed.weight", n_words, d_model).double()}}
        for i in range({n_layers}):
            for part in ("from_input", "from_hidden"):
                name = f"layers.{{i}}.{{part}}.weight"
                weights[name] = (normal(name, d_model, d_model) * d_model**-0.5).double()
        """,
    )
