"""The Transformer and its recurrent rivals, their training data, and measurements on them.

Folders, each knowing only those before it:

- `model`, the book: architectures, masks, position schemes, and the record of what a model computes
- `text`, words and the artificial languages
- `pretrained`, Hugging Face folders as our own modules
- `decoding`, ways to have a model write
- `learning`, tasks, training, the collection, evaluation and probes
- `sources`, from a name to a loaded model
- `measures`, what pages measure
- `live`, a visitor's training
- `programs`, what a reader takes along

All of them stand on `device`, `arrays` and `priority`.

    model = Transformer(ModelConfig(vocab_size=11))
    initialise(model, seed=0)
    found = forward_pass(model, torch.tensor([[3, 1, 4, 1, 5]]))
    found.heads(layer=0).pattern  # batch, head, query, key
"""
