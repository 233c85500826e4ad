"""How fast a language model reads and writes on a device, and what memory it takes."""

from advisor.predict.serving.answer import Host, predict_serving
from advisor.predict.serving.measured import as_measured, token_loop

__all__ = ["Host", "as_measured", "predict_serving", "token_loop"]
