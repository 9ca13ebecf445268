"""References of single operations: attention, masks, positions, norms, blocks and recurrent networks."""

import math
from collections.abc import Iterator, Mapping
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from bench.gpu.checking import EXACT, OPERATION, Pairs, Place, Reference, borrowed
from core.arrays import array_of
from core.model.attention import MultiHeadAttention, attention_pattern, attention_scores, fused_attention
from core.model.blocks import Block
from core.model.masks import MASKS
from core.model.masks.combining import bidirectional, causal, padding, prefix, window
from core.model.norm import LayerNorm, RMSNorm
from core.model.positions import SCHEMES
from core.model.positions.none import NoPositions
from core.model.recurrent import NETWORKS, RecurrentConfig, RecurrentLanguageModel
from core.model.trace import Trace

ours = borrowed("tests/core/references.py")

SIZES = ((2, 3, 5, 11, 7), (1, 4, 96, 128, 64))
"""Batch, heads, queries, keys and width of a head: odd numbers, and sizes for fast kernels."""

LONG = 2048
"""Words of a sentence in which a position's angle has many turns."""

BIASED = 64
"""Number of last queries whose biases are compared with all keys."""


def _masks(batch: int, n_heads: int, n_queries: int, n_keys: int) -> Iterator[Tensor]:
    """Yield masks of every shape, in which each query may attend to a key."""
    yield bidirectional(n_queries, n_keys)
    yield causal(n_queries, n_keys)
    yield window(n_queries, n_keys, width=2)
    yield padding(torch.tensor([n_keys, 3][:batch]), n_keys)
    own = ours.noise(batch, n_heads, n_queries, n_keys, seed=9) > 0
    yield own | causal(n_queries, n_keys)


def _cases(place: Place) -> Iterator[tuple[list[Tensor], Tensor | None, Tensor]]:
    """Yield queries, keys and values, a bias if any, and a mask, in double precision on the CPU."""
    for batch, n_heads, n_queries, n_keys, d_head in SIZES:
        lengths = (n_queries, n_keys, n_keys)
        vectors = [
            place.rounded(ours.noise(batch, n_heads, n, d_head, seed=seed)) for seed, n in enumerate(lengths)
        ]
        bias = place.rounded(ours.noise(n_heads, n_queries, n_keys, seed=3))
        for added, allowed in product((None, bias), _masks(batch, n_heads, n_queries, n_keys)):
            yield vectors, added, allowed


def _expected(vectors: list[Tensor], bias: Tensor | None, allowed: Tensor) -> Tensor:
    mask = allowed if bias is None else bias.masked_fill(~allowed, -math.inf)
    q, k, v = vectors
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


def compare_attention(place: Place) -> Pairs:
    """Yield attention in three steps, scores, softmax and values, beside torch's."""
    for vectors, bias, allowed in _cases(place):
        q, k, v = map(place.put, vectors)
        there = None if bias is None else place.put(bias)
        scores = attention_scores(q, k, scale=q.shape[-1] ** -0.5, bias=there)
        yield attention_pattern(scores, place.put(allowed)) @ v, _expected(vectors, bias, allowed)


def compare_fused(place: Place) -> Pairs:
    """Yield attention in one kernel, and its gradients, beside torch's."""
    for vectors, bias, allowed in _cases(place):
        parts = vectors if bias is None else [*vectors, bias]
        here, there = (
            [one.detach().clone().requires_grad_() for one in parts],
            [place.put(one).requires_grad_() for one in parts],
        )
        expected = _expected(here[:3], here[3] if len(here) > 3 else None, allowed)
        q, k, v = there[:3]
        found = fused_attention(
            q, k, v, place.put(allowed), scale=q.shape[-1] ** -0.5, bias=there[3] if len(there) > 3 else None
        )
        yield found, expected
        weights = place.rounded(ours.noise(*expected.shape, seed=4))
        mine = torch.autograd.grad((found * place.put(weights)).sum(), there)
        yield from zip(mine, torch.autograd.grad((expected * weights).sum(), here), strict=True)


