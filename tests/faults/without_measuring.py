"""Faults of streams, files, settings and the installation, for which nothing need be measured."""

from tests.faults.fault import Fault

_OLD_HISTORY = "mkdir -p $data; printf 'not a database, for a while' > $data/history.sqlite3"
_NUMPY = "module numpy <<< 'raise ImportError(\"numpy: ABI\\n\\nPLEASE READ THIS\")'"
_DIGITS = "python3 -c \"print('x = ' + '9' * 10000)\""
_BRACKETS = "python3 -c \"print('x = ' + '[' * 50000)\""

STREAMS = (
    Fault("stderr closed", "advisor $report 2>&-", leaves="out.json", is_quick=True),
    Fault("stdin closed", "advisor $report <&-", leaves="out.json"),
    Fault("stdout closed, into a file", "advisor $report >&-", leaves="out.json"),
    Fault("stdout closed", "advisor --report --suite none >&-", (1,), "output is closed", is_quick=True),
    Fault("stdout closed, a list", "advisor --list devices >&-"),
    Fault("all streams closed", "advisor $report <&- >&- 2>&-", leaves="out.json"),
    Fault("stdout full", "advisor --report --suite none > /dev/full", (1,), "disk is full", is_quick=True),
    Fault("stdout full, a list", "advisor --list devices > /dev/full", (1,), "disk is full"),
    Fault("stdout full, JSON", "advisor --doctor --format json > /dev/full", (1,), "disk is full"),
    Fault("stdout full, the help", "advisor --help > /dev/full", (1,), "disk is full"),
    Fault("stdout full, the version", "advisor --version > /dev/full", (1,), "disk is full"),
    Fault("stderr full", "advisor $report 2> /dev/full", leaves="out.json"),
    Fault("both full", "advisor --report --suite none > /dev/full 2>&1", (1,)),
    Fault("reader gone", "set -o pipefail; advisor --list devices | head -1", (0,)),
    Fault("reader gone, report", "advisor --report --suite none | head -1"),
    Fault("reader of stderr gone", "advisor $report 2> >(true); sleep 1", leaves="out.json"),
)

OUTPUT = (
    Fault("loop of links", "ln -s out.json out.json; advisor $report", (1,), "leads back to itself", is_quick=True),
    Fault("two links in a loop", "ln -s b.json out.json; ln -s out.json b.json; advisor $report", (1,), "itself"),
    Fault("link kept", "ln -s real.json out.json; advisor $report && test -L out.json", leaves="real.json"),
    Fault("folder in its place", "mkdir out.json; advisor $report", (1,), "it is a folder"),
    Fault("missing folder", "advisor --report no/out.json --suite none", (1,), "does not exist"),
    Fault("a name of 300 signs", "advisor --report $(printf 'a%.0s' {1..300}).json --suite none", (1,), "too long"),
    Fault("device full", "advisor --report $(device full) --format json --suite none", (1,), "disk is full"),
    Fault(
        "escape in the name",
        "advisor --report $'a\\e[31mb.json' --suite none | cat -v; ! ls | grep -q x",
        (0,),
        "a\ufffd[31mb",
    ),
    Fault("direction sign in the name", "advisor --report $'a\u202eb.json' --suite none", (0,), "a\ufffdb"),
    Fault("line end in the name", "advisor --report $'a\\nb.json' --suite none", (0,), "a b.json"),
    Fault("name that is no UTF-8", "advisor --report $'a\\xff.json' --suite none", (0,), "The report is in"),
    Fault("a name that begins with a dash", "advisor --report=-x.json --suite none", (0,), "-x.json"),
    Fault("emoji in the name", "advisor --report 🦊.json --suite none", leaves="🦊.json"),
    Fault("file size limited", "ulimit -f 4; advisor $report; test ! -e out.json", (0,)),
    Fault(
        "report kept when the disk is full",
        "echo '{}' > out.json; (ulimit -f 4; advisor $report); cat out.json",
        (0,),
        "{}",
    ),
    Fault(
        "pipe read",
        "mkfifo p; cat p > got.json & advisor --report p --format json --suite none; wait",
        leaves="got.json",
    ),
    Fault(
        "the shell's own stream, behind notes",
        "echo mine > notes.md; advisor --report /dev/stdout --format md --suite none >> notes.md; head -1 notes.md",
        (0,),
        "mine",
        is_quick=True,
    ),
    Fault(
        "a stream of a file that was removed",
        "exec 5> x.json; rm x.json; advisor --report /dev/fd/5 --format json --suite none; s=$?; ls -A; exit $s",
    ),
    Fault(
        "a stream that is closed", "advisor --report /dev/fd/9 --format json --suite none", (1,), "could not be written"
    ),
    Fault("unknown ending", "advisor --report out.xyz --suite none", (2,), "does not say its format"),
)

