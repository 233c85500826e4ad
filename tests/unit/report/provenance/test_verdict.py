"""What would change the answer is checked with the command of the option it leads to."""

import msgspec

from advisor.locale import language
from advisor.records.job.advice import Flip
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.verdict import of_flip
from tests.unit.report.provenance.answers import JOBS, answer

EN = language("en")


def test_what_would_change_the_answer_is_checked_as_its_option_is() -> None:
    """The command of a flip is that of the option it leads to."""
    report = answer(JOBS["a preset"])
    option = next(
        one for one in report.advice.options if of_time(one, report, EN).check.startswith("advisor --predict")
    )
    flip = Flip(fact="budget_usd", now=1.0, then=2.0, tier=option.tier, option=option.id)

    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, flips=(flip,)))

    assert of_flip(flip, report, EN).check == of_time(option, report, EN).check
