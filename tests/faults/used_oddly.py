"""Faults of disks, limits and files of others, and of people who ask in the wrong order."""

from tests.faults.fault import Fault

_REPORT = "advisor --report m.json --suite none; "
_CHANGED = "python3 -c \"import json; d = json.load(open('m.json')); {}; json.dump(d, open('m.json', 'w'))\"; "
_FULL = "mount -t tmpfs -o size=4k none {0}; head -c 9999 /dev/zero > {0}/full 2> /dev/null"
_NO_THREAD = (
    "module sitecustomize <<'END'\nimport threading\n"
    'def start(thread): raise RuntimeError("can\'t start new thread")\nthreading.Thread.start = start\nEND\n'
)
_NVML = (
    "module pynvml <<'END'\nclass NVMLError(Exception):\n    def __init__(self, value): self.value = value\n"
    "def nvmlInit(*a): pass\ndef __getattr__(name):\n    if name.startswith('__'): raise AttributeError(name)\n"
    "    if name.startswith('NVML_'): return 7\n    if name.startswith('NVMLError'): return NVMLError\n"
    "    def fail(*a): raise NVMLError({})\n    return fail\nEND\nadvisor $report"
)

DISKS = (
    *(
        Fault(
            f"disk full: {what}",
            f"{setup}mkdir d; unshare -rm sh -c '{_FULL.format('d')}; advisor {command}; s=$?; ls -A d; exit $s'",
            (1,),
            "the disk is full. Nothing was left there",
        )
        for what, setup, command in (
            ("JSON", "", "--report d/out.json --suite none"),
            ("HTML", "", "--report d/out.html --suite none"),
            ("PDF", "", "--report d/out.pdf --suite none"),
            ("picture", "", "--report d/out.png --suite none"),
            ("text", "", "--report d/out.md --suite none"),
            ("a room", _REPORT + "mkdir f; cp m.json f; ", "--fleet f --out d/o.html"),
            ("a room's table", _REPORT + "mkdir f; cp m.json f; ", "--fleet f --out d/o.csv"),
            ("a watched job", "", "--watch --yes --save d/o.json -- py -c 1"),
            ("a way there", "", "--report d/o.yaml --take-me-there skypilot --suite none"),
        )
    ),
    Fault(
        "disk full: watching",
        "unshare -rm sh -c 'mount -t tmpfs -o size=8k none $TMPDIR; exec advisor --watch --yes -- py -c 1'",
        (1,),
        "temporary files: the disk is full",
        is_quick=True,
    ),
    Fault(
        "no file may grow: watching",
        "(ulimit -f 0; advisor --watch --yes -- py -c 1 2>&1; echo status $?) | cat | tee said; grep -q 'status 1' said",
        (0,),
        "temporary files",
    ),
    Fault(
        "no file may grow",
        "(ulimit -f 0; advisor $report 2>&1; echo status $?) | cat | tee said; grep -q 'status 1' said",
        (0,),
        "larger than allowed",
    ),
    Fault(
        "no file may grow: a room",
        f"{_REPORT}mkdir f; cp m.json f; (ulimit -f 0; advisor --fleet f --out o.html 2>&1; echo status $?) | cat | tee said;"
        " grep -q 'status 1' said",
        (0,),
        "larger than allowed",
    ),
    Fault("temporary folder missing: watching", "TMPDIR=/nowhere advisor --watch --yes -- py -c 1", (0,), "no step"),
    Fault(
        "output a socket", "py -c \"import socket; socket.socket(1).bind('out.txt')\"; advisor --report out.txt", (1,)
    ),
    Fault("output below a file", ": > a; advisor --report a/out.json --suite none", (1,), "is not a folder"),
    Fault("output in /proc", "advisor --report /proc/out.json --suite none", (1,), "could not be written"),
    Fault("output is the folder itself", "advisor --report . --suite none", (2,), "format"),
    Fault("output without a name", "advisor --report '' --suite none", (2,), "needs a value"),
    Fault("output is nothing", "d=$(device null); advisor --report $d --format json --suite none && test -c $d"),
)

