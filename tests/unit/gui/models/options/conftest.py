"""What the tests of options share."""

import pytest

from advisor.catalog import preset
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report


@pytest.fixture(scope="package")
def report() -> Report:
    """Return a real answer over the whole catalogue."""
    sample, job = sample_report(), preset("article_cnn")
    seen = Observation(machine=sample.machine, benchmark=sample.benchmark)
    return conclude(seen, job.workload, job.circumstances)
