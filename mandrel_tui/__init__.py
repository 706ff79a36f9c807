"""The terminal seat of the human who drives the Mandrel protocol by hand."""

__version__ = "0.1.0"
