"""Weights are a function of the seed and a name, always the same, whatever else is switched."""

from concurrent.futures import ThreadPoolExecutor

import torch
from torch import Tensor, nn

from core.model.config import NORMS, POSITIONS, Positions
from core.model.initialisation import (
    LARGEST_DRAWN_ALONE,
    DrawingNothing,
    _kept,
    initialise,
    normal,
    word_vectors,
)
from core.model.masks import MASKS
from core.model.models import EncoderDecoder, Transformer
from tests.core.references import config
from tests.covering import covering, each


def initialised(seed: int = 0, **options: object) -> dict[str, Tensor]:
    model = Transformer(config(**options))
    initialise(model, seed=seed)
    return model.state_dict()


def assert_equal(actual: Tensor, expected: list[object]) -> None:
    torch.testing.assert_close(actual, torch.tensor(expected), rtol=0, atol=1e-7)


def test_the_numbers_are_these_on_every_machine() -> None:
    assert_equal(normal([4], seed=0, name="word tea"), [-0.46756813, 0.94459450, -0.65713859, 0.61243665])
    assert_equal(
        normal([2, 3], seed=7, name="blocks.0.attention.query.weight"),
        [[-0.23889568, -0.14864491, -0.39691499], [0.86885053, -0.67179012, 0.17748415]],
    )
    assert_equal(
        word_vectors(["tea", "茶"], 3, seed=1),
        [[0.95898157, 2.14849877, -0.21446361], [-1.38184142, 0.24272744, -0.31557074]],
    )


def test_parallel_initialisations_do_not_share_random_numbers() -> None:
    def drawn(name: str) -> list[list[float]]:
        return [normal([997], seed=seed, name=name).tolist() for seed in range(20)]

    names = [f"visitor {i}" for i in range(4)]
    with ThreadPoolExecutor(len(names)) as pool:
        together = list(pool.map(drawn, names))
    _kept.cache_clear()  # type: ignore[attr-defined]
    assert together == [drawn(name) for name in names]


def test_a_parameter_is_its_own_stream_over_the_root_of_its_inputs() -> None:
    parameters = initialised(seed=5, positions="learned")
    deviations = {
        "embed.weight": 1.0,
        "positions.table": 0.5**0.5,
        "blocks.1.attention.key.weight": 21**-0.5,
        "blocks.0.mlp.contract.weight": 17**-0.5,
        "unembed.weight": 21**-0.5,
    }
    for name, deviation in deviations.items():
        expected = normal(parameters[name].shape, seed=5, name=name) * deviation
        torch.testing.assert_close(parameters[name], expected)


def test_a_large_model_that_is_drawn_on_all_processors_gets_the_same_streams() -> None:
    sizes = {"d_model": 138, "d_mlp": 1907, "positions": "learned", "tied": True}
    parameters = initialised(seed=5, **sizes)
    assert max(value.numel() for value in parameters.values()) > LARGEST_DRAWN_ALONE
    for name in ("blocks.1.attention.key.weight", "blocks.0.mlp.contract.weight", "unembed.weight"):
        shape = parameters[name].shape
        torch.testing.assert_close(
            parameters[name], normal(shape, seed=5, name=name) * shape[1] ** -0.5, rtol=0, atol=0
        )
    assert torch.equal(parameters["embed.weight"], parameters["unembed.weight"])
    assert torch.equal(parameters["blocks.1.mlp_norm.gain"], torch.ones(138))


@each("positions", POSITIONS)
def test_a_model_for_which_torch_draws_nothing_is_the_same_once_it_is_initialised(
    positions: Positions,
) -> None:
    options = {"positions": positions, "n_types": 2, "embed_norm": True, "output_transform": True}
    before = torch.get_rng_state()
    with DrawingNothing():
        model = Transformer(config(**options))
    assert torch.equal(torch.get_rng_state(), before)
    initialise(model, seed=3)
    assert torch.equal(torch.get_rng_state(), before), "torch's own stream is left as it was"
    torch.testing.assert_close(model.state_dict(), initialised(3, **options), rtol=0, atol=0)
    kept = {name: value.clone() for name, value in model.state_dict().items()}
    initialise(model, seed=4, but={"embed.weight"})
    assert torch.equal(model.embed.weight, kept["embed.weight"])
    assert not torch.equal(model.unembed.weight, kept["unembed.weight"])
    assert all(parameter.requires_grad for parameter in model.parameters())


def test_switching_anything_leaves_every_parameter_that_both_models_have() -> None:
    plain = initialised(d_model=42, norm="pre", positions="none", mask="causal", n_layers=2)
    both = (True, False)
    values = {"positions": POSITIONS, "norm": NORMS, "mask": tuple(MASKS), "n_layers": (1, 3)}
    for others in covering({**values, "mlp": both, "scale": both}):
        switched = initialised(d_model=42, **others)
        shared = plain.keys() & switched.keys()
        assert {"embed.weight", "blocks.0.attention.query.weight", "unembed.weight"} <= shared
        assert all(torch.equal(plain[name], switched[name]) for name in shared)


def test_gains_are_one_and_biases_zero() -> None:
    model = EncoderDecoder(config(), config())
    for parameter in model.parameters():
        nn.init.constant_(parameter, 7.0)
    initialise(model, seed=0)
    for name, value in model.state_dict().items():
        if name.endswith("gain"):
            assert torch.equal(value, torch.ones_like(value)), name
        elif name.endswith("bias"):
            assert torch.equal(value, torch.zeros_like(value)), name
        else:
            assert value.unique().numel() == value.numel(), name


def test_a_word_has_one_vector_whatever_the_sentence() -> None:
    alone = word_vectors(["tea"], 21, seed=3)[0]
    among = word_vectors(["the", "Tea", "tea", "茶", "the"], 21, seed=3)
    assert torch.equal(among[2], alone)
    assert torch.equal(among[0], among[4])
    assert len({tuple(vector.tolist()) for vector in among}) == 4
    assert not torch.equal(word_vectors(["tea"], 21, seed=4)[0], alone)
