"""Our recurrent networks and encoder–decoders are torch's, step for step."""

import pytest
import torch
from torch import Tensor, nn

from core.model.alignment import SCORE_FUNCTIONS
from core.model.masks.combining import padding
from core.model.recurrent import LSTM, NETWORKS, RNN, Network, RecurrentConfig, RecurrentLanguageModel
from core.model.recurrent_pair import ATTENTIONS, RecurrentEncoderDecoder, RecurrentPairConfig
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


ROWS, TARGET, SOURCE, WIDTH, SOURCE_VOCAB, TARGET_VOCAB = 2, 3, 5, 7, 11, 13
LENGTHS = torch.tensor([SOURCE, 2])
PADDED = padding(LENGTHS, SOURCE)
every_network = each("network", NETWORKS)
every_attention = each("attention", ATTENTIONS)


def pair_of(network: Network = "lstm", attention: str = "dot", n_layers: int = 2) -> RecurrentEncoderDecoder:
    config = RecurrentPairConfig(
        source_vocab_size=SOURCE_VOCAB,
        vocab_size=TARGET_VOCAB,
        network=network,
        attention=attention,
        d_model=WIDTH,
        n_layers=n_layers,
    )
    return noisy(RecurrentEncoderDecoder(config))


def both_of(*, seed: int = 1) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(seed)
    return (
        torch.randint(SOURCE_VOCAB, (ROWS, SOURCE), generator=random),
        torch.randint(TARGET_VOCAB, (ROWS, TARGET), generator=random),
    )


def expected_logits(
    model: RecurrentEncoderDecoder, network: Network, source: Tensor, target: Tensor
) -> Tensor:
    """Return torch's version of the model, for a source without padding and dot-product attention or none."""
    memory, ends = torchs_network(model.encoder.layers, network)(model.encoder.embed.weight[source])
    words = model.decoder.embed.weight[target] * WIDTH**0.5
    x, _ = torchs_network(model.decoder.layers, network)(words, ends)
    if model.config.attention == "dot":
        context = (x @ memory.transpose(1, 2)).softmax(dim=-1) @ memory
        x = model.combine(torch.cat([x, context], dim=-1))
    return x @ model.decoder.embed.weight.T + model.unembed.bias


@each("n_layers", [1, 2])
@each("attention", ["none", "dot"])
@every_network
def test_logits_and_gradients_agree_with_torchs_networks(
    network: Network, attention: str, n_layers: int
) -> None:
    ours, theirs = (pair_of(network, attention, n_layers) for _ in range(2))
    source, target = both_of()
    for row in range(ROWS):
        length = int(LENGTHS[row])
        expected = expected_logits(theirs, network, source[row : row + 1, :length], target[row : row + 1])
        close(ours((source, target), source_allowed=PADDED)[row : row + 1], expected)
    direction = noise(1, TARGET, TARGET_VOCAB, seed=5)
    (ours((source[:1], target[:1])) * direction).sum().backward()
    (expected_logits(theirs, network, source[:1], target[:1]) * direction).sum().backward()
    # torch's networks are copies: the word vectors before and between them are the same leaves in both.
    for name in ("encoder", "decoder"):
        close(getattr(ours, name).embed.weight.grad, getattr(theirs, name).embed.weight.grad)


@every_attention
@every_network
def test_padding_of_the_source_changes_nothing(network: Network, attention: str) -> None:
    model, (source, target) = pair_of(network, attention), both_of()
    logits = model((source, target), source_allowed=PADDED)
    other = torch.where(PADDED[:, 0, 0], source, (source + 1) % SOURCE_VOCAB)
    assert torch.equal(model((other, target), source_allowed=PADDED), logits)
    close(model((source[1:, :2], target[1:])), logits[1:])
    assert not torch.allclose(model((source, target))[1], logits[1])


@every_network
def test_with_the_fixed_vector_alone_nothing_else_of_the_source_reaches_the_decoder(network: Network) -> None:
    """Given the same vector by an edit, another source gives the same logits; with attention it does not."""
    names = ["vector"] + (["vector_cell"] if network == "lstm" else [])
    for attention in ("none", "dot"):
        model, trace = pair_of(network, attention, n_layers=1), Trace()
        (source, target), (other, _) = both_of(), both_of(seed=2)
        logits = model((source, target), trace=trace)
        paths = [f"encoder.layers.0.{name}" for name in names]
        kept = {path: lambda _, value=trace[path]: value for path in paths}
        handed = model((other, target), trace=Trace(edits=kept))
        assert torch.equal(handed, logits) == (attention == "none")


STATES = {"rnn": ["hidden"], "lstm": GATES}


@every_attention
@every_network
def test_a_trace_records_both_networks_the_vector_and_the_alignment(network: Network, attention: str) -> None:
    trace = Trace()
    logits = pair_of(network, attention)(both_of(), source_allowed=PADDED, trace=trace)
    vectors = ["vector", "vector_cell"][: 1 + (network == "lstm")]
    expected = {"encoder.embed", "decoder.embed", "decoder.logits"}
    for i in range(2):
        expected |= {f"encoder.layers.{i}.{name}" for name in (*STATES[network], *vectors)}
        expected |= {f"decoder.layers.{i}.{name}" for name in STATES[network]}
    if attention in SCORE_FUNCTIONS:
        expected |= {"scores", "allowed", "alignment", "context", "decoder.combined"}
        assert trace["alignment"].shape == (ROWS, 1, TARGET, SOURCE)
    assert set(trace) == expected
    assert trace["decoder.logits"] is logits
    assert trace["encoder.layers.0.vector"].shape == (ROWS, WIDTH)
    close(trace["encoder.layers.1.vector"][1], trace["encoder.layers.1.hidden"][1, 1])


@each(
    ("options", "message"),
    [
        ({"vocab_size": 0}, "vocab_size must be at least 1, got 0"),
        ({"source_vocab_size": 0}, "source_vocab_size must be at least 1, got 0"),
        ({"n_layers": 0}, "n_layers must be at least 1, got 0"),
        ({"network": "gru"}, "network must be one of rnn, lstm, got 'gru'"),
        (
            {"attention": "cosine"},
            "attention must be one of none, dot, bilinear, additive, linear, got 'cosine'",
        ),
    ],
)
def test_a_pair_that_cannot_be_is_refused_by_name(options: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        RecurrentPairConfig(**({"source_vocab_size": SOURCE_VOCAB, "vocab_size": TARGET_VOCAB} | options))  # type: ignore[arg-type]
    source, target = both_of()
    for wrong, most in (
        ((source + SOURCE_VOCAB, target), SOURCE_VOCAB - 1),
        ((source, target + TARGET_VOCAB), TARGET_VOCAB - 1),
    ):
        with pytest.raises(ValueError, match=f"vocab_size - 1 = {most}"):
            pair_of()(wrong)
