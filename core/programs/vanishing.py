"""Programs about gradients on their way back through a text: they vanish, explode, or arrive."""

from collections.abc import Sequence

from core.learning.collection.members import RECURRENT_WIDTH
from core.measures.distance import long_range
from core.measures.gradients import clipping
from core.measures.gradients.distance import STAGES, long_text
from core.measures.gradients.gates import NAME as LSTM_NAME
from core.measures.gradients.jacobians import NAME as RNN_NAME
from core.measures.gradients.jacobians import Weights
from core.model.config import ModelConfig
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
        "from copy import deepcopy\n\nimport torch\n\nfrom core.learning.collection import take\n"
        "from core.model.initialisation import initialise\nfrom core.model.trace import Trace\n"
        "from core.text import language",
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
        _drawn(weights.seed, layer + 1) if drawn else _FETCHED.format(name=RNN_NAME),
        _UNROLLING.format(
            n_layers=layer + 1,
            orthogonal=_ORTHOGONAL if weights.recurrence == "orthogonal" else "",
            scale=weights.scale,
            bias="" if drawn else _BIAS,
        ),
        _PRODUCT,
    )


_FETCHED = f"""
    d_model = {RECURRENT_WIDTH}
    weights = load_file("checkpoints/{{name}}.safetensors")
    weights = {{{{name: weight.double() for name, weight in weights.items()}}}}
"""
_BIAS = ' + weights[f"layers.{i}.from_input.bias"]'


def _drawn(seed: int, n_layers: int, *, n_sums: int = 1) -> str:
    """Lines that draw the weights of a recurrent network at initialisation, where biases are 0.

    In each step it has `n_sums` sums of d_model numbers: an RNN 1 and an LSTM 4.
    """
    outputs = "d_model" if n_sums == 1 else f"{n_sums} * d_model"
    return joined(
        normal_numbers(seed),
        f"""
        n_words, d_model = {len(language.vocabulary())}, {RECURRENT_WIDTH}
        weights = {{"embed.weight": normal("embed.weight", n_words, d_model).double()}}
        for i in range({n_layers}):
            for part in ("from_input", "from_hidden"):
                name = f"layers.{{i}}.{{part}}.weight"
                weights[name] = (normal(name, {outputs}, d_model) * d_model**-0.5).double()
        """,
    )


_STEPS = """
    x = weights["embed.weight"][tokens]
    for i in range({n_layers}):
        hidden, cell = torch.zeros(2, d_model).double()
        states, cells, gates = [], [], []
        for word in x:
            sums = weights[f"layers.{{i}}.from_hidden.weight"] @ hidden
            sums = sums + weights[f"layers.{{i}}.from_input.weight"] @ word{bias}
            write, forget, candidate, out = sums.view(4, d_model)
            write, forget, out = write.sigmoid(), forget.sigmoid(), out.sigmoid()
            cell = (forget * cell + write * candidate.tanh()).requires_grad_()
            hidden = out * cell.tanh()
            states.append(hidden)
            cells.append(cell)
            gates.append({{"forget": forget, "input": write, "output": out}})
        x = torch.stack(states)
"""

_LEFT = """
    order = torch.stack([gate["forget"] for gate in gates]).mean(0).argsort(descending=True, stable=True)
    for word, gate in zip(words, gates):
        print(f"{{word:>12}}", *(f"{{value:.4f}}" for value in gate["{gate}"][order].tolist()))
    direct, every = torch.ones(d_model).double(), torch.eye(d_model).double()
    for back in range(len(words)):
        (jacobian,) = torch.autograd.grad(
            cells[-1], cells[-1 - back], every, is_grads_batched=True, retain_graph=True
        )
        numbers = torch.linalg.svdvals(jacobian)[0], direct.max(), direct.mean()
        print(back, *(f"{{number:.5e}}" for number in numbers))
        direct = direct * gates[-1 - back]["forget"]
"""


