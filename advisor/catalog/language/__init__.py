"""Language models by their numbers, the formats of their weights, and their own files: ``config.json``, GGUF, …."""

from advisor.catalog.language.formats import find_format, weight_formats
from advisor.catalog.language.models import find_model, language_models

__all__ = ["find_format", "find_model", "language_models", "weight_formats"]
