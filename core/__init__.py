"""The Transformer and its recurrent rivals, what they are trained on, and what is measured on them.

The model itself lies flat in this folder and reads in this order: `config`, `positions`, `masks`, `norm`,
`attention`, `blocks`, `models`, and beside them `recurrent`, with `alignment` and `recurrent_pair` for two
networks that translate; `details` are what the models of `pretrained`, which are read from folders, have
besides. A `trace` records what a model computes, `forward` lets one ask that record by meaning, and
`decoding` has a model write. Above it stand, each knowing only those before it, `text` (words and languages),
`learning` (tasks, training, the collection), `analysis` (what pages measure) and `programs` (what a reader
takes along).

    model = Transformer(ModelConfig(vocab_size=11))
    initialise(model, seed=0)
    found = forward_pass(model, torch.tensor([[3, 1, 4, 1, 5]]))
    found.heads(layer=0).pattern  # batch, head, query, key
"""
