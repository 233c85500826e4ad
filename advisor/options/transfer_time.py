"""How long data travel: a job's to a rented machine before its run, the result back after it, weights to here."""

from advisor.catalog import economics
from advisor.options.candidates import Candidate
from advisor.records.hardware.economics import Economics
from advisor.records.job.workload import Circumstances


def before_s(
    candidate: Candidate, circumstances: Circumstances, table: Economics, *, sent_bytes: float, shipped_bytes: float
) -> float:
    """Return how long it takes until a run starts: what is rented boots, a cluster queues, weights come once."""
    if candidate.is_site:
        return candidate.wait_s
    if candidate.offer is None:
        return shipped_bytes / download_bytes_per_s(circumstances) if circumstances.is_once else 0.0
    return table.rent_start_s.value + circumstances.setup_s + upload_s(sent_bytes, circumstances, table)


def after_s(candidate: Candidate, circumstances: Circumstances, result_bytes: float) -> float:
    """Return how long a result comes back from a provider over the line that the user named.

    An assumed one must not decide between a machine that ends in time and sixteen cards that do so with its result.
    """
    line = circumstances.download_bytes_per_s
    return 0.0 if candidate.offer is None or line is None else result_bytes / line


def upload_s(sent_bytes: float, circumstances: Circumstances, table: Economics) -> float:
    """Return how long the data of the job travel to a provider; a trained network is fetched by the machine itself."""
    return sent_bytes / (circumstances.upload_bytes_per_s or table.upload_bytes_per_s.value)


def download_bytes_per_s(circumstances: Circumstances) -> float:
    """Return how fast the user's line fetches: as said, else an ordinary one."""
    return circumstances.download_bytes_per_s or economics().download_bytes_per_s.value
