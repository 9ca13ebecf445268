"""Recurrent networks from their equations: a simple RNN, an LSTM, and a language model with either."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import linear

from core.model.models import check_tokens
from core.model.trace import SILENT, Recorder

Network = Literal["rnn", "lstm"]

States = Float[Tensor, "batch position d_model"]
State = Float[Tensor, "batch d_model"]


def rnn_step(
    x: State,
    hidden: State,
    *,
    input_weight: Float[Tensor, "d_model d_model"],
    hidden_weight: Float[Tensor, "d_model d_model"],
    bias: Float[Tensor, "d_model"],
) -> State:
    """Return the next hidden state tanh(W h + U x + b): W is `hidden_weight`, U is `input_weight`.

    CS 224N note eq 4 and 20, with tanh for the nonlinearity; the bias is torch's addition.
    """
    return torch.tanh(linear(hidden, hidden_weight) + linear(x, input_weight, bias))


class LSTMStep(NamedTuple):
    """The six quantities of one step of an LSTM, in the order in which they are computed."""

    forget_gate: State
    input_gate: State
    output_gate: State
    candidate: State
    cell: State
    hidden: State


def lstm_step(
    x: State,
    hidden: State,
    cell: State,
    *,
    input_weight: Float[Tensor, "4*d_model d_model"],
    hidden_weight: Float[Tensor, "4*d_model d_model"],
    bias: Float[Tensor, "4*d_model"],
) -> LSTMStep:
    """Return the next hidden and cell state and the gates that made them.

    The equations are the six of the seq2seq slides. The rows of W, U and b for the four sums W h + U x + b
    lie in one matrix, as in torch: input gate, forget gate, candidate, output gate.
    """
    sums = linear(hidden, hidden_weight) + linear(x, input_weight, bias)
    i, f, c, o = sums.chunk(4, dim=-1)
    forget_gate = torch.sigmoid(f)
    input_gate = torch.sigmoid(i)
    output_gate = torch.sigmoid(o)
    candidate = torch.tanh(c)
    cell = forget_gate * cell + input_gate * candidate
    hidden = output_gate * torch.tanh(cell)
    return LSTMStep(forget_gate, input_gate, output_gate, candidate, cell, hidden)


Memory = tuple[State, ...]
"""State of a layer from word to word: a hidden state, and in an LSTM a cell state after it."""


class RecurrentLayer(nn.Module):
    """One layer that reads from the first word to the last; kinds of layers differ in `unroll`."""

    def forward(self, x: States, *, trace: Recorder = SILENT) -> States:
        """Return the hidden state after each word. Raises ValueError for a sentence without words."""
        return self.unroll(x, trace=trace)[0]

    def unroll(
        self, x: States, *, start: Memory | None = None, trace: Recorder = SILENT
    ) -> tuple[States, ...]:
        """Return the layer's states after each word, hidden states first; it begins at `start` or at zero."""
        raise NotImplementedError


