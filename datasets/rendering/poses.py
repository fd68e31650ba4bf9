"""Rotations (3 × 3, local -> world), and things put down on the table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering.scene import Array, Thing


def turn_z(angle: float) -> Array:
    """Rotation about the vertical, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def carry(direction: Array) -> Array:
    """A rotation that brings a local direction to the vertical (Rodrigues)."""
    a = direction / np.linalg.norm(direction)
    if a[2] < -0.999:
        return np.diag([1.0, -1.0, -1.0])
    cross = np.array([[0, 0, -a[0]], [0, 0, -a[1]], [a[0], a[1], 0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1 + a[2]))


def resting(thing: Thing) -> Thing:
    """The thing moved up or down until it touches the table."""
    return replace(thing, centre=np.array([thing.centre[0], thing.centre[1], thing.lift]))


def tip(angle: float) -> Array:
    """Rotation about the first axis, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
