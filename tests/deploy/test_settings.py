"""An operator's settings reach nginx, and an error names a value that is not a number."""

from dataclasses import fields

import pytest

from deploy.settings import Settings, from_environment, variable
from tests.covering import each


def test_without_variables_everything_is_at_its_default() -> None:
    assert from_environment({}) == Settings()


def test_an_empty_variable_counts_as_unset() -> None:
    assert from_environment({"ATTENTION_LAB_SESSIONS_PER_ADDRESS": ""}) == Settings()


@each("name", [field.name for field in fields(Settings) if field.type is int])
def test_each_limit_has_a_variable(name: str) -> None:
    asked = from_environment({"ATTENTION_LAB_ARRIVALS_BURST": "9973", variable(name): "307"})
    assert getattr(asked, name) == 307


@each("text", ["many", "-3", "2.5", "1 2"])
def test_an_error_names_the_variable_whose_value_is_not_a_number(text: str) -> None:
    with pytest.raises(ValueError, match=f"ATTENTION_LAB_CONNECTIONS must be a whole number, got '{text}'"):
        from_environment({"ATTENTION_LAB_CONNECTIONS": text})


def test_a_limit_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="ATTENTION_LAB_SESSIONS_PER_ADDRESS must be at least 1, got 0"):
        from_environment({"ATTENTION_LAB_SESSIONS_PER_ADDRESS": "0"})


def test_a_certificate_has_a_key() -> None:
    with pytest.raises(ValueError, match="ATTENTION_LAB_CERTIFICATE and ATTENTION_LAB_KEY go together"):
        from_environment({"ATTENTION_LAB_CERTIFICATE": "/etc/lab/chain.pem"})


def test_a_key_lies_at_an_absolute_path() -> None:
    with pytest.raises(ValueError, match="ATTENTION_LAB_KEY must be an absolute path"):
        Settings(certificate="/etc/lab/chain.pem", key='key.pem"; return 200 "')


def test_arrivals_at_once_may_not_exceed_the_burst() -> None:
    with pytest.raises(ValueError, match=r"ARRIVALS_BURST, got 31 and 29"):
        Settings(arrivals_at_once=31, arrivals_burst=29)


@each(
    ("text", "proxies"),
    [
        ("", ()),
        ("10.0.0.1", ("10.0.0.1/32",)),
        ("10.0.0.0/8", ("10.0.0.0/8",)),
        ("10.0.0.0/255.0.0.0", ("10.0.0.0/8",)),
        ("10.0.0.1,192.168.0.0/16, fd00::/8", ("10.0.0.1/32", "192.168.0.0/16", "fd00::/8")),
    ],
)
def test_proxies_are_addresses_or_networks_separated_by_commas(text: str, proxies: tuple[str, ...]) -> None:
    assert from_environment({"ATTENTION_LAB_PROXY": text}).proxies == proxies


@each(
    "text",
    [
        *("proxy.example", "10.0.0.1; return 200", "10.0.0.1 10.0.0.2", "10.0.0.1/8", "*"),
        *("10.0.0.1,", ",", "10.0.0.1,,10.0.0.2", "10.0.0.1,proxy.example"),
    ],
)
def test_another_name_of_a_proxy_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ATTENTION_LAB_PROXY must be addresses or networks, separated by"):
        Settings(proxy=text)
