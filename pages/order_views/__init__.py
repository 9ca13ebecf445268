"""The pictures of the order-invariance page: one word in both orders, and the verdict of every setting."""
