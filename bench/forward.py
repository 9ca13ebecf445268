"""Cost of recording: a forward pass traced, untraced, and by torch's encoder of the same size."""

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

import torch
from torch import Tensor, nn

from core.model.config import ModelConfig
from core.model.models import Transformer
from core.model.trace import Trace

ROUNDS = 40
WARM_UPS = 5
SEED = 0

SIZES = {
    "as the explorer opens, 13 words": (ModelConfig(vocab_size=64, n_layers=2, n_heads=4), 13),
    "the largest it goes to, 256 words": (ModelConfig(vocab_size=64, n_layers=6, n_heads=8), 256),
    "GPT-2's size, as in Transformer Explainer, 13 words": (
        ModelConfig(vocab_size=50_257, d_model=768, n_layers=12, n_heads=12, max_len=1024, tied=True),
        13,
    ),
}
"""Configuration and number of words."""


class Reference(nn.Module):
    """`torch.nn.TransformerEncoder` with our embedding before it and our unembedding after it."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        assert config.d_mlp is not None, "the configuration fills d_mlp in"
        layer = nn.TransformerEncoderLayer(
            config.d_model, config.n_heads, config.d_mlp, dropout=0.0, batch_first=True, norm_first=True
        )
        norm = nn.LayerNorm(config.d_model)
        self.embed = nn.Embedding(config.vocab_size, config.d_model)
        self.encoder = nn.TransformerEncoder(layer, config.n_layers, norm, enable_nested_tensor=False)
        self.unembed = nn.Linear(config.d_model, config.vocab_size, bias=False)
        if config.tied:
            self.unembed.weight = self.embed.weight

    def forward(self, tokens: Tensor) -> Tensor:
        blocked = nn.Transformer.generate_square_subsequent_mask(tokens.shape[1])
        return self.unembed(self.encoder(self.embed(tokens), mask=blocked, is_causal=True))


def forward_seconds(config: ModelConfig, n_words: int) -> dict[str, float]:
    """Return median seconds of one forward pass over `n_words` words: `traced`, `untraced` and `torch`."""
    tokens = torch.randint(config.vocab_size, (1, n_words), generator=torch.Generator().manual_seed(SEED))
    ours, reference = Transformer(config).eval(), Reference(config).eval()
    return medians(
        {
            "traced": lambda: ours(tokens, trace=Trace()),
            "untraced": lambda: ours(tokens),
            "torch": lambda: reference(tokens),
        }
    )


@torch.inference_mode()
def medians(runs: Mapping[str, Callable[[], object]], *, rounds: int = ROUNDS) -> dict[str, float]:
    """Return median seconds of each run, taken in turn so that all share quiet and busy moments."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    for i in range(WARM_UPS + rounds):
        for name, run in runs.items():
            begun = perf_counter()
            run()
            if i >= WARM_UPS:
                seconds[name].append(perf_counter() - begun)
    return {name: median(times) for name, times in seconds.items()}
