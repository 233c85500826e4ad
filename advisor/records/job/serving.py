"""Language models that are asked, not trained: what they are, how they are asked, and how fast they answer."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Basis, Duration, Interval, Record
from advisor.records.job.prediction import Confidence

Count = Annotated[int, msgspec.Meta(ge=1, le=10**8)]
Portion = Annotated[int, msgspec.Meta(ge=0, le=10**8)]
"""A count that may be none."""


class LanguageModel(Record, frozen=True, kw_only=True):
    """A transformer that writes token by token, by the numbers of its ``config.json``.

    Attributes:
        name: On the command line.
        title: Its name as its makers write it.
        layers, width, heads, vocabulary: As usual.
        key_value_heads: Fewer than ``heads`` with grouped queries.
        head_size: Of each head.
        feed_forward: Inner width of a dense layer; ``gated``: three matrices (gate, up, down), else two.
        tied: The output layer is the embedding.
        positions: Rows of a learned table of positions; 0: none.
        attention_bias: Which products of attention have a bias; ``feed_forward_bias``: whether those of a layer do.
        query_norm: Queries and keys are normalized, each head by itself.
        norms: Norms of a layer; ``norm_bias``: with a bias as well; ``final_norm``: Norms after the last layer.
        experts, active_experts: In each layer that is a mixture; 0: none.
        expert_feed_forward, shared_feed_forward: Inner width of an expert, and of what every token goes through.
        dense_layers: So many first layers are no mixture.
        expert_bias: Experts and their router have biases; ``router_bias``: the router alone.
        window: Tokens that windowed layers look back; None: all. ``full_every``: every so many layers look back at all
            tokens; 0: none does.
        latent_size: Numbers kept for a token in each layer instead of keys and values (DeepSeek); with ``query_rank``,
            ``rope_size`` and ``value_size`` of that attention.
        sinks: Each head has a learned sink.
        capped: A tanh limits the scores of attention and of words (Gemma 2).
        output_bias: The output layer has a bias (Phi).
        loose_activation: The activation of a layer is written out, one operator after the other (``gelu_new``).
        drops: It learns with dropout, in attention too (GPT-2).
        context: Tokens it was made for.
        parameters: As published.
        source: Where from.
    """

    name: str
    title: str = ""
    layers: Count
    width: Count
    heads: Count
    key_value_heads: Count
    head_size: Count
    feed_forward: Count
    vocabulary: Count
    tied: bool = False
    gated: bool = True
    positions: Portion = 0
    attention_bias: Literal["none", "inputs", "all"] = "none"
    feed_forward_bias: bool = False
    query_norm: bool = False
    norms: Portion = 2
    norm_bias: bool = False
    final_norm: Portion = 1
    experts: Portion = 0
    active_experts: Portion = 0
    expert_feed_forward: Portion = 0
    shared_feed_forward: Portion = 0
    dense_layers: Portion = 0
    expert_bias: bool = False
    router_bias: bool = False
    window: Count | None = None
    full_every: Portion = 0
    latent_size: Portion = 0
    query_rank: Portion = 0
    rope_size: Portion = 0
    value_size: Portion = 0
    sinks: bool = False
    capped: bool = False
    output_bias: bool = False
    loose_activation: bool = False
    drops: bool = False
    context: Count | None = None
    parameters: Annotated[int, msgspec.Meta(ge=0, le=10**14)] = 0
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse a mixture that uses no expert or more than it has, and keys and values that are kept in no number."""
        if self.experts and not (0 < self.active_experts <= self.experts and self.dense_layers <= self.layers):
            raise ValueError("experts")
        if self.latent_size and not (0 < self.rope_size < self.latent_size and self.value_size):
            raise ValueError("kv_lora_rank, qk_rope_head_dim, v_head_dim")


