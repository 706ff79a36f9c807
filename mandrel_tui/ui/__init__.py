"""Screens and widgets: show values and ask."""
