"""A language model that is to be run for people: what is asked, every way to run it, and which of them is advised."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Record
from advisor.records.hardware.device import Offer
from advisor.records.job.advice import Tier
from advisor.records.job.serving import ServingJob, ServingPrediction
from advisor.records.job.workload import Circumstances

READING_TOKENS_PER_S = 5.3
"""Adults read 238 words of English a minute in silence, and a token is about three quarters of a word (read 2026)."""
READING_SOURCE = (
    'Brysbaert 2019, "How many words do we read per minute?", Journal of Memory and Language 109; OpenAI Help Center, '
    '"What are tokens and how to count them?"'
)
FLUENT_TOKENS_PER_S = 3.7
"""A little slower than people read is still called as fast: looked for where nobody says how fast it should be."""
ServingObstacle = Literal[
    "does_not_fit", "hardly_fits", "too_slow", "waits_too_long", "too_little_time", "budget", "data_must_stay"
]
"""Why an option is not the answer: it takes too much memory, or may by the far end of the estimate; writes too slowly
for each user; the first token comes too late; a month is too short for all answers; it costs more than there is; the
data may not go there."""


_WAIT_S = 10.0
_READ_S = 1e-3
"""Who hands over a book waits a minute or two for the first word: a millisecond for each token of it."""
_PATIENCE_S = 60.0
"""Up to which nobody who set no limit is told to buy anything: no longer than it takes to read the usual answer."""
_PATIENCE_RATIO = 1.1
"""Nobody buys a card to wait for nine seconds instead of ten on a computer that is there."""


def usual_wait_s(prompt_tokens: int) -> float:
    """Return until when an answer should begin where nobody says."""
    return max(_WAIT_S, _READ_S * prompt_tokens)


def as_told(value: float) -> float:
    """Return a number with the two digits that are told, so that nothing is refused for one that nobody sees."""
    return float(f"{value:.2g}")


def is_fluent(tokens_per_s: float) -> bool:
    """Return whether a speed of writing is called about as fast as people read, or faster."""
    return as_told(tokens_per_s) >= FLUENT_TOKENS_PER_S


class ServingQuestion(Record, frozen=True, kw_only=True):
    """What a language model is run for.

    Attributes:
        id, titles: As of a preset; empty where the user named the model.
        model: Name of a known one, or its own file.
        job: How it is asked; ``job.users`` all wait for an answer at the same moment.
        answers_per_month: Of all users.
        hours_per_month: For which it must stand ready; 0: it runs only while it computes.
        least_tokens_per_s: That each user must be given; 0: nobody waits; None: nobody said.
        longest_wait_s: Until an answer begins; 0: nobody waits; None: nobody said. Ten seconds keep the attention
            (Nielsen 1993, "Usability Engineering", section 5.5).
        source, sources: Where the numbers of a preset come from, in English, and by other languages' codes.
    """

    id: str = ""
    titles: dict[str, str] = {}
    model: str
    job: ServingJob = ServingJob()
    answers_per_month: Annotated[float, msgspec.Meta(ge=1, le=1e10)] = 2000.0
    hours_per_month: Annotated[float, msgspec.Meta(ge=0, le=744)] = 160.0
    least_tokens_per_s: Annotated[float, msgspec.Meta(ge=0, le=1e6)] | None = None
    longest_wait_s: Annotated[float, msgspec.Meta(ge=0, le=1e6)] | None = None
    source: str = ""
    sources: dict[str, str] = {}

    @property
    def looked_for_tokens_per_s(self) -> float:
        """What was asked, else what is called as fast as people read."""
        return FLUENT_TOKENS_PER_S if self.least_tokens_per_s is None else self.least_tokens_per_s

    @property
    def looked_for_wait_s(self) -> float:
        """What was asked, else what keeps the attention."""
        return usual_wait_s(self.job.prompt_tokens) if self.longest_wait_s is None else self.longest_wait_s

    @property
    def patience_s(self) -> float:
        """Until when an answer must begin on a computer that is there for it to be enough."""
        if self.longest_wait_s is None:
            return max(_PATIENCE_S, self.looked_for_wait_s)
        return _PATIENCE_RATIO * self.longest_wait_s


class ServingOption(Record, frozen=True, kw_only=True):
    """One way to run it.

    Attributes:
        id, tier, title, device, device_count, offer, purchase_usd, host_usd, price_as_of: As of an ``Option``.
        prediction: How fast, in what memory.
        busy_hours: Of a month, for which it computes.
        paid_hours: Of a month, for which a rented machine is paid.
        month_usd: Of everything: rent, or electricity and what a purchase loses in a month; None where nobody
            publishes the power.
        running_usd: Of it without the purchase.
        million_tokens_usd: For each million tokens written.
        break_even_months: From when a purchase, less what it brings in the end, is cheaper than the cheapest rent that
            does; None: never.
        obstacle: Why it is not the answer; None: it does. ``further_obstacles``: what else stands in the way.
    """

    id: str
    tier: Tier
    title: str
    device: str
    device_count: int
    prediction: ServingPrediction
    offer: Offer | None = None
    purchase_usd: Amount = 0.0
    host_usd: Amount = 0.0
    price_as_of: str | None = None
    busy_hours: Amount
    paid_hours: Amount
    month_usd: Amount | None = None
    running_usd: Amount | None = None
    million_tokens_usd: Amount | None = None
    break_even_months: Amount | None = None
    obstacle: ServingObstacle | None = None
    further_obstacles: tuple[ServingObstacle, ...] = ()

    @property
    def obstacles(self) -> tuple[ServingObstacle, ...]:
        """All that stands in the way, the first one first."""
        return () if self.obstacle is None else (self.obstacle, *self.further_obstacles)


class ServingAdvice(Record, frozen=True, kw_only=True):
    """Which way to run a language model is advised.

    Attributes:
        schema_version: Of this record.
        program_version: That made it.
        created_at: ISO date and time, UTC.
        question: What was asked.
        title: Of the model, as its makers write it.
        circumstances: Money, months, country.
        units_per_usd: Of the currency.
        idle_power_w: What a bought computer draws from the socket while it waits; ``here_idle_power_w``: this one.
        options: The advised one first, then others that do by price, then what does not.
        chosen: Id of the advised one; None: none does.
        here: How fast other known models, so stored, write on this computer; those that do alone,
            the smallest first.
        load_ratio: Of the processor, that other programs took while its speed was measured.
    """

    schema_version: int = 1
    program_version: str
    created_at: str
    question: ServingQuestion
    title: str
    circumstances: Circumstances
    units_per_usd: Amount
    idle_power_w: Amount
    here_idle_power_w: Amount | None = None
    options: tuple[ServingOption, ...]
    chosen: str | None = None
    here: tuple[ServingPrediction, ...] = ()
    load_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
