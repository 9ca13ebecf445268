"""The verdict of a classifier on a review, and the contribution of each word."""
