"""The verdict for a room of computers as a table for spreadsheets."""

import csv
import io

from advisor.records.results.fleet import FleetAdvice

CSV_COLUMNS = ("state", "hours", "hours_low", "hours_high", "memory_bytes", "basis")


def fleet_csv(advice: FleetAdvice) -> str:
    """Return a row for each computer and job, with plain numbers, for spreadsheets.

    A text that a spreadsheet would take for a formula is written with an apostrophe before it.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("name", "computer", "measured", "pace_ratio", "is_slow", "job", *CSV_COLUMNS))
    for one in advice.computers:
        pace = "" if one.pace_ratio is None else f"{one.pace_ratio:.4f}"
        for job, cell in zip(advice.jobs, one.cells, strict=True):
            low, high = (None, None) if cell.interval is None else (cell.interval.low, cell.interval.high)
            hours = (cell.run_s, low, high)
            writer.writerow(
                (
                    _harmless(one.name),
                    _harmless(advice.groups[one.group].title),
                    "inventory" if one.is_inventory else "yes" if one.is_measured else "no",
                    pace,
                    "yes" if one.is_slow else "no",
                    _harmless(job.title),
                    cell.state,
                    *("" if time_s is None else f"{time_s / 3600:.6g}" for time_s in hours),
                    "" if cell.memory_bytes is None else f"{cell.memory_bytes:.0f}",
                    cell.basis or "",
                )
            )
    return out.getvalue()


def _harmless(text: str) -> str:
    """Source: OWASP, "CSV Injection" (read November 2026)."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
