"""The game: rules as data, sheets, events and their log. Knows nothing of cameras, pictures or pages."""
