"""The Mandrel protocol as pure functions over values: no files, no clock, no terminal."""
