"""Faults of surroundings that few computers have: odd streams and clocks, folders that only grow, what others answer."""

from tests.faults.fault import Fault

_PY = 'py -c "{}"'
_GROWS = "chattr +a {0} || exit 0; {1}; s=$?; chattr -a {0}; exit $s"
_KEPT = "advisor --report out.json --max-minutes 0.1"
_SITE = "module sitecustomize <<'END'\n{}\nEND\n"
_ONTO = "print('status', subprocess.run(['advisor', '--list', 'devices'], stdout=f).returncode)"
_SMALL = "unshare -rm sh -c 'mount -t tmpfs -o {} none {}; exec {}'"
_PROXY = (
    "import socket, time\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen(99)\n"
    "open('port', 'w').write(str(s.getsockname()[1]))\nopen('up', 'w').close()\n"
    "while True:\n    c, _ = s.accept()\n    try:\n        c.recv(999)\n        {}\n    except OSError: pass\n"
)

WORDS = (
    *(
        Fault(f"a number that is none: {words}", f"advisor $report {words}", (2,))
        for words in ("--samples ²", "--input-shape ①,3", "--gpu 'T4:²GB'", "--require 'hours<²'", "--loaders ٢x")
    ),
    *(
        Fault(f"a name like a format: {words}", f"advisor {words}", status)
        for words, status in (
            ("--report '{reason}/x.json' --suite none", (1,)),
            ("$report --workload '{0}'", (2,)),
            ("$report --machine '{0.__class__}'", (2,)),
            ("$report --label '{label} %s %n'", (0,)),
            ("--predict '{name}' --on '{device}'", (2,)),
        )
    ),
    *(
        Fault(f"an answer of number {number}", f"advisor --was-it-true {number}", (2,), "no answer")
        for number in ("²", "-1", "99999999999999999999999")
    ),
    *(
        Fault(f"--launch {words}", f"advisor --scaling --nodes a,b --launch '{words}'", (2,), "launch")
        for words in ("ssh {address", "{0}", "{address.__class__}", "no-such-program {address} {command}")
    ),
    *(
        Fault(f"hostfile: {name}", f"{make}; advisor --scaling --hostfile h", (2,), says)
        for name, make, says in (
            ("a folder", "mkdir h", "it is a folder"),
            ("bytes", "head -c 9999 /dev/urandom > h", ""),
            ("a hole", "truncate -s 5G h", "larger than"),
            ("without end", "ln -s $(device zero) h", "larger than"),
            ("a million lines", "seq 1000000 > h", "1000000 computers"),
        )
    ),
    Fault("own code: a function that is none", "echo 'x = 5' > a.py; advisor --predict a.py: --on T4", (2,)),
    Fault(
        "label that ends a script",
        "advisor --report o.html --suite none --label '</script><script>x</script>'; ! grep -q '<script>x' o.html",
    ),
)

ODD_OUTPUTS = (
    *(
        Fault(f"output: {name}", _PY.format(f"import fcntl, os, socket, subprocess; {make}; {_ONTO}"), (0,), says)
        for name, make, says in (
            (
                "memory that is sealed",
                "f = os.memfd_create('x', os.MFD_ALLOW_SEALING); fcntl.fcntl(f, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)",
                "status 1",
            ),
            ("an event", "f = os.eventfd(0)", "status"),
            (
                "packets",
                "f, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); f.setblocking(False)",
                "status",
            ),
        )
    ),
    Fault("input only to be written", "advisor $report 0> w", leaves="out.json"),
    Fault("output in two slashes", "advisor --report $PWD//out.json --suite none", leaves="out.json"),
    Fault("output a link to a folder", "mkdir d; ln -s d out.json; advisor $report", (1,), "it is a folder"),
    Fault("share into a file", ": > d; advisor --share d --yes", (2,)),
    Fault(
        "watched: saved where files only grow",
        "mkdir d; " + _GROWS.format("d", "advisor --watch --yes --save d/o.json -- py -c 1"),
        (0, 1),
    ),
)

