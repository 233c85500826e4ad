"""Samples shared by the tests of offers, refresh."""

HEADER = (
    "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,"
    "provider_data"
)


def row(**changes: str) -> dict[str, str]:
    """Return a row of gpuhunt's format."""
    values = [
        "big.machine",
        "eu-west-1",
        "1.5",
        "8",
        "64.0",
        "1",
        "A100",
        "40.0",
        "False",
        "",
        "nvidia",
        "",
        "x86",
        "{}",
    ]
    return dict(zip(HEADER.split(","), values, strict=True)) | changes


def price_file(*rows: dict[str, str]) -> str:
    """Return a price file; values are written as they are, so that a comma in one is a mistake."""
    return "\n".join([HEADER, *(",".join(one[name] for name in HEADER.split(",")) for one in rows), ""])
