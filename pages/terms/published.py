"""The published models and tools that the app names."""

from pages.terms.term import Term

PUBLISHED = (
    Term(
        name="BERT",
        also=("DistilBERT", "RoBERTa"),
        sentence="BERT is a published encoder trained to fill in masked words; DistilBERT and RoBERTa are "
        "its variants.",
        shown=("models", "models"),
    ),
    Term(
        name="GPT-2",
        sentence="GPT-2 is a published decoder trained to predict the next token of web pages.",
        shown=("models", "models"),
    ),
    Term(
        name="BLOOM",
        sentence="BLOOM is a published decoder for many languages, with ALiBi in place of position vectors.",
        shown=("models", "models"),
    ),
    Term(
        name="BART",
        sentence="BART is a published encoder–decoder trained to restore texts that were damaged on purpose.",
        shown=("models", "models"),
    ),
    Term(
        name="T5",
        sentence="T5 is a published encoder–decoder with relative biases that takes every task as text to "
        "text.",
        shown=("positions", "relative"),
    ),
    Term(
        name="Llama",
        also=("Qwen2", "Mistral"),
        sentence="Llama, Qwen2 and Mistral are families of published decoders with rotary positions.",
        shown=("models", "models"),
    ),
    Term(
        name="MiniLM",
        sentence="MiniLM is a small published encoder trained to give sentences of similar meaning similar "
        "vectors.",
        shown=("explorer", "similarity"),
    ),
    Term(
        name="hub",
        also=("Hugging Face",),
        sentence="The hub of Hugging Face is a server from which published models can be fetched.",
        shown=("models", "models"),
    ),
    Term(
        name="safetensors",
        sentence="A safetensors file holds the numbers of a model and no program, so that opening it runs "
        "nothing.",
        shown=("models", "models"),
    ),
    Term(
        name="torch",
        also=("PyTorch",),
        sentence="PyTorch, or torch, is the library for neural networks that this app computes with.",
        shown=("heads", "three kinds"),
    ),
)