class WeightFormat(Record, frozen=True, kw_only=True):
    """How weights are stored.

    Attributes:
        name: On the command line, such as ``q4_k_m``.
        bits: Of a weight on average, scales included.
        bits_outside: Of a weight of embedding and output layer.
        software: What reads it: ``llama.cpp``, ``bitsandbytes``, ``vllm`` …
        source: Where the figure is from.
    """

    name: str
    bits: float
    bits_outside: float
    software: str
    source: str


class ServingJob(Record, frozen=True, kw_only=True):
    """How a model is asked.

    Attributes:
        weights: Name of a format.
        prompt_tokens, new_tokens: Read and written for each answer.
        users: Answers written at once.
        context: Tokens for which each user's keys and values have room; None: what is read and written.
        year: Of the software that runs it; None: today's.
    """

    weights: str = "q4_k_m"
    prompt_tokens: Annotated[int, msgspec.Meta(ge=1, le=10**7)] = 512
    new_tokens: Annotated[int, msgspec.Meta(ge=1, le=10**7)] = 256
    users: Annotated[int, msgspec.Meta(ge=1, le=10**5)] = 1
    context: Annotated[int, msgspec.Meta(ge=1, le=10**7)] | None = None
    year: Annotated[int, msgspec.Meta(ge=2023, le=2100)] | None = None

    @property
    def room(self) -> int:
        """Tokens that each user's keys and values take room for."""
        return max(self.context or 0, self.prompt_tokens + self.new_tokens)


class ServingMemory(Record, frozen=True, kw_only=True):
    """Memory of all devices together.

    Attributes:
        weights_bytes, cache_bytes, work_bytes: Of the model, of keys and values, and beside them; ``total_bytes`` on
            the devices, without what the program leaves in the computer's memory anyway.
        available_bytes: Of the devices; None where unknown.
        fits: None where unknown.
        host_ratio: Share of the layers that stays in the computer's own memory, where not all fits.
    """

    weights_bytes: Amount
    cache_bytes: Amount
    work_bytes: Amount
    total_bytes: Amount
    interval: Interval
    available_bytes: Amount | None
    fits: bool | None
    host_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0


class PublishedRate(Record, frozen=True, kw_only=True):
    """What somebody measured and published.

    Attributes:
        device, count: Name of the device, and how many held a share of the model each.
        kind: ``prefill``: reading a prompt of ``tokens``; ``decode``: writing so many, of one user.
        tokens_per_s: None: it did not fit.
        date: Year and month.
        source: Where.
        doubt: Why the figure is not believed; None: it is.
    """

    device: str
    count: Count
    model: str
    weights: str
    kind: Literal["prefill", "decode"]
    tokens: Count
    tokens_per_s: Amount | None
    date: str
    source: str
    doubt: str | None


ServingLimit = Literal["compute", "memory_bandwidth", "launch", "host_memory"]


class ServingPrediction(Record, frozen=True, kw_only=True):
    """How fast a model answers on devices of one kind.

    Attributes:
        model, weights, device, device_count: What was asked.
        parameters, active_parameters: Of the model, and those that a token meets.
        prefill_tokens_per_s: Read, of one prompt; ``prefill_interval``: of it, 80 %.
        decode_tokens_per_s: Written for each user; ``decode_interval``: of it, 80 %.
        total_tokens_per_s: Written for all users.
        first_token_s: Until an answer begins; ``answer_s``: until it ends.
        limit: What holds writing back.
        memory: What it takes.
        confidence, basis: As of a ``Prediction``.
        published: What others measured of this model, so stored, on these devices.
    """

    model: str
    weights: str
    device: str
    device_count: int = 1
    parameters: Amount
    active_parameters: Amount
    job: ServingJob
    prefill_tokens_per_s: Amount
    prefill_interval: Interval
    decode_tokens_per_s: Amount
    decode_interval: Interval
    total_tokens_per_s: Amount
    first_token_s: Duration
    answer_s: Duration
    limit: ServingLimit
    memory: ServingMemory
    confidence: Confidence
    basis: Basis = "modelled"
    published: tuple[PublishedRate, ...] = ()