def compare_hidden(place: Place) -> Pairs:
    """Yield weights of hidden keys, 0 for any score, and weights of queries without allowed keys."""
    for batch, n_heads, n_queries, n_keys, d_head in SIZES:
        scores = ours.noise(batch, n_heads, n_queries, n_keys)
        allowed = causal(n_queries, n_keys)
        loud = attention_pattern(place.put(scores.masked_fill(~allowed, 60_000.0)), place.put(allowed))
        yield (
            loud.masked_select(place.put(~allowed).expand_as(loud)),
            torch.zeros(int((~allowed).expand_as(scores).sum())),
        )
        yield loud[..., 0, 0], torch.ones(batch, n_heads)
        hidden = bidirectional(n_queries, n_keys).repeat(batch, n_heads, 1, 1)
        hidden[-1, 2, 3] = False
        q, k, v = (
            place.put(ours.noise(batch, n_heads, n, d_head, seed=n)).requires_grad_()
            for n in (n_queries, n_keys, n_keys)
        )
        pattern = attention_pattern(attention_scores(q, k, scale=d_head**-0.5), place.put(hidden))
        yield pattern[-1, 2, 3], torch.zeros(n_keys)
        for z in (pattern @ v, fused_attention(q, k, v, place.put(hidden), scale=d_head**-0.5)):
            yield z[-1, 2, 3], torch.zeros(d_head)
            gradients = torch.autograd.grad(z.sum(), (q, k, v), retain_graph=True)
            yield gradients[0][-1, 2, 3], torch.zeros(d_head)
            yield from ((one.isfinite(), torch.ones_like(one).bool()) for one in (z, *gradients))


def compare_masks(place: Place) -> Pairs:
    """Yield every mask made on the device, and the same mask made on the CPU."""
    n, given, device = 11, torch.tensor([3, 7]), place.device
    for mask in MASKS.values():
        yield mask.allowed(n, device=device), mask.allowed(n)
        yield mask.allowed(n, given=given.to(device), device=device), mask.allowed(n, given=given)
        yield mask.asks(n, device=device), mask.asks(n)
    yield window(n, n, width=2, device=device), window(n, n, width=2)
    yield padding(given.to(device), n), padding(given, n)
    yield prefix(n, n, length=given.to(device), device=device), prefix(n, n, length=given)


def compare_positions(place: Place) -> Pairs:
    """Yield additions and rotations of every scheme, also far into a long sentence."""
    for name, n in product(SCHEMES, (ours.WORDS, LONG)):
        config = ours.config(positions=name, max_len=LONG)
        there, here = place.both(ours.noisy(SCHEMES[name](config)))
        x = place.rounded(ours.noise(1, n, config.d_model))
        q = place.rounded(ours.noise(1, config.n_heads, n, config.d_head, seed=1))
        yield there.embed(place.put(x)), here.embed(x)
        yield there.rotate(place.put(q)), here.rotate(q)
        last = q[:, :, -BIASED:]
        bias, expected = there.bias(place.put(last), place.put(q)), here.bias(last, q)
        if bias is not None and expected is not None:
            yield bias, expected


def compare_norms(place: Place) -> Pairs:
    """Yield both kinds of normalisation beside torch's."""
    for kind in (LayerNorm, RMSNorm):
        there, here = place.both(ours.noisy(kind(ours.D_MODEL)))
        x = place.rounded(ours.noise(ours.BATCH, ours.WORDS, ours.D_MODEL))
        theirs = (nn.LayerNorm if kind is LayerNorm else nn.RMSNorm)(
            ours.D_MODEL, eps=here.epsilon, dtype=torch.float64
        )
        theirs.load_state_dict(
            ours.norm_state(here) if isinstance(here, LayerNorm) else {"weight": here.gain.data}
        )
        yield there(place.put(x)), theirs(x)


