"""Training of the engine's network: self-play, data sets, the PyTorch model, quantisation, export and evaluation."""
