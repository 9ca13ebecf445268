"""Our recurrent networks are torch's, step for step, and none of them sees the future."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from core.model.recurrent import (
    LSTM,
    NETWORKS,
    RNN,
    Network,
    RecurrentConfig,
    RecurrentLanguageModel,
    lstm_step,
    rnn_step,
)
from core.model.trace import Trace, replace

BATCH, WORDS, D_MODEL, VOCAB = 3, 7, 5, 11
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
TORCHS = {"rnn": nn.RNN, "lstm": nn.LSTM}
GATES = ["forget_gate", "input_gate", "output_gate", "candidate", "cell", "hidden"]


def noise(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def model_of(
    network: Network, *, n_layers: int = 2, dtype: torch.dtype = torch.float64
) -> RecurrentLanguageModel:
    """A language model with noise in every parameter, biases too."""
    config = RecurrentConfig(vocab_size=VOCAB, network=network, d_model=D_MODEL, n_layers=n_layers)
    model = RecurrentLanguageModel(config).to(dtype)
    with torch.no_grad():
        for seed, parameter in enumerate(model.parameters()):
            parameter.copy_(noise(*parameter.shape, seed=seed, dtype=dtype) / 2)
    return model


def tokens_of(batch: int = BATCH, words: int = WORDS, *, seed: int = 3) -> Tensor:
    return torch.randint(VOCAB, (batch, words), generator=torch.Generator().manual_seed(seed))


def torchs_own(layers: nn.ModuleList, network: Network, dtype: torch.dtype) -> nn.RNN | nn.LSTM:
    """torch's network with the weights of ours; torch has two biases, of which the second stays zero."""
    theirs = TORCHS[network](D_MODEL, D_MODEL, num_layers=len(layers), batch_first=True).to(dtype)
    with torch.no_grad():
        for i, layer in enumerate(layers):
            getattr(theirs, f"weight_ih_l{i}").copy_(layer.from_input.weight)
            getattr(theirs, f"weight_hh_l{i}").copy_(layer.from_hidden.weight)
            getattr(theirs, f"bias_ih_l{i}").copy_(layer.from_input.bias)
            getattr(theirs, f"bias_hh_l{i}").zero_()
    return theirs


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("n_layers", [1, 2])
@pytest.mark.parametrize("network", NETWORKS)
def test_states_and_gradients_are_those_of_torchs_own_network(
    network: Network, n_layers: int, dtype: torch.dtype
) -> None:
    tolerance = {"rtol": TOLERANCE[dtype], "atol": TOLERANCE[dtype]}
    layers = model_of(network, n_layers=n_layers, dtype=dtype).layers
    theirs = torchs_own(layers, network, dtype)
    ours_x, theirs_x = (noise(BATCH, WORDS, D_MODEL, dtype=dtype).requires_grad_() for _ in range(2))
    direction = noise(BATCH, WORDS, D_MODEL, seed=5, dtype=dtype)
    ours = nn.Sequential(*layers)(ours_x)
    expected = theirs(theirs_x)[0]
    (ours * direction).sum().backward()
    (expected * direction).sum().backward()
    torch.testing.assert_close(ours, expected, **tolerance)
    torch.testing.assert_close(ours_x.grad, theirs_x.grad, **tolerance)
    for i, layer in enumerate(layers):
        for mine, name in (
            (layer.from_input.weight, "weight_ih"),
            (layer.from_hidden.weight, "weight_hh"),
            (layer.from_input.bias, "bias_ih"),
        ):
            torch.testing.assert_close(mine.grad, getattr(theirs, f"{name}_l{i}").grad, **tolerance)


def test_the_last_cell_is_the_one_that_torchs_lstm_returns() -> None:
    layers = model_of("lstm", n_layers=1).layers
    x = noise(BATCH, WORDS, D_MODEL)
    trace = Trace()
    layers[0](x, trace=trace)
    _, (hidden, cell) = torchs_own(layers, "lstm", torch.float64)(x)
    torch.testing.assert_close(trace["hidden"][:, -1], hidden[0])
    torch.testing.assert_close(trace["cell"][:, -1], cell[0])


def test_one_rnn_step_is_the_equation_of_the_note() -> None:
    x, h = noise(BATCH, D_MODEL, seed=1), noise(BATCH, D_MODEL, seed=2)
    u, w, b = noise(D_MODEL, D_MODEL, seed=3), noise(D_MODEL, D_MODEL, seed=4), noise(D_MODEL, seed=5)
    expected = [
        np.tanh(w.numpy() @ h[i].numpy() + u.numpy() @ x[i].numpy() + b.numpy()) for i in range(BATCH)
    ]
    state = rnn_step(x, h, input_weight=u, hidden_weight=w, bias=b)
    np.testing.assert_allclose(state.numpy(), expected, rtol=1e-12)


