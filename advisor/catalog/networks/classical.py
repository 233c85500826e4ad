"""Classical machine learning as work: gradient boosting of decision trees on a table, which is processor work."""

from advisor.errors import InputError
from advisor.records.job.work import Network, Operation

GRADIENT_BOOSTING = "gradient_boosting"
USUAL_COLUMNS = 30
USUAL_DEPTH = 6
"""Source: XGBoost parameters, ``max_depth``, default 6 (read 2026-11-21)."""
_BIN_BYTES = 1
_STATISTICS_BYTES = 16
_GRADIENT_BYTES = 8


def gradient_boosting(columns: int | None = None) -> Network:
    """Return the work of one tree on a table; a sample is a row, an epoch is a tree.

    Histograms take nearly all the time: on each level every row adds its gradient and its Hessian to one bin of each
    column, O(rows x columns) for a level; a node's sibling follows by subtraction, so below the root only the smaller
    half of the rows is read. Finding the splits is O(bins x columns), independent of the rows, and left out.

    Source: Ke et al., LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NeurIPS 2017, section 2.1 and
    algorithm 1.

    Args:
        columns: Of the table; None: 30.
    """
    columns = USUAL_COLUMNS if columns is None else columns
    if columns < 1:
        raise InputError("columns must be 1 or more, not {columns}.", columns=columns)
    passes = 1 + (USUAL_DEPTH - 1) / 2
    cells = columns * passes
    histograms = Operation(
        kind="reduction",
        phase="forward",
        operator="histogram",
        shape=(1, columns),
        batch_axis=0,
        flop_per_sample=2 * cells,
        bytes_per_sample=cells * (_BIN_BYTES + _STATISTICS_BYTES) + passes * _GRADIENT_BYTES,
    )
    return Network(
        name=GRADIENT_BOOSTING,
        family="classical",
        parameters=0,
        trainable_parameters=0,
        sample="row",
        operations=(histograms,),
        largest_bytes_per_sample=float(columns * _BIN_BYTES),
        peak_bytes_per_sample=float(columns * (4 + _BIN_BYTES) + _GRADIENT_BYTES + 8),
        traced_with="formula",
        parameter_source="Trees have no parameters in the sense of networks.",
    )
