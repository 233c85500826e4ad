"""How many parameters a language model has, and which of them a token meets."""

from advisor.records.job.serving import LanguageModel


def parameter_count(model: LanguageModel) -> int:
    """Return all parameters."""
    dense = model.dense_layers if model.experts else model.layers
    layers = model.layers * (_attention(model) + _norms(model))
    mixtures = (model.layers - dense) * (_experts(model, model.experts) + _router(model))
    return layers + dense * _feed_forward(model, model.feed_forward) + mixtures + outside_count(model)


def active_count(model: LanguageModel) -> int:
    """Return the parameters that are read to write one token: without idle experts and the table of tokens."""
    read = parameter_count(model) - model.vocabulary * model.width * (0 if model.tied else 1)
    read -= model.positions * model.width
    if not model.experts:
        return read
    mixtures = model.layers - model.dense_layers
    return read - mixtures * (_experts(model, model.experts) - _experts(model, model.active_experts))


def outside_count(model: LanguageModel) -> int:
    """Return the parameters beside the layers: embedding, output layer, positions and last norm."""
    tables = model.vocabulary * (1 if model.tied else 2) + model.positions
    norms = model.final_norm * (2 if model.norm_bias else 1)
    return (tables + norms) * model.width + model.vocabulary * model.output_bias


def experts_read(model: LanguageModel, tokens: float) -> float:
    """Return how many experts of a layer are read for so many tokens at once, each taking some by chance."""
    if not model.experts:
        return 0.0
    idle: float = (1.0 - model.active_experts / model.experts) ** tokens
    return model.experts * (1.0 - idle)


def expert_count(model: LanguageModel) -> int:
    """Return the parameters of one expert in all layers."""
    return (model.layers - model.dense_layers) * (_experts(model, 2) - _experts(model, 1)) if model.experts else 0


def cache_numbers(model: LanguageModel, tokens: float) -> float:
    """Return the numbers that are kept of so many tokens in all layers."""
    of_token = model.latent_size or 2 * model.key_value_heads * model.head_size
    if model.window is None:
        return of_token * model.layers * tokens
    full = model.layers // model.full_every if model.full_every else 0
    return of_token * (full * tokens + (model.layers - full) * min(tokens, model.window))


def _attention(model: LanguageModel) -> int:
    inner, kept = model.heads * model.head_size, model.key_value_heads * model.head_size
    if model.latent_size:
        return _latent_attention(model)
    count = 2 * model.width * inner + 2 * model.width * kept
    if model.attention_bias != "none":
        count += inner + 2 * kept + (model.width if model.attention_bias == "all" else 0)
    return count + (2 * model.head_size if model.query_norm else 0) + (model.heads if model.sinks else 0)


def _latent_attention(model: LanguageModel) -> int:
    """Source: DeepSeek-AI 2024, DeepSeek-V2, section 2.1 and appendix C."""
    rank = model.latent_size - model.rope_size
    queries = model.heads * (model.head_size + model.rope_size)
    inward = model.width * model.query_rank + model.query_rank * (queries + 1) if model.query_rank else 0
    inward = inward or model.width * queries
    kept = model.width * model.latent_size + rank + rank * model.heads * (model.head_size + model.value_size)
    return inward + kept + model.heads * model.value_size * model.width


def _feed_forward(model: LanguageModel, inner: int) -> int:
    biases = inner * (2 if model.gated else 1) + model.width if model.feed_forward_bias else 0
    return (3 if model.gated else 2) * model.width * inner + biases


def _experts(model: LanguageModel, count: int) -> int:
    inner = model.expert_feed_forward or model.feed_forward
    biases = 2 * inner + model.width if model.expert_bias else 0
    own = 3 * model.width * inner + biases
    shared = 3 * model.width * model.shared_feed_forward
    return count * own + shared


def _router(model: LanguageModel) -> int:
    return model.experts * (model.width + (1 if model.expert_bias or model.router_bias else 0))


def _norms(model: LanguageModel) -> int:
    return model.norms * model.width * (2 if model.norm_bias else 1)
