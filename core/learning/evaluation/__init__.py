"""What a trained model can do, question by question."""