ODD_HOMES = (
    *(
        Fault(f"only grows: {name}", f"mkdir -p {folder}; " + _GROWS.format(folder, _KEPT), (0, 3), "", "out.json")
        for name, folder in (("home", "$HOME"), ("data", "$data"))
    ),
    *(
        Fault(
            f"history: may {name}",
            f"{_KEPT}; chattr {flag} $data/history.sqlite3 || exit 0; {_KEPT}; s=$?; chattr -ai $data/*; exit $s",
            (0, 3),
            "",
            "out.json",
            150,
        )
        for name, flag in (("only grow", "+a"), ("not change", "+i"))
    ),
    Fault("window: settings may not change", "mkdir -p $settings; " + _GROWS.format("$settings", "window TERM")),
    *(
        Fault(
            f"no file more: {name}",
            f"mkdir -p {folder}; " + _SMALL.format("size=4m,nr_inodes=1", folder, command),
            status,
            says,
        )
        for name, folder, command, status, says in (
            ("history", "$HOME/.local/share/advisor", _KEPT, (0, 3), "history"),
            ("temporary folder", "$TMPDIR", _KEPT, (0, 3), ""),
            ("output", "d", "advisor --report d/out.json --suite none", (1,), "the disk is full"),
        )
    ),
    Fault(
        "history: cut at each quarter",
        f"{_KEPT}; cp $data/history.sqlite3 h; for i in 0 1 2 3; do cp h $data/history.sqlite3;"
        " truncate -s $(($(stat -c %s h) * i / 4)) $data/history.sqlite3; advisor --was-it-true || exit 9; done",
        timeout_s=150,
    ),
    Fault(
        "history: a log of bytes",
        f"{_KEPT}; for n in wal shm journal; do head -c 32768 /dev/urandom > $data/history.sqlite3-$n; done; {_KEPT}",
        (0, 3),
        "",
        "out.json",
        150,
    ),
)

ODD_SYSTEMS = (
    *(
        Fault(f"Python: {name}", _SITE.format(code) + "advisor $quick", (0, 3), "", "out.json")
        for name, code in (
            ("cannot count the cores", "import os\nos.cpu_count = lambda: None\ndel os.sched_getaffinity"),
            ("knows nothing of the platform", "import platform\nplatform.machine = platform.release = lambda: ''"),
            ("knows no user", "import pwd\ndef no(*a): raise KeyError('no')\npwd.getpwuid = no"),
        )
    ),
    *(
        Fault(f"set: {setting}", f"export {setting}; advisor $report", leaves="out.json")
        for setting in (
            "PYTHONINTMAXSTRDIGITS=640",
            "PYTHONPATH=/dev/fd/0:$PYTHONPATH",
            "PYTHONUSERBASE=/dev/null PYTHONPYCACHEPREFIX=/nowhere",
            "LC_ALL= LANG=@ LANGUAGE=@",
            "LC_ALL= LANG=es_ES@valencia LANGUAGE=:es",
            "LC_ALL=C.UTF-8@euro LC_PAPER=pp_PP LC_MONETARY=zz_ZZ",
            "TZ=EST5EDT,M13.9.9,M0.0.0",
        )
    ),
    *(
        Fault(f"the computer {name}", f"unshare -rT {clocks} advisor $quick", (0, 3), "", "out.json")
        for name, clocks in (
            ("runs for 28 years", "--monotonic 900000000 --boottime 900000000"),
            ("has just begun", "--monotonic -$(cut -d. -f1 /proc/uptime) --boottime -$(cut -d. -f1 /proc/uptime)"),
        )
    ),
    *(
        Fault(
            f"prices: a proxy that {name}",
            f"cat > proxy.py <<'END'\n{_PROXY.format(answer)}END\npy proxy.py & b=$!; until [ -e up ]; do sleep 0.1; done;"
            " export https_proxy=http://127.0.0.1:$(cat port) http_proxy=http://127.0.0.1:$(cat port);"
            " advisor --refresh-prices; s=$?; kill $b; exit $s",
            (1,),
            "could not be fetched",
        )
        for name, answer in (
            ("closes", "c.close()"),
            ("prints bytes", "c.sendall(bytes(range(256)) * 99); c.close()"),
            ("refuses", "c.sendall(b'HTTP/1.1 403 No\\r\\n\\r\\n'); c.close()"),
            ("has no end", "[c.sendall(b'X: ' + b'y' * 60000 + b'\\r\\n') for _ in range(300)]"),
            ("says nothing", "time.sleep(999)"),
        )
    ),
)