SCARCE = (
    Fault("no thread", f"{_NO_THREAD}advisor $report", leaves="out.json"),
    Fault("no thread, measuring", f"{_NO_THREAD}advisor $quick", (3,), "", "out.json"),
    Fault(
        "no thread, watching", f"{_NO_THREAD}advisor --watch --yes -- py -c 1", (2,), "none left to give", is_quick=True
    ),
    Fault("a stack of 64 kB", "ulimit -s 64; advisor $report", leaves="out.json"),
    Fault(
        "a stack of 200 kB, 900 brackets",
        "python3 -c \"print('[' * 900 + ']' * 900)\" > m; ulimit -s 200; advisor $report --machine m",
        (2,),
        "not a report",
    ),
    Fault("60 MB of addresses, the version", "ulimit -v 60000; advisor --version"),
    Fault("200 MB of addresses", "ulimit -v 200000; advisor --predict resnet50 --on T4", (0,), "Time of a step"),
    Fault("20 files open, a room", f"{_REPORT}mkdir f; cp m.json f; ulimit -n 20; advisor --fleet f"),
    Fault("one core, a room", f"{_REPORT}mkdir f; cp m.json f; taskset -c 0 advisor --fleet f"),
    Fault(
        "a page that cannot be loaded",
        "module pyqtgraph <<< 'raise ImportError(\"failed to map segment from shared object\")'; window TERM 6",
        (0,),
        "cannot be loaded: failed to map segment",
    ),
    Fault(
        "20 at once",
        "for i in $(seq 20); do advisor --predict resnet50 --on T4 > o$i & done;"
        " for j in $(jobs -p); do wait $j || exit 9; done; cmp o1 o20",
        timeout_s=150,
    ),
    Fault(
        "8 reports into one file",
        "for i in $(seq 8); do advisor $report & done; for j in $(jobs -p); do wait $j || exit 9; done",
        leaves="out.json",
        timeout_s=150,
    ),
    *(
        Fault(f"NVML: every call fails with {code}", _NVML.format(code), leaves="out.json")
        for code in (1, 3, 9, 15, 17, 999, -1)
    ),
    Fault("home that is empty", "HOME= advisor $report", leaves="out.json"),
    Fault("home that is a loop", "ln -s l l; HOME=$PWD/l advisor $report", leaves="out.json"),
    Fault("no columns", "COLUMNS=0 advisor --report --suite none", (0,), "computer"),
    Fault("Arabic", "LANG=ar_EG.UTF-8 LC_ALL=ar LANGUAGE=ar advisor --report --suite none", (0,), "computer"),
    Fault("warnings of nonsense", "PYTHONWARNINGS=nonsense,error:::x:y advisor --version", (0,), "advisor"),
    Fault("output in UTF-16", "PYTHONIOENCODING=utf-16 advisor --predict resnet50 --on T4"),
    Fault(
        "output in Latin-1",
        "PYTHONUTF8=0 PYTHONIOENCODING=latin-1 LANGUAGE=es advisor --report --suite none | iconv -f latin1",
        (0,),
        "Hecho con",
    ),
    Fault("a language nobody has", "advisor --lang tlh --report --suite none", (2,), "choose one of: en, es"),
)

