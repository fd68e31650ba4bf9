"""The eye: from a picture of a table to the dice that lie on it. Knows nothing of the game that is played with them."""
