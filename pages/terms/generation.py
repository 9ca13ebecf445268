"""Writing and translating a text word by word."""

from pages.terms.term import Term

GENERATION = (
    Term(
        name="token",
        sentence="A token is a unit of text that a model reads, here a word, a punctuation mark or a piece "
        "of a word.",
        shown=("models", "models"),
    ),
    Term(
        name="piece",
        also=("piece of a word", "pieces of words"),
        sentence="A piece is a frequent part of words that real models read in place of whole words.",
        shown=("models", "models"),
    ),
    Term(
        name="special token",
        also=("<s>", "<unk>", "unk", "[CLS]", "[SEP]", "[MASK]", "MASK"),
        switches=("special",),
        sentence="A special token stands for no word, such as <s> for the start, <unk> for an unknown word "
        "and [MASK] for a hidden one.",
        shown=("models", "models"),
    ),
    Term(
        name="</s>",
        sentence="The token </s> is the end of a sentence: a model stops writing when it has chosen it.",
        shown=("generation", "side by side"),
    ),
    Term(
        name="vocabulary",
        sentence="The vocabulary is the list of all tokens that a model knows.",
        shown=("architectures", "parameters"),
    ),
    Term(
        name="prompt",
        also=("words given",),
        sentence="A prompt is the beginning of a text that is given to a model to continue.",
        shown=("generation", "side by side"),
    ),
    Term(
        name="autoregressive",
        sentence="An autoregressive model writes a text by predicting one word after the other, each from "
        "all words before.",
        shown=("generation", "side by side"),
        formula=r"p(w_{1:n}) = \prod_t p(w_t \mid w_{1:t-1})",
    ),
    Term(
        name="fed back",
        also=("feeds back",),
        sentence="A word that has been written is fed back: it is the last word the model reads to write "
        "the next one.",
        shown=("generation", "fed back"),
    ),
    Term(
        name="greedy",
        also=("greedily", "greedy decoding"),
        switches=("way=greedy",),
        sentence="Greedy decoding always chooses the word with the highest probability.",
        shown=("generation", "side by side"),
    ),
    Term(
        name="sampling",
        also=("sampled",),
        switches=("way=sampled",),
        sentence="Sampling draws the next word at random, each with the probability that the model gives it.",
        shown=("generation", "side by side"),
    ),
    Term(
        name="beam search",
        also=("beam",),
        switches=("way=beam",),
        sentence="Beam search goes on with several of the likeliest beginnings at once and keeps the "
        "likeliest text in the end.",
        shown=("translation", "translate"),
    ),
    Term(
        name="temperature",
        switches=("temperature",),
        sentence="The temperature divides the numbers before a softmax: below 1 the largest gains, above 1 "
        "all become more equal.",
        shown=("step_by_step", "soft lookup"),
        symbol="T",
        formula=r"\operatorname{softmax}(y / T)",
    ),
    Term(
        name="top-k",
        also=("top k",),
        switches=("top_k",),
        sentence="Top-k sampling draws from the k likeliest words only.",
        shown=("generation", "side by side"),
        symbol="k",
    ),
    Term(
        name="top-p",
        also=("top p", "nucleus"),
        switches=("top_p",),
        sentence="Top-p sampling draws from the likeliest words that together have probability p.",
        shown=("generation", "side by side"),
        symbol="p",
    ),
    Term(
        name="key–value cache",
        also=("KV cache", "keeps keys and values"),
        sentence="A key–value cache keeps the keys and values of the words read, so that they are not "
        "computed again for each further word.",
        shown=("generation", "memory"),
    ),
    Term(
        name="source",
        also=("source sentence", "source word"),
        beside="translat",
        sentence="The source is the text that a translator reads.",
        shown=("translation", "translate"),
    ),
    Term(
        name="target",
        also=("target sentence",),
        beside="source",
        sentence="The target is the text that a translator writes.",
        shown=("translation", "translate"),
    ),
    Term(
        name="sequence-to-sequence",
        also=("seq2seq",),
        sentence="A sequence-to-sequence model, seq2seq for short, reads one sequence and writes another, "
        "as in translation.",
        shown=("architectures", "recurrent"),
    ),
    Term(
        name="Verano",
        sentence="Verano is a language made up for this app, made by rule from a small artificial English, "
        "so that every right translation is known.",
        shown=("translation", "translate"),
    ),
    Term(
        name="alignment",
        also=("align", "aligns"),
        sentence="An alignment says which source words each word of a translation stands for.",
        shown=("translation", "cross-attention"),
    ),
    Term(
        name="alignment error rate",
        also=("error rate",),
        beside="align",
        sentence="The alignment error rate is 0 if the links read off the attention weights are exactly "
        "those of the rules, and 1 if none of them is right.",
        shown=("translation", "cross-attention"),
        formula=r"1 - \frac{2\,\lvert A \cap S \rvert}{\lvert A \rvert + \lvert S \rvert}",
    ),
    Term(
        name="content word",
        sentence="A content word is a noun, a verb, an adjective or a name.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="agreement",
        also=("agrees with",),
        beside="verb",
        sentence="Agreement is the rule that a verb takes the number of its subject, singular or plural.",
        shown=("interaction_distance", "agreement"),
    ),
    Term(
        name="recall",
        sentence="Recall is the task to name again what stood beside a given sign earlier in the text.",
        shown=("interaction_distance", "recall"),
    ),
)
