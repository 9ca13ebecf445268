"""The parameters of the pages on the parts of the mechanism."""

from core.measures.blocks.norms import TRAINED_DEPTHS
from core.measures.masking.painting import PRESETS
from core.measures.scaling import WIDTHS
from core.text.tokenizer import MAX_WORDS
from pages.contract.parameter import number, one_of, spelt, switch, word
from viz.reshape import FORMS

FURTHEST = 12
"""Positions by which a query and a key can be shifted together."""

MECHANISM = (
    # Step by step
    one_of(
        "size",
        "Model",
        "The model that computes: heads made by hand, a small random one, or the model of the switches.",
        ("by hand", "small", "full"),
        names_model=True,
    ),
    spelt("asked", meaning="The word that a question is about, counted from 1, if one can be asked."),
    one_of("stage", "Stage", "The stage that is open."),
    one_of("form", "Form", "Whether the stages show all words or one.", ("all words", "one word")),
    spelt("edit", meaning="An entry of a matrix and the value that replaces it; there may be several."),
    one_of(
        "sharpness",
        "Temperature",
        "The divisor of the scores before the softmax of a soft lookup.",
        ("0", "0.1", "0.2", "0.5", "1", "2", "5", "10", "∞"),
        "1",
        caption="temperature {}",
    ),
    switch(
        "unit",
        "Every vector of length 1",
        "Whether vectors are scaled to length 1 before they are compared.",
        default=True,
        caption="vectors not scaled to length 1",
    ),
    one_of("matrices", "Matrices", "Which matrices make queries and keys.", ("none", "Q = K", "three")),
    # Positions
    one_of(
        "moved",
        "Shift both by",
        "The number of positions by which query and key are shifted.",
        range(FURTHEST + 1),
        3,
    ),
    one_of("measured", "Measured", "The quantity beyond training.", ("loss by position", "verb by distance")),
    one_of("positions_shown", "Positions", "The number of positions drawn.", (32, 64, 128, 256)),
    # Masking
    one_of("preset", "Mask", "The mask that is painted on.", PRESETS),
    number(
        "radius",
        "± {}",
        "The number of words on either side in a preset window.",
        largest=MAX_WORDS,
        default=1,
    ),
    number(
        "prefix",
        "Prefix",
        "The number of words in a preset prefix, to which all words may attend.",
        largest=MAX_WORDS,
        default=2,
    ),
    number(
        "padded", "Padded", "The number of words at the end that padding hides.", largest=MAX_WORDS, default=2
    ),
    switch("causal", "and causal", "Whether the preset is causal too."),
    one_of(
        "case",
        "Beside it",
        "How the other row differs: every key masked, or all scores lowered.",
        ("every key masked", "all scores lowered"),
    ),
    one_of("beside", "Beside it", "The picture beside the mask.", ("weights", "gradient")),
    spelt("cells", meaning="The cells of the mask that are painted, as a number in base 16."),
    # Heads
    one_of(
        "maria", "Attention weight on Maria, in %", "The weight on one of two words.", range(0, 101, 5), 50
    ),
    one_of("d_model", "Width d", "The width of the counted model.", (48, 64, 256, 512, 768, 1024), 64),
    one_of("n", "Words n", "The words whose operations are counted.", (8, 32, 128, 512, 2048), 32),
    one_of("shape", "Form", "The shape in which vectors are drawn.", FORMS),
    one_of("vectors", "Vectors", "Which vectors are reshaped.", ("q", "k", "v")),
    # Scaling
    one_of("d", "Dimensions d", "The dimensions of the random queries and keys.", WIDTHS, 64),
    one_of(
        "curve", "Curve", "The quantity over the dimensions.", ("standard deviation", "entropy", "gradient")
    ),
    # Architectures
    one_of("part", "Part", "The part of the architecture that is open."),
    one_of("inside", "Inside", "The quantity of the open attention that is shown."),
    one_of(
        "network", "Network", "The recurrent network.", ("RNN", "LSTM", "encoder–decoder", "with attention")
    ),
    word("decoder_step", "Step", "The drawn step of the decoder, counted from 1."),
    word("cell_word", "It reads", "The word at which the LSTM is drawn, counted from 1."),
    # Blocks
    one_of("shows", "Shown", "The picture beside the first one of a block, or in its place."),
    one_of(
        "train_depth", "Blocks", "The blocks of the trained models.", TRAINED_DEPTHS, 8, caption="{} blocks"
    ),
    switch("with_none", "Without layer norm too", "Whether the model without layer norm is shown too."),
    one_of("norm_at", "Where", "The layer norm looked at.", caption="layer norm: {}"),
    switch(
        "others", "Change all other words", "Whether others are replaced.", caption="all other words replaced"
    ),
)
