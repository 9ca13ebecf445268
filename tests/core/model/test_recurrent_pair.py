"""A recurrent encoder–decoder is torch's two networks, one begun where the other ended."""

import pytest
import torch
from torch import Tensor

from core.model.alignment import SCORE_FUNCTIONS
from core.model.masks.combining import padding
from core.model.recurrent import NETWORKS, Network
from core.model.recurrent_pair import ATTENTIONS, RecurrentEncoderDecoder, RecurrentPairConfig
from core.model.trace import Trace
from tests.core.references import close, noise, noisy, torchs_network
from tests.covering import each

BATCH, TARGET, SOURCE, D_MODEL, WORDS, VOCAB = 2, 3, 5, 7, 11, 13
LENGTHS = torch.tensor([SOURCE, 2])
PADDED = padding(LENGTHS, SOURCE)
every_network = each("network", NETWORKS)
every_attention = each("attention", ATTENTIONS)


def model_of(network: Network = "lstm", attention: str = "dot", n_layers: int = 2) -> RecurrentEncoderDecoder:
    config = RecurrentPairConfig(
        source_vocab_size=WORDS,
        vocab_size=VOCAB,
        network=network,
        attention=attention,
        d_model=D_MODEL,
        n_layers=n_layers,
    )
    return noisy(RecurrentEncoderDecoder(config))


def tokens_of(*, seed: int = 1) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(seed)
    return (
        torch.randint(WORDS, (BATCH, SOURCE), generator=random),
        torch.randint(VOCAB, (BATCH, TARGET), generator=random),
    )


def expected_logits(
    model: RecurrentEncoderDecoder, network: Network, source: Tensor, target: Tensor
) -> Tensor:
    """Return torch's version of the model, for a source without padding and dot-product attention or none."""
    memory, ends = torchs_network(model.encoder.layers, network)(model.encoder.embed.weight[source])
    words = model.decoder.embed.weight[target] * D_MODEL**0.5
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
    ours, theirs = (model_of(network, attention, n_layers) for _ in range(2))
    source, target = tokens_of()
    for row in range(BATCH):
        length = int(LENGTHS[row])
        expected = expected_logits(theirs, network, source[row : row + 1, :length], target[row : row + 1])
        close(ours((source, target), source_allowed=PADDED)[row : row + 1], expected)
    direction = noise(1, TARGET, VOCAB, seed=5)
    (ours((source[:1], target[:1])) * direction).sum().backward()
    (expected_logits(theirs, network, source[:1], target[:1]) * direction).sum().backward()
    # torch's networks are copies: the word vectors before and between them are the same leaves in both.
    for name in ("encoder", "decoder"):
        close(getattr(ours, name).embed.weight.grad, getattr(theirs, name).embed.weight.grad)


@every_attention
@every_network
def test_padding_of_the_source_changes_nothing(network: Network, attention: str) -> None:
    model, (source, target) = model_of(network, attention), tokens_of()
    logits = model((source, target), source_allowed=PADDED)
    other = torch.where(PADDED[:, 0, 0], source, (source + 1) % WORDS)
    assert torch.equal(model((other, target), source_allowed=PADDED), logits)
    close(model((source[1:, :2], target[1:])), logits[1:])
    assert not torch.allclose(model((source, target))[1], logits[1])


@every_network
def test_with_the_fixed_vector_alone_nothing_else_of_the_source_reaches_the_decoder(network: Network) -> None:
    """Given the same vector by an edit, another source gives the same logits; with attention it does not."""
    names = ["vector"] + (["vector_cell"] if network == "lstm" else [])
    for attention in ("none", "dot"):
        model, trace = model_of(network, attention, n_layers=1), Trace()
        (source, target), (other, _) = tokens_of(), tokens_of(seed=2)
        logits = model((source, target), trace=trace)
        paths = [f"encoder.layers.0.{name}" for name in names]
        kept = {path: lambda _, value=trace[path]: value for path in paths}
        handed = model((other, target), trace=Trace(edits=kept))
        assert torch.equal(handed, logits) == (attention == "none")


STATES = {
    "rnn": ["hidden"],
    "lstm": ["forget_gate", "input_gate", "output_gate", "candidate", "cell", "hidden"],
}


@every_attention
@every_network
def test_a_trace_records_both_networks_the_vector_and_the_alignment(network: Network, attention: str) -> None:
    trace = Trace()
    logits = model_of(network, attention)(tokens_of(), source_allowed=PADDED, trace=trace)
    vectors = ["vector", "vector_cell"][: 1 + (network == "lstm")]
    expected = {"encoder.embed", "decoder.embed", "decoder.logits"}
    for i in range(2):
        expected |= {f"encoder.layers.{i}.{name}" for name in (*STATES[network], *vectors)}
        expected |= {f"decoder.layers.{i}.{name}" for name in STATES[network]}
    if attention in SCORE_FUNCTIONS:
        expected |= {"scores", "allowed", "alignment", "context", "decoder.combined"}
        assert trace["alignment"].shape == (BATCH, 1, TARGET, SOURCE)
    assert set(trace) == expected
    assert trace["decoder.logits"] is logits
    assert trace["encoder.layers.0.vector"].shape == (BATCH, D_MODEL)
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
        RecurrentPairConfig(**({"source_vocab_size": WORDS, "vocab_size": VOCAB} | options))  # type: ignore[arg-type]
    source, target = tokens_of()
    for wrong, most in (((source + WORDS, target), WORDS - 1), ((source, target + VOCAB), VOCAB - 1)):
        with pytest.raises(ValueError, match=f"vocab_size - 1 = {most}"):
            model_of()(wrong)
