"""The parameters that several pages have, and those of the home and of a lecture."""

from core.learning.collection.members import HEADS
from core.model.config import NORMS, POSITIONS
from core.model.masks import MASKS
from pages.contract.parameter import flag, number, one_of, read_panel, spelt, switch, text, word

LARGEST_SEED = 9999
NO_WINDOW = "off"

SHARED = (
    # Several pages
    text("text", "Sentence", "The sentence that is read."),
    text("other", "Second sentence", "The second sentence, which the first is compared with."),
    one_of("view", "View", "Which view of the page is shown."),
    one_of("layer", "Layer", "The layer looked at, counted from 1.", default=1),
    one_of("head", "Head", "The attention head looked at, counted from 1.", default=1),
    number(
        "seed",
        "Seed",
        "The seed of all random numbers on the page.",
        largest=LARGEST_SEED,
        default=0,
        caption="seed {}",
    ),
    one_of("model", "Weights", "Where the weights of the model come from.", names_model=True),
    one_of("real", "Real model", "The pretrained model that reads the sentence."),
    spelt("stop", meaning="The stop of the path at which the page is, counted from 1."),
    switch("predict", "Predict first", "Whether a view asks for a prediction before it shows the result."),
    switch("large", "Large", "Whether the picture fills the window."),
    spelt(
        "panel",
        default=0,
        unchosen="all pictures",
        meaning="Which of several pictures side by side fills the window alone, counted from 1; 0 for all.",
        parse=read_panel,
    ),
    switch("code", "Code", "Whether the program behind the view is open."),
    one_of("tokens", "Show", "Whether rows and columns are tokens, or words.", ("tokens", "words")),
    switch("special", "Special tokens", "Whether special tokens have rows and columns.", default=True),
    one_of(
        "positions",
        "Positions",
        "The position scheme of the model.",
        POSITIONS,
        "sinusoidal",
        also=("Program for",),
    ),
    one_of("mask", "Mask", "The mask of the model.", tuple(MASKS), "causal"),
    one_of(
        "window",
        "Window ± words",
        "The number of words on either side that a word may attend to, within the mask.",
        (NO_WINDOW, 1, 2, 4, 8),
        also=("Window ± tokens",),
    ),
    one_of("heads", "Heads", "The number of attention heads of a layer.", HEADS, 4, others=True),
    one_of(
        "layers",
        "Layers",
        "The number of layers of the model, or of each side of an encoder–decoder.",
        (1, 2, 3, 4, 5, 6),
        2,
        others=True,
        also=("Layers on each side",),
    ),
    one_of("norm", "Layer norm", "Where the layer norms are.", NORMS, "pre"),
    switch("scale", "Scale by √d_head", "Whether scores are divided by √d_head.", default=True),
    switch("residual", "Residual", "Whether the blocks have residual connections.", default=True),
    switch("mlp", "Feed-forward", "Whether the blocks have feed-forward layers.", default=True),
    word("query", "Query", "The query of the cell looked at, counted from 1.", also=("Row of",)),
    word("key", "Key", "The key of the cell looked at, counted from 1."),
    word("word", "Word", "The word of the sentence looked at, counted from 1.", also=("Token",)),
    word("from", "From", "The word at which a path begins, counted from 1."),
    word("to", "To", "The word at which a path ends, counted from 1."),
    number(
        "step",
        "Word (of {})",
        "The written word looked at, counted from 1.",
        smallest=1,
        default=1,
        also=("Translation into {}", "Token (of {})"),
    ),
    one_of(
        "way", "Words chosen", "How words are chosen.", ("greedy", "sampled", "beam"), caption="decoding: {}"
    ),
    one_of(
        "temperature",
        "Temperature",
        "The divisor of the logits before the next word is drawn.",
        ("0.1", "0.3", "0.5", "0.7", "1", "1.5", "2", "3"),
        "1",
        caption="temperature {}",
    ),
    one_of(
        "top_k",
        "Top k",
        "The number of likeliest words from which the next is drawn.",
        ("all", "1", "2", "5", "10", "50"),
        caption="top k {}",
        unsaid="all",
    ),
    one_of(
        "top_p",
        "Top p",
        "The total probability of the likeliest words, from which the next is drawn.",
        ("0.5", "0.7", "0.9", "0.95", "1"),
        "1",
        caption="top p {}",
        unsaid="1",
    ),
    # Home
    spelt("done", meaning="The stops of the path that are done, from another browser."),
    spelt("guess", meaning="The word that a visitor of the home expects next."),
    text("wanted", "Find a view", "The text that the home looks for in the views.", default=""),
    # Lecture
    spelt("deck", meaning="The lecture shown: the name of a ready one, or a whole lecture."),
    flag("cover", unchosen="the view", meaning="Whether the result of a view is covered at first."),
    flag("presenter", unchosen="the page", meaning="Whether the window of the presenter is shown."),
    flag("titled", unchosen="the view", meaning="Whether a title above makes the sentence smaller."),
    flag("unsaid", unchosen="the view", meaning="Whether the large view leaves the sentence out."),
)
