"""The page: what a family sees and taps. Knows the game and the eye; they know nothing of it."""
