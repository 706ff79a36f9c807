"""One module a screen, each with its style sheet beside it."""