def compare_heads(place: Place) -> Pairs:
    """Yield several heads, output and weights, beside torch's."""
    shape = (ours.BATCH, ours.N_HEADS, ours.WORDS, ours.SOURCE)
    nowhere = NoPositions(ours.config())
    for allowed in _masks(*shape):
        there, here = place.both(ours.noisy(MultiHeadAttention(ours.config())))
        x, memory = (
            place.rounded(ours.noise(ours.BATCH, n, ours.D_MODEL, seed=n)) for n in (ours.WORDS, ours.SOURCE)
        )
        trace = Trace()
        out = there(
            place.put(x), place.put(memory), allowed=place.put(allowed), positions=nowhere, trace=trace
        )
        blocked = ~allowed.expand(shape).flatten(0, 1)
        theirs = ours.torchs_attention(here)
        expected, weights = theirs(x, memory, memory, attn_mask=blocked, average_attn_weights=False)
        yield out, expected
        yield trace["pattern"], weights


def compare_blocks(place: Place) -> Pairs:
    """Yield blocks of an encoder and of a decoder beside torch's, pre-norm and post-norm."""
    for norm, cross in product(("pre", "post"), (False, True)):
        config = ours.config(norm=norm)
        there, here = place.both(ours.noisy(Block(config, cross=cross)))
        x, memory = (
            place.rounded(ours.noise(ours.BATCH, n, ours.D_MODEL, seed=n)) for n in (ours.WORDS, ours.SOURCE)
        )
        allowed = causal(ours.WORDS, ours.WORDS)
        nowhere = NoPositions(config)
        given: Mapping[str, Tensor] = {"memory": place.put(memory)} if cross else {}
        found = there(place.put(x), allowed=place.put(allowed), positions=nowhere, **given)
        theirs = ours.torchs_block(here, config).eval()
        blocked = ~allowed[0, 0]
        yield found, theirs(x, memory, tgt_mask=blocked) if cross else theirs(x, src_mask=blocked)


def compare_recurrent(place: Place) -> Pairs:
    """Yield the states of recurrent networks, and their gradients, beside torch's."""
    for network, n_layers in product(NETWORKS, (1, 2)):
        config = RecurrentConfig(vocab_size=ours.VOCAB, network=network, d_model=5, n_layers=n_layers)
        there, here = place.both(ours.noisy(RecurrentLanguageModel(config)).layers)
        x = place.rounded(ours.noise(3, 7, 5))
        mine, their = place.put(x).requires_grad_(), x.clone().requires_grad_()
        states, expected = nn.Sequential(*there)(mine), ours.torchs_network(here, network)(their)[0]
        yield states, expected
        (found,), (gradient,) = (
            torch.autograd.grad(sums, inputs)
            for sums, inputs in ((states.sum(), mine), (expected.sum(), their))
        )
        yield found, gradient


def compare_arrays(place: Place) -> Pairs:
    """Yield numbers as the arrays of pages, for which NumPy has fewer precisions than torch."""
    numbers = ours.noise(3, 7)
    yield torch.from_numpy(array_of(place.put(numbers)).copy()), place.rounded(numbers)


OPERATIONS = (
    Reference("scores, softmax and values: torch's attention", OPERATION, compare_attention),
    Reference("the fused kernel and its gradients: torch's attention", OPERATION, compare_fused),
    Reference("hidden keys and queries without a key: zeros", EXACT, compare_hidden),
    Reference("masks: equal to the masks of the CPU", EXACT, compare_masks),
    Reference("positions: equal to the CPU's, to 2,048 words", OPERATION, compare_positions),
    Reference("norms: torch's", OPERATION, compare_norms),
    Reference("several heads: torch's MultiheadAttention", OPERATION, compare_heads),
    Reference("blocks: torch's encoder and decoder layers", OPERATION, compare_blocks),
    Reference("recurrent networks and their gradients: torch's", OPERATION, compare_recurrent),
    Reference("arrays: the numbers of the tensor", EXACT, compare_arrays),
)
