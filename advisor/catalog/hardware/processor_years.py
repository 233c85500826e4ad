"""The year in which a processor came out, read off its name: the makers number their generations.

Source: Intel ARK and AMD's product pages, "launch date" of the first models of each generation, read 2026-11-24.
"""

import re

_GENERATIONS: tuple[tuple[re.Pattern[str], dict[str, int]], ...] = tuple(
    (re.compile(pattern), dict(zip(generations.split(), years, strict=True)))
    for pattern, generations, years in (
        (
            r"\bi[3579][- ](1\d|[2-9])\d{3}(?!\d)",
            "2 3 4 5 6 7 8 9 10 11 12 13 14",
            (2011, 2012, 2013, 2015, 2015, 2017, 2017, 2018, 2020, 2021, 2021, 2022, 2023),
        ),
        (r"\bcore ultra [3579] (?:x\d )?([123])\d\d", "1 2 3", (2023, 2024, 2026)),
        (r"\bxeon(?: cpu)? e[357]-\d{4}\w? ?(v[234])", "v2 v3 v4", (2013, 2014, 2016)),
        (r"\bxeon (?:bronze|silver|gold|platinum) \d([1-5])\d\d", "1 2 3 4 5", (2017, 2019, 2021, 2023, 2023)),
        (r"\bxeon 6(9|7)\d\d[pe]", "9 7", (2024, 2024)),
        (
            r"\bryzen (?:threadripper |[3579] )(?:pro )?([1-9])\d{3}",
            "1 2 3 4 5 6 7 8 9",
            (2017, 2018, 2019, 2020, 2020, 2022, 2022, 2024, 2024),
        ),
        (r"\bryzen ai (max|\d|h)", "max 5 7 9 h", (2025, 2024, 2024, 2024, 2024)),
        (r"\bepyc 7\w{2}([123])", "1 2 3", (2017, 2019, 2021)),
        (r"\bepyc [89]\w{2}([45])", "4 5", (2022, 2024)),
    )
)
"""By maker and series: where the generation stands in the name, and the year of each."""


def processor_year(name: str) -> int | None:
    """Return the year of a processor, such as 2020 of ``Intel(R) Core(TM) i7-10750H CPU``; None: not known."""
    text = re.sub(r"\((?:r|tm)\)", " ", name.casefold())
    text = " ".join(text.split())
    for pattern, years in _GENERATIONS:
        found = pattern.search(text)
        if found is not None:
            return years.get(found[1])
    return None
