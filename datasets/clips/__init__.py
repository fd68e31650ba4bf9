"""Rendered clips of whole turns, with hands, and the truth beside them. See datasets/README.md."""