def gates_program(words: Sequence[str], *, layer: int, gate: str, seed: int | None) -> str:
    """A program that prints a gate of every unit at every word, and what is left of the cell for every k.

    That is the largest singular value of ∂c_n / ∂c_{n−k}, and the largest and the mean product of the last k
    forget gates. `layer` counts from 0; with a `seed` the LSTM is at initialisation.
    """
    drawn = seed is not None
    return program(
        "The gates of an LSTM over a sentence, and what they leave of the cell k words back.",
        IMPORTS_FOR_NORMAL if drawn else "import torch\nfrom safetensors.torch import load_file",
        literal("words", list(words)) + "\n" + literal("tokens", language.encode(words).tokens[0].tolist()),
        _FETCHED.format(name=LSTM_NAME) if seed is None else _drawn(seed, layer + 1, n_sums=4),
        _STEPS.format(n_layers=layer + 1, bias="" if drawn else _BIAS),
        _LEFT.format(gate=gate),
    )


_TEXTS = """
    n_words, size = len(language.vocabulary()), {batch} * ({length} + 1)
    sentences = chain.from_iterable(sentence.words for sentence in language.sentences(seed=0))
    texts = [language.encode(list(islice(sentences, size))).tokens.view({batch}, -1) for _ in range({steps})]
"""

_WEIGHTS = """
    torch.set_num_threads(1)  # as on the page: with more, sums are in another order
    d = {d_model}
    embed = normal("embed.weight", n_words, d)
    from_input = normal("layers.0.from_input.weight", d, d) * d**-0.5
    from_hidden = normal("layers.0.from_hidden.weight", d, d) * d**-0.5
    unembed = normal("unembed.weight", n_words, d) * d**-0.5
    start = [one.double() for one in (embed, from_input, torch.zeros(d), from_hidden, unembed)]
    start[3] *= {scale!r}
"""

_TRAINING = """
    for clips in (True, False):
        weights = [weight.clone().requires_grad_() for weight in start]
        embed, from_input, bias, from_hidden, unembed = weights
        for step, text in enumerate(texts, start=1):
            states = [torch.zeros({batch}, d).double()]
            for word in functional.embedding(text[:, :-1], embed).unbind(1):
                before = functional.linear(states[-1], from_hidden)
                states.append(torch.tanh(before + functional.linear(word, from_input, bias)))
            loss = functional.cross_entropy(functional.linear(states[-1], unembed), text[:, -1])
            gradients = torch.autograd.grad(loss, weights + states[1:])
            norm = torch.stack([gradient.square().sum() for gradient in gradients[:5]]).sum().sqrt()
            factor = min(1.0, {threshold} / norm.item()) if clips else 1.0
            recurrent = gradients[3].norm()
            print(f"{{step}} {{loss:.5f}} {{recurrent:.5e}} {{factor * recurrent:.5e}}")
            if step == 1:
                slopes = [(1 - state**2) * down for state, down in zip(states[1:], gradients[5:])]
                parts = [(slope.T @ state).norm() for slope, state in zip(slopes[1:], states[1:])]
                print("parts", *(f"{{factor * part:.5e}}" for part in reversed(parts)))
            with torch.no_grad():
                for weight, gradient in zip(weights, gradients):
                    weight -= {rate} * factor * gradient
"""
"""The operations of `training`, in its order: where gradients explode, a rounding error more is seen."""


def clipping_program(scale: float, *, seed: int) -> str:
    """A program that trains the RNN with clipping and without, and prints the norms of every step."""
    sizes = {
        "batch": clipping.BATCH,
        "length": clipping.LENGTH,
        "steps": clipping.STEPS,
        "d_model": clipping.D_MODEL,
        "rate": clipping.RATE,
        "threshold": clipping.THRESHOLD,
        "scale": scale,
    }
    return program(
        "A short training of an RNN, its gradient clipped and not: loss, and norms before and after.",
        "from itertools import chain, islice\n" + IMPORTS_FOR_NORMAL + "\nfrom torch.nn import functional\n\n"
        "from core.text import language",
        normal_numbers(seed),
        *(lines.format(**sizes) for lines in (_TEXTS, _WEIGHTS, _TRAINING)),
    )
