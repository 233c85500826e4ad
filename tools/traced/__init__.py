"""The networks of the catalogue and how they are traced; used by ``tools/make_catalog.py`` and the tests."""
