"""Faults nobody listed: files of other versions, odd homes, limits, own code and scripts that do what they like."""

from tests.faults.fault import Fault

_SQL = (
    "python3 -c \"import sqlite3, os; d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3'));"
    " d.executescript('''{}'''); d.commit()\""
)
_SED = "advisor --report m.json --suite none; sed -i {} m.json; advisor $report --machine m.json"
_JSON = (
    "advisor --report m.json --suite none; python3 -c \"import json; d = json.load(open('m.json')); {};"
    " json.dump(d, open('m.json', 'w'))\"; "
)
_QUICK_KEPT = "--report out.json --max-minutes 0.1"

VERSIONS = (
    Fault(
        "report of a later form",
        _JSON.format("d['schema_version'] = 99") + "advisor --compare m.json m.json",
        (2,),
        "newer version",
        is_quick=True,
    ),
    Fault(
        "report with what only a later version knows",
        _JSON.format("d['quantum'] = [1]; d['machine']['npu'] = {'name': 'x'}") + "advisor $report --machine m.json",
        (2,),
        "no report has the field",
    ),
    Fault(
        "report of no version",
        _JSON.format("del d['schema_version']") + "advisor --compare m.json m.json",
        (2,),
    ),
    Fault(
        "report whose version is text",
        _JSON.format("d['schema_version'] = '1'") + "advisor --compare m.json m.json",
        (2,),
    ),
    Fault("report of version -1", _JSON.format("d['schema_version'] = -1") + "advisor --compare m.json m.json", (2,)),
    Fault(
        "report made next century",
        _JSON.format("d['created_at'] = '2126-01-01T00:00:00+00:00'") + "advisor $report --machine m.json",
        leaves="out.json",
    ),
    Fault(
        "history of a later version",
        "mkdir -p $data; "
        + _SQL.format("PRAGMA user_version = 99; PRAGMA application_id = 0x41445648; CREATE TABLE x (y)")
        + f"; advisor {_QUICK_KEPT}; s=$?; ls $data; exit $s",
        (0, 3),
        "newer version",
        "out.json",
    ),
    Fault(
        "history of another program",
        "mkdir -p $data; "
        + _SQL.format("CREATE TABLE bookmarks (url)")
        + f"; advisor {_QUICK_KEPT}; s=$?; ls $data; exit $s",
        (0, 3),
        "damaged-",
        "out.json",
    ),
    Fault(
        "history with more columns",
        f"advisor {_QUICK_KEPT}; "
        + _SQL.format("ALTER TABLE report ADD COLUMN later TEXT NOT NULL DEFAULT 1")
        + f"; advisor {_QUICK_KEPT}; advisor --was-it-true",
        (0, 3),
        timeout_s=120,
    ),
    Fault(
        "history without a column",
        f"advisor {_QUICK_KEPT}; " + _SQL.format("ALTER TABLE report DROP COLUMN label") + f"; advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
        120,
    ),
    Fault(
        "history with a trigger",
        f"advisor {_QUICK_KEPT}; "
        + _SQL.format("CREATE TRIGGER t BEFORE INSERT ON report BEGIN SELECT RAISE(ABORT, 'no'); END")
        + f"; advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
        120,
    ),
    Fault(
        "two checks on one history",
        f"advisor {_QUICK_KEPT} & advisor --report out2.json --max-minutes 0.1; wait; advisor --was-it-true",
        (0,),
        "",
        "out2.json",
        150,
    ),
    Fault(
        "history held by another for long",
        'mkdir -p $data; python3 -c "import sqlite3, os, time; d = sqlite3.connect(os.path.expanduser('
        "'~/.local/share/advisor/history.sqlite3'), isolation_level=None); d.execute('BEGIN EXCLUSIVE');"
        f" open('held', 'w').close(); time.sleep(60)\" & h=$!; until [ -e held ]; do sleep 0.1; done; advisor {_QUICK_KEPT}; s=$?; kill $h; exit $s",
        (0, 3),
        "in use by another program",
        "out.json",
        120,
    ),
    Fault(
        "history removed while it is used",
        f"advisor {_QUICK_KEPT} & p=$!; sleep 2; rm -rf $data; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "prices of a later form",
        "mkdir -p $data/offers; printf 'format = 99\\n[later]\\nx = 1\\n' > $data/offers/snapshot.toml; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "learned by a later version",
        'mkdir -p $data/learned; echo \'{"learned_version": 99, "x": []}\' > $data/learned/learned.json; advisor $report',
        (2,),
        "advisor --learn none",
    ),
    Fault(
        "measuring pack of a later version",
        'mkdir -p $data/measuring-pack/env-1; echo \'{"environment": "env-1", "backend": "cu999", "pack_version": 99, "x": 1}\' > $data/measuring-pack/pack.json; advisor --measuring-pack status; advisor $report',
        leaves="out.json",
    ),
    Fault(
        "job of a later form",
        "printf 'format = 99\\n[workload]\\nnetwork = \"resnet50\"\\nqubits = 3\\n' > j.toml; advisor $report --workload j.toml",
        (2,),
        "j.toml",
    ),
    Fault(
        "scaling of a later version",
        'echo \'{"scaling_version": 99, "x": 1}\' > c.json; advisor $report --cluster c.json',
        (2,),
        "c.json",
    ),
)

