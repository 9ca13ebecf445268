"""Our recurrent networks are torch's, step for step, and none of them sees the future."""

import pytest
import torch
from torch import Tensor, nn

from core.model.recurrent import LSTM, NETWORKS, RNN, Network, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace
from tests.core.references import TOLERANCE, close, noise, noisy, torchs_network
from tests.covering import each

BATCH, WORDS, D_MODEL, VOCAB = 3, 7, 5, 11
GATES = ["forget_gate", "input_gate", "output_gate", "candidate", "cell", "hidden"]


def model_of(
    network: Network, *, n_layers: int = 2, dtype: torch.dtype = torch.float64
) -> RecurrentLanguageModel:
    """Return a language model with noise in every parameter, biases too."""
    config = RecurrentConfig(vocab_size=VOCAB, network=network, d_model=D_MODEL, n_layers=n_layers)
    return noisy(RecurrentLanguageModel(config), dtype=dtype)


def tokens_of(batch: int = BATCH, words: int = WORDS, *, seed: int = 3) -> Tensor:
    return torch.randint(VOCAB, (batch, words), generator=torch.Generator().manual_seed(seed))


@each("dtype", TOLERANCE)
@each("n_layers", [1, 2])
@each("network", NETWORKS)
def test_states_and_gradients_agree_with_torchs_network(
    network: Network, n_layers: int, dtype: torch.dtype
) -> None:
    layers = model_of(network, n_layers=n_layers, dtype=dtype).layers
    theirs = torchs_network(layers, network)
    ours_x, theirs_x = (noise(BATCH, WORDS, D_MODEL, dtype=dtype).requires_grad_() for _ in range(2))
    direction = noise(BATCH, WORDS, D_MODEL, seed=5, dtype=dtype)
    ours = nn.Sequential(*layers)(ours_x)
    expected = theirs(theirs_x)[0]
    (ours * direction).sum().backward()
    (expected * direction).sum().backward()
    close(ours, expected)
    close(ours_x.grad, theirs_x.grad)
    for i, layer in enumerate(layers):
        for mine, name in (
            (layer.from_input.weight, "weight_ih"),
            (layer.from_hidden.weight, "weight_hh"),
            (layer.from_input.bias, "bias_ih"),
        ):
            close(mine.grad, getattr(theirs, f"{name}_l{i}").grad)


@each("network", NETWORKS)
def test_the_language_model_is_torchs_embedding_network_and_linear_map(network: Network) -> None:
    model, tokens = model_of(network), tokens_of()
    theirs = torchs_network(model.layers, network)
    expected = theirs(model.embed.weight[tokens])[0] @ model.unembed.weight.T
    torch.testing.assert_close(model(tokens), expected)


@pytest.mark.parametrize(("network", "recorded"), [("rnn", ["hidden"]), ("lstm", GATES)])
def test_a_trace_records_every_quantity_of_every_layer(network: Network, recorded: list[str]) -> None:
    trace = Trace()
    logits = model_of(network)(tokens_of(), trace=trace)
    expected = ["embed", *(f"layers.{i}.{name}" for i in range(2) for name in recorded), "logits"]
    assert list(trace) == expected
    assert {trace[name].shape for name in expected[:-1]} == {(BATCH, WORDS, D_MODEL)}
    assert trace["logits"] is logits
    if network == "lstm":
        forget, write, output, candidate, cell, hidden = (trace[f"layers.1.{name}"] for name in GATES)
        earlier = torch.cat([torch.zeros_like(cell[:, :1]), cell[:, :-1]], dim=1)
        torch.testing.assert_close(cell, forget * earlier + write * candidate)
        torch.testing.assert_close(hidden, output * cell.tanh())


@each(
    ("options", "message"),
    [
        ({"vocab_size": 0}, "vocab_size must be at least 1, got 0"),
        ({"vocab_size": 7, "d_model": 0}, "d_model must be at least 1, got 0"),
        ({"vocab_size": 7, "n_layers": 0}, "n_layers must be at least 1, got 0"),
        ({"vocab_size": 7, "network": "gru"}, "network must be one of rnn, lstm, got 'gru'"),
    ],
)
def test_a_model_that_cannot_be_is_refused_by_name(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RecurrentConfig(**options)


def test_unreadable_input_is_refused() -> None:
    for layer in (RNN(D_MODEL), LSTM(D_MODEL)):
        with pytest.raises(ValueError, match=r"at least one position, got \(2, 0, 5\)"):
            layer(torch.zeros(2, 0, D_MODEL))
    with pytest.raises(ValueError, match="tokens must lie between 0 and vocab_size - 1 = 10, got 0 to 11"):
        model_of("rnn")(torch.tensor([[0, 11]]))
