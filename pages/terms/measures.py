"""What is measured, and how numbers are kept."""

from pages.terms.term import Term

MEASURES = (
    Term(
        name="probability",
        sentence="The probability of a word is the share, from 0 to 1, that the model gives it among all "
        "words it knows.",
        shown=("explorer", "matrix"),
        symbol="p",
    ),
    Term(
        name="nat",
        sentence="A nat is the unit of information when logarithms are natural: a probability of 1/e has a "
        "surprisal of one nat.",
        shown=("generation", "surprisal"),
    ),
    Term(
        name="bit",
        sentence="A bit is the unit of information when logarithms have base 2: a probability of one half "
        "has a surprisal of one bit.",
        shown=("scaling", "softmax"),
    ),
    Term(
        name="surprisal",
        sentence="The surprisal of a word is the negative logarithm of the probability that the model gave "
        "it.",
        shown=("generation", "surprisal"),
        formula=r"-\ln p",
    ),
    Term(
        name="perplexity",
        sentence="The perplexity is the exponential of the mean surprisal: the number of equally likely "
        "words that would be as hard to predict.",
        shown=("generation", "surprisal"),
        formula=r"e^{\text{mean surprisal}}",
    ),
    Term(
        name="entropy",
        sentence="The entropy of attention weights, in bits, says how spread they are: 0 if one key has all "
        "the weight, and largest if all keys have the same.",
        shown=("explorer", "head scores"),
        symbol="H",
        formula=r"-\sum_j \alpha_j \log_2 \alpha_j",
    ),
    Term(
        name="Kullback–Leibler divergence",
        also=("D(before ‖ after)", "D(‖)"),
        sentence="The Kullback–Leibler divergence D(p ‖ q) says how far a distribution q is from p: 0 if "
        "they are equal, and more the less q gives to what p finds likely.",
        shown=("explorer", "all heads"),
        symbol=r"D(p \,\Vert\, q)",
        formula=r"\sum_w p(w) \ln \frac{p(w)}{q(w)}",
    ),
    Term(
        name="log-probability",
        sentence="The log-probability of a text is the sum of the logarithms of the probabilities of its "
        "words.",
        shown=("translation", "translate"),
        formula=r"\sum_t \ln p(w_t)",
    ),
    Term(
        name="log-odds",
        sentence="The log-odds of an answer are the logarithm of its probability over that of the other "
        "answer.",
        shown=("classification", "contributions"),
        formula=r"\ln \frac{p}{1 - p}",
    ),
    Term(
        name="accuracy",
        sentence="The accuracy is the share of questions that a model answers right.",
        shown=("interaction_distance", "agreement"),
    ),
    Term(
        name="standard deviation",
        sentence="The standard deviation is the root of the mean squared distance of numbers from their "
        "mean.",
        shown=("scaling", "random vectors"),
        symbol=r"\sigma",
    ),
    Term(
        name="standard error",
        sentence="The standard error is the standard deviation that a measured mean would have over "
        "repeated samples.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="confidence",
        also=("95 % confidence",),
        sentence="With 95 % confidence means that the method behind the statement is right in 95 of 100 "
        "samples.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="percentage point",
        sentence="A percentage point is the difference between two shares in per cent, such as from 40 % to "
        "41 %.",
        shown=("translation", "bottleneck"),
    ),
    Term(
        name="norm",
        sentence="The norm of a vector is its length, the root of the sum of its squared numbers.",
        shown=("blocks", "residual stream"),
        symbol=r"\lVert x \rVert",
        formula=r"\sqrt{\textstyle\sum_i x_i^2}",
    ),
    Term(
        name="rank",
        beside="its rank",
        sentence="The rank of a matrix is the number of its linearly independent rows.",
        shown=("heads", "rank"),
    ),
    Term(
        name="total variation",
        sentence="The total variation between two distributions is half the sum of the differences of all "
        "probabilities: 0 if they are equal, 100 % if they have no word in common.",
        shown=("explorer", "hiding"),
        formula=r"\tfrac{1}{2} \sum_w \lvert p(w) - q(w) \rvert",
    ),
    Term(
        name="Spearman's rank correlation",
        also=("Spearman's", "rank correlation"),
        sentence="Spearman's rank correlation of two lists compares their ranks: 1 if they "
        "order things alike, −1 if one is the other reversed, and about 0 by chance.",
        shown=("explorer", "hiding"),
        symbol=r"\rho",
    ),
    Term(
        name="rank agreement",
        also=("Kendall's",),
        sentence="The rank agreement of two lists, Kendall's τ, is 1 if they order things alike, −1 if one "
        "is the other reversed, and about 0 by chance.",
        shown=("classification", "contributions"),
        symbol=r"\tau",
    ),
    Term(
        name="cosine similarity",
        also=("cosine",),
        sentence="The cosine similarity of two vectors is the cosine of the angle between them: 1 for the "
        "same direction, 0 for a right angle.",
        shown=("explorer", "similarity"),
        formula=r"\frac{a \cdot b}{\lVert a \rVert \lVert b \rVert}",
    ),
    Term(
        name="float16",
        also=("half precision",),
        sentence="Numbers in float16 take 16 bits, half as many as in float32, and become infinite beyond a "
        "rather small limit.",
        shown=("masking", "mask values"),
    ),
    Term(
        name="bfloat16",
        sentence="Numbers in bfloat16 take 16 bits and reach as far as float32, with fewer digits.",
        shown=("masking", "mask values"),
    ),
    Term(
        name="float32",
        also=("single precision",),
        sentence="Numbers in float32 take 32 bits, the usual precision of neural networks.",
        shown=("masking", "mask values"),
    ),
    Term(
        name="double precision",
        also=("float64",),
        sentence="Numbers in double precision take 64 bits and have about twice the digits of float32.",
        shown=("masking", "mask values"),
    ),
    Term(
        name="NaN",
        sentence="NaN, not a number, is what a computer returns where a calculation has no result, such as "
        "0/0.",
        shown=("masking", "mask values"),
    ),
    Term(
        name="rounding",
        beside="up to",
        sentence="Rounding is the small error of every result of a computer, because numbers have a limited "
        "number of digits.",
        shown=("order_invariance", "one word"),
    ),
    Term(
        name="GPU",
        sentence="A GPU is a processor with thousands of parallel units, which computes large matrix "
        "products fast.",
        shown=("interaction_distance", "measured time"),
    ),
    Term(
        name="CPU",
        sentence="A CPU is the general processor of a computer, with a few parallel units.",
        shown=("interaction_distance", "measured time"),
    ),
)