HALF_INSTALLED = (
    Fault(
        "numpy half removed",
        "mkdir -p s/numpy; export PYTHONPATH=$PWD/s:$PYTHONPATH; advisor $report",
        leaves="out.json",
    ),
    Fault("numpy cut short", "module numpy <<< 'def f(:'; advisor $report", (1,), "numpy"),
    Fault(
        "numpy holds NUL",
        "mkdir s; printf 'x = 1\\0' > s/numpy.py; PYTHONPATH=$PWD/s:$PYTHONPATH advisor $report",
        (1,),
    ),
    Fault(
        "numpy that may not be read",
        "mkdir s; ln -s numpy.py s/numpy.py; PYTHONPATH=$PWD/s:$PYTHONPATH advisor $report",
        (0,),
    ),
    Fault("jinja2 half upgraded", "module jinja2 <<< 'x = 1'; advisor --report out.html --suite none", (1,), "jinja2"),
    Fault(
        "babel half upgraded",
        "mkdir -p s/babel; touch s/babel/__init__.py; PYTHONPATH=$PWD/s:$PYTHONPATH advisor --report --suite none",
        (1,),
        "babel",
    ),
    Fault("msgspec half upgraded", "module msgspec <<< 'Struct = object'; advisor $report", (1,), "cannot be loaded"),
    Fault("psutil half upgraded", "module psutil <<< 'x = 1'; advisor $report", leaves="out.json"),
    Fault(
        "platformdirs missing",
        "module platformdirs <<< 'raise ImportError(\"no platformdirs\")'; advisor $report",
        (1,),
        "platformdirs",
    ),
    Fault(
        "PySide6 half upgraded",
        "mkdir -p s/PySide6; echo > s/PySide6/__init__.py; PYTHONPATH=$PWD/s:$PYTHONPATH advisor",
        (1,),
        "PySide6",
    ),
    Fault("pyqtgraph half upgraded", "module pyqtgraph <<< 'x = 1'; window TERM"),
    Fault("torch half upgraded", "module torch <<< 'x = 1'; advisor $quick", (3,), "", "out.json"),
    Fault(
        "torch that is a folder",
        "mkdir -p s/torch; PYTHONPATH=$PWD/s:$PYTHONPATH advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "resources half upgraded",
        "cp -r ${PYTHONPATH%%:*}/advisor ${PYTHONPATH%%:*}/resources .; rm -r resources/catalog; PYTHONPATH=$PWD advisor $report",
        (1,),
    ),
    Fault(
        "resources gone",
        "cp -r ${PYTHONPATH%%:*}/advisor .; PYTHONPATH=$PWD advisor $report",
        (1,),
    ),
    Fault(
        "a module of its own gone",
        "cp -r ${PYTHONPATH%%:*}/advisor ${PYTHONPATH%%:*}/resources .; rm advisor/units.py; PYTHONPATH=$PWD advisor $report",
        (1,),
        "advisor.units",
    ),
    Fault(
        "the language's catalogue cut short",
        "cp -r ${PYTHONPATH%%:*}/advisor ${PYTHONPATH%%:*}/resources .; truncate -s 100 $(find resources advisor -name advisor.mo); PYTHONPATH=$PWD LANGUAGE=es advisor $report",
        (0,),
    ),
    Fault(
        "own modules' names in the folder",
        "for n in random json wire records report numpy torch re types advisor; do echo 'raise SystemExit(9)' > $n.py; done; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "own modules' names while measuring",
        "for n in random json numpy torch re types; do echo 'raise SystemExit(9)' > $n.py; done; advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
)

PYTHONS = (
    Fault("python -O", "py -O -P -m advisor $report", leaves="out.json"),
    Fault("python -OO", "py -OO -P -m advisor $report", leaves="out.json"),
    Fault("python -I", "py -I -m advisor $report", leaves="out.json"),
    Fault("python -E -s", "py -E -s -P -m advisor --version"),
    Fault("python -S", "py -S -P -m advisor $report", (1,), "missing"),
    Fault("python -bb -W error", "py -bb -W error -P -m advisor $report", leaves="out.json"),
    Fault("python -X dev", "py -X dev -P -m advisor $report", leaves="out.json"),
    Fault("python -v", "py -v -P -m advisor $report 2> /dev/null", leaves="out.json"),
    Fault("python -u -B", "py -u -B -P -m advisor $report", leaves="out.json"),
    Fault("python -OO measures", "py -OO -P -m advisor $quick", (0, 3), "", "out.json"),
    Fault(
        "PYTHONHOME wrong, while measuring",
        'module sitecustomize <<< \'import os; os.environ["PYTHONHOME"] = "/nowhere"\'; advisor $quick',
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "PYTHONSTARTUP and PYTHONINSPECT", "PYTHONSTARTUP=/nowhere PYTHONINSPECT= advisor $report", leaves="out.json"
    ),
    Fault("PYTHONIOENCODING ascii", "PYTHONIOENCODING=ascii LANGUAGE=es advisor --report --suite none", (0,)),
    Fault("PYTHONIOENCODING nonsense", "PYTHONIOENCODING=:nonsense advisor --report --suite none", (0,)),
    Fault("PYTHONHASHSEED and PYTHONMALLOC", "PYTHONHASHSEED=1 PYTHONMALLOC=debug advisor $report", leaves="out.json"),
    Fault("PYTHONTRACEMALLOC", "PYTHONTRACEMALLOC=5 PYTHONASYNCIODEBUG=1 advisor $report", leaves="out.json"),
    Fault("umask 777", "umask 777; advisor $report", (0, 1)),
)

_CONTROLLED = "g=/sys/fs/cgroup/advisor-$$; "
HOMES = (
    Fault(
        "home on a full disk",
        "unshare -rm sh -c 'mount -t tmpfs -o size=4k none $HOME; head -c 9999 /dev/zero > $HOME/full; exec advisor $report'",
        leaves="out.json",
        is_quick=True,
    ),
    Fault(
        "home on a full disk, kept",
        f"unshare -rm sh -c 'mount -t tmpfs -o size=4k none $HOME; head -c 9999 /dev/zero > $HOME/full; exec advisor {_QUICK_KEPT}'",
        (0, 3),
        "disk is full",
        "out.json",
    ),
    Fault(
        "home on a full disk, window",
        "HOME=$HOME unshare -rm bash -c 'mount -t tmpfs -o size=4k none $HOME; head -c 9999 /dev/zero > $HOME/full; QT_QPA_PLATFORM=offscreen timeout -s TERM 8 advisor'",
        (124,),
    ),
    Fault(
        "home read-only",
        f"unshare -rm sh -c 'mount -t tmpfs -o ro none $HOME; exec advisor {_QUICK_KEPT}'",
        (0, 3),
        "read-only",
        "out.json",
    ),
    Fault(
        "home read-only, window",
        "unshare -rm sh -c 'mount -t tmpfs -o ro none $HOME; QT_QPA_PLATFORM=offscreen timeout -s TERM 8 advisor'",
        (124,),
    ),
    Fault(
        "temporary folder full",
        "unshare -rm sh -c 'mount -t tmpfs -o size=4k none $TMPDIR; head -c 9999 /dev/zero > $TMPDIR/full; exec advisor $quick'",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "temporary folder read-only",
        "unshare -rm sh -c 'mount -t tmpfs -o ro none $TMPDIR; exec advisor $quick'",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "folder read-only",
        "unshare -rm sh -c 'mkdir d; mount -t tmpfs -o ro none d; cd d; exec advisor $report'",
        (1,),
        "read-only",
    ),
    Fault("no /proc", "unshare -rm sh -c 'mount -t tmpfs none /proc; exec advisor $report'", leaves="out.json"),
    Fault(
        "no /proc, measuring",
        "unshare -rm sh -c 'mount -t tmpfs none /proc; exec advisor $quick'",
        (0, 3),
        "",
        "out.json",
    ),
    Fault("no /sys", "unshare -rm sh -c 'mount -t tmpfs none /sys; exec advisor $report'", leaves="out.json"),
    Fault("no /dev", "unshare -rm sh -c 'mount -t tmpfs none /dev; exec advisor $report'", (0,)),
    Fault("no /etc", "unshare -rm sh -c 'mount -t tmpfs none /etc; exec advisor $report'", leaves="out.json"),
    Fault(
        "no shared memory, measuring",
        "unshare -rm sh -c 'mount -t tmpfs -o ro none /dev/shm; exec advisor $quick'",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home that is no UTF-8",
        f"export HOME=$HOME/$'\\xff\\xfe'; mkdir $HOME; advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
    ),
    Fault("home that is no UTF-8, window", "export HOME=$HOME/$'\\xff\\xfe'; mkdir $HOME; window TERM"),
    Fault(
        "home of 200 signs",
        f"export HOME=$HOME/$(printf 'a%.0s' {{1..200}}); mkdir $HOME; advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home of 4,000 signs",
        f"export HOME=$HOME/$(printf 'abcdefghi/%.0s' {{1..400}}); advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home with spaces, quotes, emoji",
        f'export HOME=$HOME/"a b\'c\\"d 🦊 \\$(x) %s {{y}}"; mkdir "$HOME"; advisor {_QUICK_KEPT}; advisor --was-it-true',
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home with a line end",
        f"export HOME=$HOME/$'a\\nb'; mkdir \"$HOME\"; advisor {_QUICK_KEPT}",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home relative",
        "cd $HOME/..; HOME=home advisor --report here/out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "XDG folders relative or files",
        "touch f; XDG_DATA_HOME=f XDG_STATE_HOME=$PWD/f/g XDG_CONFIG_HOME=rel advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "home of another's",
        "mkdir $HOME/.local; chmod 000 $HOME/.local; chmod 555 $HOME; advisor --report out.json --max-minutes 0.1; s=$?; chmod 755 $HOME $HOME/.local; exit $s",
        (0, 3),
        "",
        "out.json",
    ),
)

LOCALES = (
    Fault("Turkish", "LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8 LANGUAGE=tr advisor --report --suite none", (0,), "computer"),
    Fault("a locale without thousands", "LC_ALL=POSIX LANGUAGE=POSIX advisor --report --suite none", (0,), "computer"),
    Fault("LANGUAGE of everything", "LANGUAGE=xx:@:..:/:es_MX.latin1@euro advisor --report --suite none", (0,)),
    Fault(
        "LANG that leads out",
        "LANGUAGE=../../../../etc/passwd LANG=../../etc advisor --report --suite none",
        (0,),
        "computer",
    ),
    Fault("time zone of bytes", "TZ=$'\\xff\\x01' advisor $report", leaves="out.json"),
    Fault("time zone of 5,000 signs", "TZ=$(printf 'A%.0s' {1..5000}) advisor $report", leaves="out.json"),
    Fault("time zone of a hundred hours", "TZ=XXX99:99:99YYY,J400,J1 advisor $report", leaves="out.json"),
    Fault(
        "clock going backwards",
        "module sitecustomize <<< $'import time\\nreal = time.time\\nn = [0]\\ndef back():\\n    n[0] += 1\\n    return real() - n[0] * 100\\ntime.time = back'; advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "clock before 1970", "module sitecustomize <<< 'import time; time.time = lambda: -1e9'; advisor $report", (0,)
    ),
    Fault(
        "clock beyond year 9999",
        "module sitecustomize <<< 'import time; time.time = lambda: 1e12'; advisor $report",
        (0, 1),
    ),
    Fault(
        "colours and widths of nonsense",
        "COLUMNS=abc LINES=-1 TERM=nonsense NO_COLOR= FORCE_COLOR=9 advisor --report --suite none",
        (0,),
        "computer",
    ),
    Fault("99,999 columns", "COLUMNS=99999 advisor --report --suite none", (0,), "computer"),
    Fault(
        "a terminal of 20 columns", 'script -qec "stty cols 20 rows 5; advisor $report" /dev/null', (0,), "", "out.json"
    ),
    Fault(
        "a terminal that goes away",
        "script -qec 'advisor $quick' /dev/null & p=$!; sleep 3; kill -KILL $p; wait $p; sleep 3",
        (0,),
    ),
    Fault(
        "3,000 variables",
        "x=$(printf 'x%.0s' {1..300}); for i in {1..3000}; do export V$i=$x; done; advisor $report",
        leaves="out.json",
    ),
    Fault("variables that are no text", "env $'A\\xff=\\xfe' B= advisor $quick", (0, 3), "", "out.json"),
    Fault(
        "empty environment",
        "p=$(command -v py); env -i PYTHONPATH=$PYTHONPATH $p -P -m advisor $report",
        leaves="out.json",
    ),
    Fault(
        "empty environment, measuring",
        "p=$(command -v py); env -i ADVISOR_FAULT=$ADVISOR_FAULT PYTHONPATH=$PYTHONPATH HOME=$HOME $p -P -m advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
)
