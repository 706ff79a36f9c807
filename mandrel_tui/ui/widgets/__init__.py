"""The widgets every screen is made of."""
