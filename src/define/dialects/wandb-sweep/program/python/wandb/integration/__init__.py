"""Integrations with other libraries: that of Keras, and whatever else a program imports, which does nothing."""
