"""Cases as a quick check has them, and what measuring them would give."""

from advisor.records.results.measured.measurement import Case, Measurement


def matmul_case(size: int, device: str = "cpu", precision: str = "fp32") -> Case:
    """Return a matrix product case."""
    return Case(
        id=f"matmul/{precision}/{size}/{device}",
        program="matmul",
        device=device,
        precision=precision,  # type: ignore[arg-type]  # the tests pass known names
        size=size,
        flop_per_iteration=2.0 * size**3,
    )


def train_case(device: str = "cpu") -> Case:
    """Return a training case of the article's network."""
    return Case(
        id=f"train/article_cnn/32/{device}",
        program="train",
        device=device,
        network="article_cnn",
        batch_size=32,
        size=150,
    )


def measured(case: Case, median_s: float) -> Measurement:
    """Return a measurement with seven equal samples."""
    flop = case.flop_per_iteration
    return Measurement(
        case=case,
        samples_s=(median_s,) * 7,
        median_s=median_s,
        iqr_s=0.01 * median_s,
        items_per_iteration=case.batch_size,
        parameters=42_520_584 if case.program == "train" else None,
        flop_per_s=None if flop is None else flop / median_s,
        items_per_s=case.batch_size / median_s,
    )