USERS_FILES = (
    Fault(
        "prices: digits",
        f"mkdir -p $data/offers; {_DIGITS} > $data/offers/snapshot.toml; advisor $report",
        leaves="out.json",
        is_quick=True,
    ),
    Fault(
        "prices: nesting",
        f"mkdir -p $data/offers; {_BRACKETS} > $data/offers/snapshot.toml; advisor --list offers | head -3",
    ),
    Fault(
        "prices: bytes",
        "mkdir -p $data/offers; head -c 9999 /dev/urandom > $data/offers/snapshot.toml; advisor $report",
        leaves="out.json",
    ),
    Fault("prices: a folder", "mkdir -p $data/offers/snapshot.toml; advisor $report", leaves="out.json"),
    Fault("job: digits", f"{_DIGITS} > j.toml; advisor $report --workload j.toml", (2,), "not valid TOML"),
    Fault("job: nesting", f"{_BRACKETS} > j.toml; advisor $report --workload j.toml", (2,), "not valid TOML"),
    Fault("job: no UTF-8", "printf '\\xff' > j.toml; advisor $report --workload j.toml", (2,), "UTF-8"),
    Fault("job: a folder", "mkdir j.toml; advisor $report --workload j.toml", (2,), "cannot be read"),
    Fault(
        "job: watched, nesting",
        "python3 -c \"print('[' * 99999)\" > j.json; advisor --report o.md --suite none --workload j.json",
        (2,),
        "--watch",
    ),
    Fault("machine: nesting", "python3 -c \"print('[' * 99999)\" > m; advisor $report --machine m", (2,), "not a"),
    Fault(
        "machine: cut short",
        "advisor --doctor --format json > whole; head -c 999 whole > m; advisor $report --machine m",
        (2,),
        "not a report",
    ),
    Fault("machine: endless", "advisor $report --machine /dev/zero", (2,), "larger than"),
    Fault("machine: its own", "advisor --doctor --format json > m; advisor $report --machine m", leaves="out.json"),
    Fault(
        "report: 1e400",
        'advisor $report; sed \'s/"horizon_months": [0-9.]*/"horizon_months": 1e400/\' out.json > m; advisor --report o.md --suite none --machine m',
        (2,),
    ),
    Fault("history: no checks read it", f"{_OLD_HISTORY}; advisor $report", leaves="out.json"),
    Fault(
        "pack: names another folder",
        'mkdir -p $data/measuring-pack precious; echo \'{"environment": "../../../../here/precious", "backend": "x", "has_begun": true}\' > $data/measuring-pack/making.json; advisor --measuring-pack status; test -d precious',
        (0,),
    ),
    Fault(
        "pack: nesting",
        "mkdir -p $data/measuring-pack; python3 -c \"print('{\\\"environment\\\":' + '[' * 99999)\" > $data/measuring-pack/pack.json; advisor --measuring-pack status",
        (0,),
    ),
    Fault(
        "pack: a folder that is a file",
        "mkdir -p $data; echo > $data/measuring-pack; advisor --measuring-pack status",
        (0,),
    ),
)

SURROUNDINGS = (
    Fault("no home", "unset HOME; advisor $report", leaves="out.json"),
    Fault("home missing", "HOME=/nowhere advisor $report", leaves="out.json"),
    Fault("home a file", "HOME=/dev/null advisor $report", leaves="out.json"),
    Fault("language nobody knows", "LANGUAGE=xx_YY LANG=zz advisor $report", leaves="out.json"),
    Fault(
        "plain C",
        "LC_ALL=C LANGUAGE= PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 advisor --report --suite none",
        (0,),
        "computer",
    ),
    Fault("Spanish", "LANGUAGE=es advisor --report --suite none", (0,), "alquilar"),
    Fault("time zone nobody knows", "TZ=Nowhere/Nothing advisor $report", leaves="out.json"),
    Fault("one column", "COLUMNS=1 advisor --report --suite none", (0,), "computer"),
    Fault("12 files open", "ulimit -n 12; advisor $report", (0,)),
    Fault("32 files open", "ulimit -n 32; advisor $report", leaves="out.json"),
    Fault("little address space", "ulimit -v 300000; advisor $report", (0,)),
    Fault("temporary folder missing", "TMPDIR=/nowhere advisor $report", leaves="out.json"),
    Fault(
        "PATH empty",
        'p=$(command -v advisor); PATH=/nowhere /bin/sh -c \'"$0" "$@"\' /bin/true; PATH=/usr/bin $p $report',
        leaves="out.json",
    ),
)

