"""How well one can play, measured: python -m datasets.results writes docs/results.md, its plots and its figures."""
