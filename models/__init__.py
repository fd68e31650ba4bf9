"""The networks that read dice, with their settings in their own metadata. dice.md tells how they were made."""
