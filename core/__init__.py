"""The Transformer and its recurrent rivals, what they are trained on, and what is measured on them."""
