"""What a full run measures."""

import msgspec

from advisor.records.results.measured.measurement import Case, Measurement, Series
from advisor.records.results.measured.profile import Profile, ProfileShare
from tests.fakes.measured import measured


def full_measurements() -> tuple[Measurement, ...]:
    """Return a batch sweep and a profile."""
    sweep = Case(id="sweep/article_cnn/cpu", program="sweep", network="article_cnn", batch_size=64)
    profile = Case(id="profile/article_cnn/cpu", program="profile", network="article_cnn", batch_size=32)
    rates = ((1.0, 40.0), (2.0, 70.0), (4.0, 110.0), (8.0, 130.0))
    steps = tuple((size, size / rate) for size, rate in rates)
    shares = (
        ProfileShare(kind="convolution", time_s=0.6, ratio=0.6),
        ProfileShare(kind="optimizer", time_s=0.4, ratio=0.4),
    )
    seen = Profile(steps=2, wall_s=1.0, plain_step_s=0.4, is_device_time=False, operations=(), shares=shares)
    return (
        msgspec.structs.replace(
            measured(sweep, 0.06),
            series=(
                Series(x="batch_size", y="items_per_s", points=rates),
                Series(x="batch_size", y="step_s", points=steps),
            ),
            details={"best_batch_size": 8.0},
        ),
        msgspec.structs.replace(measured(profile, 0.5), profile=seen),
    )
