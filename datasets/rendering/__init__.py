"""Rendered pictures of dice: scenes drawn at random, a ray tracer, a camera, and the labels. See datasets/README.md."""
