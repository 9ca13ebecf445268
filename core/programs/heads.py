"""The programs of the page Heads: costs of three kinds, two layers that learn, a reshape."""

from core.measures.heads.several import RATE, SEED, STEPS, WIDTH
from core.programs.forward import attention_of
from core.programs.printing import printing_rows
from core.programs.subject import Subject
from core.programs.text import program
from core.programs.weights import IMPORTS_FOR_NORMAL, normal_numbers


def kinds_program(*, d_model: int, n_heads: int, n_words: int) -> str:
    """A program that runs a layer of each kind and prints its weights and operations."""
    return program(
        "Standard, narrow and wide heads: weights and operations of one attention layer.",
        "import torch",
        f"""
        d, k, n = {d_model}, {n_heads}, {n_words}
        kinds = {{"standard": (d, d // k), "narrow": (d // k, d // k), "wide": (d, d)}}


        def attention(x, q, k, v, output):
            pattern = ((x @ q) @ (x @ k).mT / q.shape[-1] ** 0.5).softmax(-1)
            z = pattern @ (x @ v)  # head, word, d_head
            return z.transpose(0, 1).flatten(1) @ output


        x = torch.randn(n, d)
        for name, (d_in, d_head) in kinds.items():
            matrices = [torch.randn(k, d_in, d_head) * d_in**-0.5 for _ in range(3)]
            output = torch.randn(k * d_head, d)
            given = x.view(n, k, d_in).transpose(0, 1) if name == "narrow" else x
            assert attention(given, *matrices, output).shape == (n, d)
            weights = sum(matrix.numel() for matrix in (*matrices, output))
            print(name, weights, 2 * n * weights + k * 4 * n**2 * d_head)
        """,
    )


def fetching_program() -> str:
    """A program that fits one head and two to the task, and prints what each loses and where it looks."""
    return program(
        "Two contents to be kept apart: what one head loses, and two do not.",
        IMPORTS_FOR_NORMAL,
        normal_numbers(SEED),
        f"""
        words = ["Maria", "met", "Zuko"]
        task = torch.eye(3)[[0, 2]]  # from the contents of the three words to the two that are asked for

        for n_heads in (1, 2):
            scores = normal("scores", n_heads, 3).requires_grad_()
            value = normal("value", n_heads, {WIDTH} // n_heads).requires_grad_()
            output = torch.zeros(n_heads, {WIDTH} // n_heads, 2, requires_grad=True)
            for _ in range({STEPS}):
                mixing = torch.einsum("hd,hda,hw->aw", value, output, scores.softmax(-1))
                loss = (mixing - task).square().sum(-1).mean()
                slopes = torch.autograd.grad(loss, [scores, value, output])
                with torch.no_grad():
                    for weights, slope in zip([scores, value, output], slopes):
                        weights -= {RATE} * slope
            print("heads:", n_heads, "lost:", round(loss.item(), 3))
            for weights in scores.softmax(-1).tolist():
                print(*(f"{{word}} {{weight:.2f}}" for word, weight in zip(words, weights)))
        """,
    )


def reshape_program(subject: Subject, part: str) -> str:
    """A program that cuts the matrix n × d of all heads into theirs, and prints it, a row for each word."""
    return program(
        f"From n × d to k × n × d/k: the vectors {part} of all heads.",
        attention_of(subject),
        f"""
        flat = {part}.transpose(0, 1).reshape(n, d_model)  # n × d, as one product of the words returns it
        cut = flat.view(n, n_heads, d_head)  # n × k × d/k
        heads = cut.transpose(0, 1)  # k × n × d/k
        assert heads.equal({part})
        """,
        printing_rows("flat"),
    )
