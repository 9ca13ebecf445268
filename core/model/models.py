"""Whole models: the Transformer, an encoder or a decoder by its mask, and the pair of both."""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from core.model.activations import ACTIVATIONS
from core.model.blocks import Block, norm_layer
from core.model.config import ModelConfig, PairConfig
from core.model.masks import Given
from core.model.positions import SCHEMES
from core.model.trace import SILENT, Recorder

Tokens = Int[Tensor, "batch position"]
States = Float[Tensor, "batch position d_model"]
Logits = Float[Tensor, "batch position vocab"]


class Stack(nn.Module):
    """Word vectors, positions and blocks: tokens in, one contextual state per token out.

    A stack alone is a model without an output layer, such as a sentence encoder: it has states and no logits.
    Records `embed` (word vectors), `types` if it has any, `positions` (words with both), `embed_norm` if it
    normalises them, everything in `blocks.0` …, and `norm` (the final states).
    """

    def __init__(self, config: ModelConfig, *, cross: bool = False) -> None:
        super().__init__()
        self.config = config
        self.cross = cross
        self.embed = nn.Embedding(config.vocab_size, config.d_model)
        self.embed_scale = config.word_scale
        if config.n_types:
            self.types = nn.Embedding(config.n_types, config.d_model)
        self.positions = SCHEMES[config.positions](config)
        if config.embed_norm:
            self.embed_norm = norm_layer(config)
        self.blocks = nn.ModuleList(Block(config, cross=cross) for _ in range(config.n_layers))
        # Pre-norm blocks leave the residual stream unnormalised, so one more norm follows the last.
        self.norm = norm_layer(config) if config.norm == "pre" else nn.Identity()

    def forward(self, tokens: Tokens, **options: Any) -> Tensor:
        """Return the model's output: here the states, which `states` computes from the same arguments."""
        return self.states(tokens, **options)

    def states(
        self,
        tokens: Tokens,
        *,
        allowed: Bool[Tensor, "#batch #head #position #position"] | None = None,
        given: Given | None = None,
        types: Tokens | None = None,
        memory: Float[Tensor, "batch memory d_model"] | None = None,
        memory_allowed: Bool[Tensor, "#batch #head #position memory"] | None = None,
        trace: Recorder = SILENT,
    ) -> States:
        """Return contextual states of `tokens`.

        `allowed` narrows the mask of the configuration further. `given` is the number of words at the
        beginning that are given rather than predicted, per row if it is a tensor. Some masks show these to
        every word and have a default, such as half of the sentence. `types` are the segments of the tokens, 0
        unless given. `memory` is what cross-attention attends to, and `memory_allowed` the part of it that
        may be seen. Raises ValueError for a token outside the vocabulary, for a segment that does not exist,
        and for a memory that is missing or that the model cannot attend to.
        """
        check_tokens(tokens, self.config.vocab_size)
        if self.cross != (memory is not None):
            needs = "needs a memory to attend to" if self.cross else "cannot attend to a memory"
            raise ValueError(f"a model made with cross={self.cross} {needs}")
        may_look = self.config.allowed(tokens.shape[1], given=given, device=tokens.device)
        if allowed is not None:
            may_look = may_look & allowed
        x = self._embedded(tokens, types, trace)
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                allowed=may_look,
                positions=self.positions,
                memory=memory,
                memory_allowed=memory_allowed,
                trace=trace.at(f"blocks.{i}"),
            )
        return trace("norm", self.norm(x))

    def _embedded(self, tokens: Tokens, types: Tokens | None, trace: Recorder) -> States:
        """Return the input of the first block."""
        x = trace("embed", self.embed(tokens) * self.embed_scale)
        if self.config.n_types:
            x = x + trace("types", self.types(torch.zeros_like(tokens) if types is None else types))
        elif types is not None:
            raise ValueError("a model with n_types = 0 cannot tell segments apart, but types were given")
        x = trace("positions", self.positions.embed(x))
        return trace("embed_norm", self.embed_norm(x)) if self.config.embed_norm else x


class OutputTransform(nn.Module):
    """norm(f(Wx + b)): the transform of a state before it is compared with words, as in BERT's code."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[config.activation]
        self.linear = nn.Linear(config.d_model, config.d_model)
        self.norm = norm_layer(config)

    def forward(self, x: States) -> States:
        return self.norm(self.activation(self.linear(x)))


class Transformer(Stack):
    """A Transformer over one sequence: a decoder with the causal mask, an encoder with the bidirectional."""

    def __init__(self, config: ModelConfig, *, cross: bool = False) -> None:
        super().__init__(config, cross=cross)
        if config.output_transform:
            self.transform = OutputTransform(config)
        self.unembed = nn.Linear(config.d_model, config.vocab_size, bias=config.output_bias)
        if config.tied:
            self.unembed.weight = self.embed.weight

    def forward(self, tokens: Tokens, *, trace: Recorder = SILENT, **options: Any) -> Logits:
        """Return unnormalised log-probabilities over the vocabulary at each position, recorded as `logits`.

        Takes everything that `states` takes; records `transform` if the model has one.
        """
        return self.logits_of(self.states(tokens, trace=trace, **options), trace=trace)

    def logits_of(self, states: States, *, trace: Recorder = SILENT) -> Logits:
        """Return the logits of states as `states` returns them, after the final norm."""
        if self.config.output_transform:
            states = trace("transform", self.transform(states))
        return trace("logits", self.unembed(states))


class EncoderDecoder(nn.Module):
    """An encoder whose output a decoder attends to through cross-attention (CS 224N note eq 33–36)."""

    def __init__(self, encoder: ModelConfig, decoder: ModelConfig) -> None:
        super().__init__()
        self.config = PairConfig(encoder=encoder, decoder=decoder)
        self.encoder = Stack(encoder)
        self.decoder = Transformer(decoder, cross=True)

    def forward(
        self,
        tokens: tuple[Int[Tensor, "batch source_position"], Int[Tensor, "batch target_position"]],
        *,
        source_allowed: Bool[Tensor, "#batch 1 1 source_position"] | None = None,
        trace: Recorder = SILENT,
    ) -> Float[Tensor, "batch target_position vocab"]:
        """Return logits at each position of the target, from `tokens`: source and target sentence.

        `source_allowed` hides the padding of the source sentence from the encoder and from cross-attention.
        Names are recorded under `encoder` and `decoder`.
        """
        source, target = tokens
        memory = self.encoder.states(source, allowed=source_allowed, trace=trace.at("encoder"))
        return self.decoder(target, memory=memory, memory_allowed=source_allowed, trace=trace.at("decoder"))


def check_tokens(tokens: Tokens, vocab_size: int) -> None:
    """Raise ValueError unless `tokens` is a (batch, position) tensor of ids below `vocab_size`."""
    if tokens.ndim != 2 or tokens.numel() == 0:
        raise ValueError(
            "tokens must have the axes (batch, position) and at least one position, "
            f"got {tuple(tokens.shape)}"
        )
    lowest, highest = (int(bound) for bound in tokens.aminmax())
    if lowest < 0 or highest >= vocab_size:
        raise ValueError(
            f"tokens must lie between 0 and vocab_size - 1 = {vocab_size - 1}, got {lowest} to {highest}"
        )
