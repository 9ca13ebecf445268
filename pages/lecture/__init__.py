"""Lecture: prepared demonstrations in an order, with what to say and to ask at each of them."""
