"""The model of a benchmark and the readers of its formats."""