def test_one_lstm_step_is_the_six_equations_of_the_slides() -> None:
    x, h, c = (noise(D_MODEL, seed=seed).numpy() for seed in (1, 2, 3))
    u, w = (noise(4, D_MODEL, D_MODEL, seed=seed).numpy() for seed in (4, 5))
    b = noise(4, D_MODEL, seed=6).numpy()

    def sigmoid(z: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(-z))

    rows = {"input": 0, "forget": 1, "candidate": 2, "output": 3}
    z = {name: w[row] @ h + u[row] @ x + b[row] for name, row in rows.items()}
    cell = sigmoid(z["forget"]) * c + sigmoid(z["input"]) * np.tanh(z["candidate"])
    expected = {
        "forget_gate": sigmoid(z["forget"]),
        "input_gate": sigmoid(z["input"]),
        "output_gate": sigmoid(z["output"]),
        "candidate": np.tanh(z["candidate"]),
        "cell": cell,
        "hidden": sigmoid(z["output"]) * np.tanh(cell),
    }
    step = lstm_step(
        *(torch.from_numpy(state)[None] for state in (x, h, c)),
        input_weight=torch.from_numpy(u.reshape(-1, D_MODEL)),
        hidden_weight=torch.from_numpy(w.reshape(-1, D_MODEL)),
        bias=torch.from_numpy(b.reshape(-1)),
    )
    assert list(step._fields) == list(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(getattr(step, name)[0].numpy(), value, rtol=1e-12, err_msg=name)


def test_an_open_forget_gate_and_a_closed_input_gate_keep_the_cell() -> None:
    cell = noise(BATCH, D_MODEL)
    bias = torch.tensor([-100.0, 100.0, 0.0, 0.0], dtype=torch.float64).repeat_interleave(D_MODEL)
    nothing = torch.zeros(4 * D_MODEL, D_MODEL, dtype=torch.float64)
    step = lstm_step(cell, cell, cell, input_weight=nothing, hidden_weight=nothing, bias=bias)
    torch.testing.assert_close(step.cell, cell)


@pytest.mark.parametrize("network", NETWORKS)
def test_no_prediction_depends_on_a_later_word_and_each_on_every_earlier_one(network: Network) -> None:
    layers = nn.Sequential(*model_of(network).layers)
    x = noise(1, WORDS, D_MODEL)
    jacobian = torch.autograd.functional.jacobian(lambda x: layers(x)[0].sum(dim=-1), x)[:, 0]
    influence = jacobian.abs().sum(dim=-1)
    expected = torch.ones(WORDS, WORDS, dtype=torch.bool).tril()
    torch.testing.assert_close(influence > 0, expected)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_language_model_is_torchs_embedding_network_and_linear_map(network: Network) -> None:
    model, tokens = model_of(network), tokens_of()
    theirs = torchs_own(model.layers, network, torch.float64)
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


def test_recorded_gates_make_the_recorded_cells_and_states() -> None:
    trace = Trace()
    model_of("lstm", n_layers=1)(tokens_of(), trace=trace.at("model"))
    forget, write, output, candidate, cell, hidden = (trace[f"model.layers.0.{name}"] for name in GATES)
    earlier = torch.cat([torch.zeros_like(cell[:, :1]), cell[:, :-1]], dim=1)
    torch.testing.assert_close(cell, forget * earlier + write * candidate)
    torch.testing.assert_close(hidden, output * cell.tanh())


@pytest.mark.parametrize("network", NETWORKS)
def test_an_edit_of_the_hidden_states_reaches_the_logits(network: Network) -> None:
    model, tokens = model_of(network), tokens_of()
    edited = noise(BATCH, WORDS, D_MODEL, seed=7)
    logits = model(tokens, trace=Trace(edits={"layers.1.hidden": replace(edited)}))
    torch.testing.assert_close(logits, edited @ model.unembed.weight.T)


@pytest.mark.parametrize("network", NETWORKS)
def test_a_model_shared_between_threads_mixes_nothing_up(network: Network) -> None:
    model = model_of(network)
    sentences = [tokens_of(1, 3 + seed % 5, seed=seed) for seed in range(32)]

    def states_of(tokens: Tensor) -> Tensor:
        trace = Trace()
        model(tokens, trace=trace)
        return trace["layers.1.hidden"]

    alone = [states_of(tokens) for tokens in sentences]
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(states_of, sentences))
    torch.testing.assert_close(together, alone)


@pytest.mark.parametrize("network", NETWORKS)
def test_training_teaches_a_repeated_sentence(network: Network) -> None:
    model, tokens = model_of(network, n_layers=1), torch.arange(WORDS)[None]
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    for _ in range(100):
        optimiser.zero_grad()
        cross_entropy(model(tokens)[0, :-1], tokens[0, 1:]).backward()
        optimiser.step()
    assert model(tokens)[0, :-1].argmax(dim=-1).tolist() == tokens[0, 1:].tolist()


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("layer", [RNN(D_MODEL), LSTM(D_MODEL)], ids=["rnn", "lstm"])
def test_a_sentence_without_words_is_refused(layer: nn.Module) -> None:
    with pytest.raises(ValueError, match=r"at least one position, got \(2, 0, 5\)"):
        layer(torch.zeros(2, 0, D_MODEL))


def test_words_outside_the_vocabulary_are_refused() -> None:
    with pytest.raises(ValueError, match="tokens must lie between 0 and vocab_size - 1 = 10, got 0 to 11"):
        model_of("rnn")(torch.tensor([[0, 11]]))