_ROOM = _REPORT + "mkdir f; cp m.json f; "
ASKED = (
    *(
        Fault(f"jobs: {name}", f"{_ROOM}{jobs} > j.toml; advisor --fleet f --jobs j.toml", status, says)
        for name, jobs, status, says in (
            (
                "mark and lines of Windows",
                "printf '\\xef\\xbb\\xbf[[job]]\\r\\nworkload = \"resnet50\"\\r\\n'",
                (0,),
                "resnet",
            ),
            ("NUL", "printf '[[job]]\\nworkload = \"res\\0net50\"\\n'", (2,), "not valid TOML"),
            (
                "people without end",
                "printf '[[job]]\\nworkload = \"resnet50\"\\npeople = 999999999999999999\\n'",
                (2,),
                "people",
            ),
            (
                "a title that turns",
                'printf \'[[job]]\\nworkload = "resnet50"\\ntitle = "a\\\\u202Eb"\\n\'',
                (2,),
                "printable",
            ),
        )
    ),
    *(
        Fault(
            f"serving: {line}",
            f"printf '[serving]\\nmodel = \"llama3.1_8b\"\\n{line}\\n' > j.toml; advisor $report --workload j.toml",
            (2,),
            says,
        )
        for line, says in (
            ("users = -0", "users"),
            ("users = 9007199254740993", "users"),
            ("answers_per_month = 1e300", "answers"),
        )
    ),
    Fault(
        "machine: with a mark",
        _REPORT + "(printf '\\xef\\xbb\\xbf'; cat m.json) > n; advisor $report --machine n",
        leaves="out.json",
    ),
    Fault(
        "machine: lines of Windows",
        _REPORT + "sed 's/$/\\r/' m.json > n; advisor $report --machine n",
        leaves="out.json",
    ),
    Fault(
        "machine: half a sign as label",
        _REPORT + _CHANGED.format("d['label'] = chr(0xd83d)") + "advisor --compare m.json m.json",
        (2,),
        "not a report",
    ),
    Fault("label of 300 signs", "advisor $report --label $(printf 'x%.0s' {1..300})", (2,), "longer than"),
    Fault("label that turns", "advisor $report --label $'\\u202eevil'", (2,), "printed"),
    Fault(
        "room: a report of a later form among good ones",
        _ROOM + _CHANGED.format("d['schema_version'] = 99") + "cp m.json f/c.json; advisor --fleet f",
        (0,),
        "c.json",
    ),
    *(
        Fault(f"condition: {words}", f"advisor --report --suite none --require '{words}'", (2,), "not a condition")
        for words in ("hours<", "hours<8 or fits", "hours<nan", "hours<1e400", "fits and", "HOURS<8")
    ),
    Fault(
        "condition: not met, Spanish",
        "LANGUAGE=es advisor --report --suite none --require 'hours<0.001'",
        (4,),
        "No se cumple",
    ),
    Fault("compare: one", _REPORT + "advisor --compare m.json", (2,), "2 values"),
    Fault("compare: nothing there", _REPORT + "advisor --compare m.json no.json", (2,), "no.json"),
    Fault("compare: a folder", _REPORT + "mkdir d; advisor --compare m.json d", (2,), "it is a folder"),
    Fault("compare: empty", _REPORT + ": > e.json; advisor --compare m.json e.json", (2,), "ends in the middle"),
    Fault(
        "compare: a page",
        _REPORT + "advisor --report a.html --suite none; advisor --compare m.json a.html",
        (2,),
        "a.html",
    ),
    Fault(
        "compare: an earlier form",
        _REPORT + _CHANGED.format("d['schema_version'] = 0") + "advisor --compare m.json m.json",
        (2,),
        "version 0",
    ),
    Fault(
        "compare: nothing measured",
        _REPORT + "LANGUAGE=es advisor --compare m.json m.json",
        (2,),
        "no tiene mediciones",
    ),
    Fault("a receipt of nothing", "advisor --was-it-true last --took 2h", (2,)),
    Fault("a receipt of no time", "advisor --was-it-true last --took -2h", (2,)),
    *(
        Fault(
            f"slurm: {name}",
            f"printf '#!/bin/sh\\n{prints}\\n' > bin; chmod +x bin; mkdir b; mv bin b/scontrol; export PATH=$PWD/b:$PATH;"
            " SLURM_JOB_NODELIST='n[1-4]' advisor --scaling --slurm",
            (2,),
            says,
        )
        for name, prints, says in (
            ("names of bytes", "head -c 3000 /dev/urandom", "is not a computer"),
            ("a million computers", "seq 1000000", "1000000 computers are named"),
            ("no answer, and a child", "sleep 1000; echo n1", "no answer within 10 s"),
        )
    ),
    Fault("hostfile: NUL", "printf 'a\\0b\\nc\\n' > h; advisor --scaling --hostfile h", (2,), "is not a computer"),
    Fault("watch: nobody to ask", "advisor --watch -- py -c 1", (2,), "--yes"),
    Fault("watch: nothing to run", "advisor --watch --yes", (2,), "needs a command"),
    Fault("watch: saved over a folder", "mkdir o; advisor --watch --yes --save o -- py -c 1", (1,), "it is a folder"),
    Fault("watch: into a full disk", "advisor --watch --yes -- py -c 'print(1)' > /dev/full", (1,), "disk is full"),
)
