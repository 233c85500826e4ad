"""How fast a language model reads and writes on a device, and what memory it takes."""

from advisor.predict.serving.answer import Host, predict_serving

__all__ = ["Host", "predict_serving"]
