"""The pictures of the order-invariance page: one word in both orders, every verdict, who did what to whom."""