class RNN(RecurrentLayer):
    """One layer of a simple recurrent network, from the first word to the last.

    Records `hidden`, the states it returns.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(d_model, d_model)
        self.from_hidden = nn.Linear(d_model, d_model, bias=False)

    def unroll(
        self, x: States, *, start: Memory | None = None, trace: Recorder = SILENT
    ) -> tuple[States, ...]:
        _check_words(x)
        (hidden,) = start or (torch.zeros_like(x[:, 0]),)
        states = []
        for word in x.unbind(dim=1):
            hidden = rnn_step(
                word,
                hidden,
                input_weight=self.from_input.weight,
                hidden_weight=self.from_hidden.weight,
                bias=self.from_input.bias,
            )
            states.append(hidden)
        return (trace("hidden", torch.stack(states, dim=1)),)


class LSTM(RecurrentLayer):
    """One layer of a long short-term memory, from the first word to the last.

    Records `forget_gate`, `input_gate`, `output_gate`, `candidate`, `cell` and `hidden`, the states it
    returns, each (batch, position, d_model). They are recorded after the last word is read. An edit of
    `hidden` reaches the layer above and any network that starts from this layer's last state; an edit of
    `cell` reaches only the latter; an edit of another changes the record alone.
    """

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.from_input = nn.Linear(d_model, 4 * d_model)
        self.from_hidden = nn.Linear(d_model, 4 * d_model, bias=False)

    def unroll(
        self, x: States, *, start: Memory | None = None, trace: Recorder = SILENT
    ) -> tuple[States, ...]:
        _check_words(x)
        hidden, cell = start or (torch.zeros_like(x[:, 0]),) * 2
        steps = []
        for word in x.unbind(dim=1):
            step = lstm_step(
                word,
                hidden,
                cell,
                input_weight=self.from_input.weight,
                hidden_weight=self.from_hidden.weight,
                bias=self.from_input.bias,
            )
            hidden, cell = step.hidden, step.cell
            steps.append(step)
        whole = LSTMStep(*(torch.stack(quantity, dim=1) for quantity in zip(*steps, strict=True)))
        recorded = LSTMStep(*(trace(name, value) for name, value in whole._asdict().items()))
        return recorded.hidden, recorded.cell


NETWORKS: Mapping[Network, type[RNN] | type[LSTM]] = MappingProxyType({"rnn": RNN, "lstm": LSTM})
"""The recurrent layers by name."""


@dataclass(frozen=True, kw_only=True)
class RecurrentConfig:
    """Configuration of a recurrent language model; equal configurations build equal models.

    Raises ValueError for a size below 1 and for an unknown network.
    """

    vocab_size: int
    network: Network = "lstm"
    d_model: int = 64
    n_layers: int = 1

    def __post_init__(self) -> None:
        for name in ("vocab_size", "d_model", "n_layers"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.network not in NETWORKS:
            raise ValueError(f"network must be one of {', '.join(get_args(Network))}, got {self.network!r}")


class RecurrentLanguageModel(nn.Module):
    """Word vectors, recurrent layers and logits: w_t ~ softmax(E h_{t−1}) (CS 224N note eq 18–20).

    Records `embed`, everything in `layers.0` … and `logits`.
    """

    def __init__(self, config: RecurrentConfig) -> None:
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config.vocab_size, config.d_model)
        self.layers = nn.ModuleList(NETWORKS[config.network](config.d_model) for _ in range(config.n_layers))
        self.unembed = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(
        self, tokens: Int[Tensor, "batch position"], *, trace: Recorder = SILENT
    ) -> Float[Tensor, "batch position vocab"]:
        """Return unnormalised log-probabilities of the next word at each position."""
        return self.continued(tokens, trace=trace)[0]

    def continued(
        self,
        tokens: Int[Tensor, "batch position"],
        *,
        starts: tuple[Memory, ...] | None = None,
        trace: Recorder = SILENT,
    ) -> tuple[Float[Tensor, "batch position vocab"], tuple[Memory, ...]]:
        """Return the logits and the memories of all layers after the last word.

        The memories are the `starts` of the following words. Without `starts` every layer begins at zero.
        """
        check_tokens(tokens, self.config.vocab_size)
        found = unroll_layers(self.layers, trace("embed", self.embed(tokens)), starts=starts, trace=trace)
        return trace("logits", self.unembed(found[-1][0])), last_memories(found)


def unroll_layers(
    layers: nn.ModuleList,
    x: States,
    *,
    starts: tuple[Memory, ...] | None = None,
    trace: Recorder = SILENT,
) -> list[tuple[States, ...]]:
    """Return the states of each layer after each word; each begins at its `starts`, or at zero."""
    found: list[tuple[States, ...]] = []
    for i, layer in enumerate(layers):
        assert isinstance(layer, RecurrentLayer), "NETWORKS has nothing else"
        start = None if starts is None else starts[i]
        found.append(layer.unroll(x, start=start, trace=trace.at(f"layers.{i}")))
        x = found[-1][0]
    return found


def last_memories(found: Sequence[tuple[States, ...]]) -> tuple[Memory, ...]:
    """Return the memory of every layer after the last word."""
    return tuple(tuple(states[:, -1] for states in layer) for layer in found)


def rows_of(memories: tuple[Memory, ...], chosen: Int[Tensor, "row"]) -> tuple[Memory, ...]:
    """Return the memories of these sentences, in this order; one may come several times."""
    return tuple(tuple(state[chosen] for state in memory) for memory in memories)


def _check_words(x: States) -> None:
    if x.shape[1] == 0:
        raise ValueError(f"x must have at least one position, got {tuple(x.shape)}")