INSTALLATION = (
    Fault("numpy cannot be loaded", f"{_NUMPY}; advisor $report", (1,), "cannot be loaded", is_quick=True),
    Fault(
        "numpy missing",
        'module numpy <<< \'raise ModuleNotFoundError("No module named numpy", name="numpy")\'; advisor $report',
        (1,),
        "numpy is missing",
    ),
    Fault(
        "numpy of another build",
        "module numpy <<< 'raise RuntimeError(\"module compiled against API version 0x10\")'; advisor $report",
        (1,),
        "0x10",
    ),
    Fault(
        "msgspec cannot be loaded",
        "module msgspec <<< 'raise ImportError(\"msgspec: wrong ELF class\")'; advisor $report",
        (1,),
        "wrong ELF class",
    ),
    Fault(
        "psutil cannot be loaded",
        "module psutil <<< 'raise ImportError(\"psutil: no\")'; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "no libEGL",
        "module PySide6 <<< 'raise ImportError(\"libEGL.so.1: cannot open shared object file: No such file\")'; advisor",
        (1,),
        "apt install libegl1",
        is_quick=True,
    ),
    Fault(
        "no libEGL, in Spanish",
        "module PySide6 <<< 'raise ImportError(\"libEGL.so.1: cannot open shared object file: No such file\")'; LANGUAGE=es advisor",
        (1,),
        "apt install libegl1",
    ),
    Fault(
        "PySide6 missing",
        'module PySide6 <<< \'raise ModuleNotFoundError("No module named PySide6", name="PySide6")\'; advisor',
        (1,),
        "advisor[gui]",
    ),
    Fault(
        "PySide6 missing, a report",
        'module PySide6 <<< \'raise ModuleNotFoundError("No module named PySide6", name="PySide6")\'; advisor $report',
        leaves="out.json",
    ),
    Fault(
        "babel cannot be loaded",
        "module babel <<< 'raise ImportError(\"babel: no\")'; advisor --report --suite none",
        (1,),
        "babel: no",
    ),
    Fault("own file named like a module", "echo 'raise SystemExit(9)' > random.py; advisor $report", leaves="out.json"),
)

UNUSUAL = (
    Fault("folder removed", "mkdir d; cd d; rmdir ../d; advisor --report --suite none", is_quick=True),
    Fault("folder removed, relative output", "mkdir d; cd d; rmdir ../d; advisor --report x.json --suite none", (1,)),
    Fault("folder removed, doctor", "mkdir d; cd d; rmdir ../d; advisor --doctor"),
    Fault(
        "workload of 100,000 signs",
        "advisor --report --workload $(head -c 100000 /dev/zero | tr '\\0' a)",
        (2,),
        "long",
    ),
    Fault("network of 10,000 signs", "advisor --predict $(head -c 10000 /dev/zero | tr '\\0' a) --on T4", (2,)),
    Fault("5,000 cards", "advisor $report $(yes -- --gpu=T4 | head -5000)", (2,), "too often"),
    Fault("label that is no text", "advisor $report --label $'\\xff\\xfe'", (2,), "printed"),
    Fault("language that is no text", "LANGUAGE=$'\\xff' LANG=$'\\xff' advisor $report", leaves="out.json"),
    Fault("time zone of nowhere", "TZ=':/nonsense/../x' advisor $report", leaves="out.json"),
    Fault(
        "job of 10 MB",
        "yes '# a comment of some length' | head -c 10000000 > job.toml; advisor $report --workload job.toml",
        (2,),
    ),
    Fault("report with a hole", "truncate -s 4G big.json; advisor --compare big.json big.json", (2,), "larger"),
    Fault("job with a hole", "truncate -s 4G job.toml; advisor $report --workload job.toml", (2,), "larger"),
    Fault(
        "pipe as output",
        "mkfifo p; cat p > out.json & advisor --report p --format json --suite none; wait",
        leaves="out.json",
    ),
    Fault("folder of pipes as data", "mkdir d; mkfifo d/a.jpg; advisor $report --data d", (2,), "nothing there"),
    Fault("room of pipes", "mkdir f; mkfifo f/a.json; advisor --fleet f", (2,), "no report"),
    Fault(
        "archive that unpacks to 300 MB",
        "truncate -s 300M a.json; python3 -m zipfile -c f.zip a.json; advisor --fleet f.zip",
        (2,),
    ),
    Fault("home that is a device", "HOME=/dev/null advisor $report", leaves="out.json"),
    Fault("file in place of folders", "touch ~/.local ~/.config; advisor $report", leaves="out.json"),
    Fault("20 descriptors", "ulimit -n 20; advisor --report --suite none"),
    Fault(
        "nonsense for libraries", "OMP_NUM_THREADS=abc CUDA_VISIBLE_DEVICES=foo PYTHONWARNINGS=error advisor --doctor"
    ),
    Fault(
        "script of no system", "printf 'junk\\0' > p; chmod +x p; advisor --watch --yes -- ./p", (2,), "not a program"
    ),
    Fault("temporary folder missing", "TMPDIR=/nonexistent advisor $report", leaves="out.json"),
)

INTERRUPTED = tuple(
    Fault(
        f"{name} after {time} s",
        f"struck {name} {time} advisor $report",
        status,
        is_quick=time == 0.3 and name == "INT",
    )
    for name, status in (("INT", (0, 130, -2)), ("TERM", (0, 143)), ("HUP", (0, 129)), ("KILL", (0, 137)))
    for time in ((0.1, 0.2, 0.3, 0.45, 0.6, 1.0, 1.5) if name == "INT" else (0.3, 1.0))
)
