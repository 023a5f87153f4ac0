"""Axes and the language of rules over them: what a split asks of its rows."""
