"""How models learn, and what they are compared with."""

from pages.terms.term import Term

TRAINING = (
    Term(
        name="loss",
        sentence="The loss is the number that training makes small, here the mean surprisal of what is to "
        "be predicted.",
        shown=("training", "training"),
        symbol=r"\mathcal{L}",
        formula=r"-\tfrac1n \sum_t \ln p(w_t)",
    ),
    Term(
        name="seed",
        switches=("seed",),
        sentence="A seed is the number from which random numbers are made, so that the same seed gives the "
        "same ones again.",
        shown=("scaling", "random vectors"),
    ),
    Term(
        name="warm-up",
        also=("warmed up",),
        sentence="With a warm-up the learning rate rises from 0 over the first steps of a training, so that "
        "the first gradients move the weights little.",
        shown=("blocks", "warm-up"),
    ),
    Term(
        name="AdamW",
        sentence="AdamW is gradient descent that divides the step of each parameter by the size of its "
        "recent gradients, and makes all parameters a little smaller.",
        shown=("blocks", "warm-up"),
    ),
    Term(
        name="random weights",
        switches=("model=random",),
        sentence="Random weights are those before training: the mechanism is complete, but nothing has been "
        "learned.",
        shown=("explorer", "matrix"),
    ),
    Term(
        name="trained weights",
        switches=("model=trained",),
        sentence="Trained weights are those of the small models of this app, which have learned a small "
        "artificial English.",
        shown=("explorer", "matrix"),
    ),
    Term(
        name="real weights",
        also=("real model", "pretrained model"),
        switches=("model=real",),
        sentence="Real weights are those of a published model, trained on large texts by others.",
        shown=("models", "models"),
    ),
    Term(
        name="initialisation",
        sentence="Initialisation is the draw of the random numbers that parameters begin with before "
        "training.",
        shown=("blocks", "depth"),
    ),
    Term(
        name="batch",
        also=("batches",),
        sentence="A batch is the set of sentences that one step of training learns from.",
        shown=("training", "training"),
    ),
    Term(
        name="training step",
        also=("step of training", "steps of training"),
        sentence="A training step changes all parameters a little against the gradient of the loss of one "
        "batch.",
        shown=("training", "training"),
    ),
    Term(
        name="learning rate",
        sentence="The learning rate is the factor that says how far a step of training moves the parameters.",
        shown=("training", "training"),
        symbol=r"\eta",
    ),
    Term(
        name="gradient descent",
        sentence="Gradient descent changes parameters step by step against the gradient of the loss.",
        shown=("training", "training"),
        formula=r"\theta \leftarrow \theta - \eta \nabla \mathcal{L}",
    ),
    Term(
        name="teacher forcing",
        sentence="In teacher forcing a model that learns to write is given the right word before each "
        "place, whatever it would have written itself.",
        shown=("translation", "teacher forcing"),
    ),
    Term(
        name="held out",
        sentence="What is held out never occurs in training, so that a right answer on it is not remembered.",
        shown=("order_invariance", "who did what to whom"),
    ),
    Term(
        name="next-token prediction",
        also=("next-word prediction", "language model", "predict the next word"),
        sentence="A language model is trained to give a probability to every word that may come next.",
        shown=("explorer", "matrix"),
    ),
    Term(
        name="masked-word prediction",
        also=("masked language model",),
        sentence="In masked-word prediction a model fills in words that are hidden from it, with the words "
        "on both sides in sight.",
        shown=("masking", "the future"),
    ),
    Term(
        name="probe",
        also=("probed",),
        sentence="A probe is a small linear model that is trained to read something off the vectors of "
        "another model.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="ablation",
        also=("ablated",),
        sentence="An ablation removes a part of a trained model to see what it did.",
        shown=("translation", "knock out"),
    ),
    Term(
        name="knock out",
        also=("knocked out", "knocking out"),
        sentence="To knock out a head is to replace its output by zeros, an ablation that shows what the "
        "head did.",
        shown=("explorer", "all heads"),
    ),
    Term(
        name="baseline",
        also=("majority-class baseline", "majority class"),
        sentence="A baseline is a simple rule whose score a model has to exceed, such as always giving the "
        "most frequent answer.",
        shown=("interaction_distance", "recall"),
    ),
    Term(
        name="classifier",
        also=("classification",),
        sentence="A classifier gives a probability to each of a few labels of a whole text.",
        shown=("classification", "one review"),
    ),
    Term(
        name="intensifier",
        sentence="An intensifier is a word such as very that strengthens the word after it.",
        shown=("classification", "one review"),
    ),
    Term(
        name="mean pooling",
        also=("mean of the states", "average pooling", "pooling"),
        sentence="Pooling makes one vector of the states of all words, for instance their mean or the "
        "largest number in each dimension.",
        shown=("classification", "one review"),
    ),
    Term(
        name="gradient × input",
        sentence="Gradient × input multiplies the vector of a word with the gradient there, a first-order "
        "estimate of what the word contributes.",
        shown=("classification", "contributions"),
    ),
)
