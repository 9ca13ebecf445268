"""Translations without heads, layers or source words."""

import numpy as np
import torch

from core.learning.collection import load_listed_member
from core.learning.collection.translators import TranslatorConfig, name_of_pair, transformer_pair
from core.measures.translation.knock_out import KnockOut, hidden_effects, translate_without
from core.measures.translation.writing import Strategy, write
from core.model.trace import Trace
from core.text import language, translation
from core.text.language import START
from core.text.translation import END
from tests.core.measures.translation.pairs import LSTM, RIGHT, TRANSFORMER, WORDS, loaded
from tests.covering import each


def test_all_heads_together_are_the_layer_and_a_recurrent_pair_has_one() -> None:
    heads = KnockOut(heads=frozenset({(0, 0), (0, 1)}))
    layer, one = KnockOut(layers=frozenset({0})), KnockOut(heads=frozenset({(0, 0)}))
    # With all heads silent the output layer still adds its bias; without the layer not even that.
    intact = write(loaded(TRANSFORMER), Strategy()).sentence
    assert translate_without(loaded(TRANSFORMER), KnockOut()) == intact
    assert intact not in [translate_without(loaded(TRANSFORMER), missing) for missing in (heads, layer)]
    assert translate_without(loaded(LSTM), one) == translate_without(loaded(LSTM), layer)
    assert translate_without(loaded(LSTM), KnockOut()) == write(loaded(LSTM), Strategy()).sentence


@each("config", [LSTM, transformer_pair(2, 2)])
def test_each_word_is_hidden_alone(config: TranslatorConfig) -> None:
    """Two of them computed on their own: by another pair of source and mask, as padding hides words."""
    effects = hidden_effects(loaded(config), RIGHT)
    assert effects.shape == (len(RIGHT) + 1, len(WORDS))
    source = language.encode(WORDS).tokens
    fed = translation.vocabulary().encode([START, *RIGHT])
    wanted = translation.vocabulary().encode([*RIGHT, END])[0][:, None]
    model = load_listed_member(name_of_pair(config))
    layers = [""] if config is LSTM else [f"decoder.blocks.{at}.cross_attention." for at in range(2)]
    with torch.inference_mode():
        intact = model((source, fed))[0].double().softmax(-1).gather(1, wanted)[:, 0]
        for word in (1, 4):
            seen = torch.ones(1, 1, 1, len(WORDS), dtype=torch.bool)
            seen[..., word] = False
            trace = Trace(edits={f"{layer}allowed": lambda _, seen=seen: seen for layer in layers})
            hidden = model((source, fed), trace=trace)[0].double().softmax(-1).gather(1, wanted)[:, 0]
            np.testing.assert_allclose(effects[:, word], (intact - hidden).numpy(), atol=2e-5)
    assert effects[RIGHT.index("jardinoras"), 4] > 0.5, "the word itself is needed"
