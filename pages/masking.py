"""Masking: paint who may attend to whom, and see the weights, the numbers behind them and the gradients."""

from pages.masking_views import PAGE
from pages.shell import show

show(PAGE)
