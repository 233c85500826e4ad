"""Faults made by hand: processes of its own asked by a user, archives and data that lie, files of the system that do."""

from tests.faults.fault import Fault
from tests.faults.strange_inputs import _NETWORK, _STEPS, _TRAIN, _W

_ROOM = "advisor --report m.json --suite none > /dev/null 2>&1; "
_KEPT = "advisor --report out.json --max-minutes 0.1"
_MODEL = f"cat > model.py <<'END'{_NETWORK}\nEND\n"
_OWN = "; advisor $report --workload model.py:build --image-size 32"
_STEP = (
    "m = torch.nn.Linear(8, 8)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
    "for i in range(60): o.zero_grad(); m(torch.rand(4, 8)).sum().backward(); o.step()\n"
)
_NO_EVIL = "; s=$?; test ! -e evil || exit 99; exit $s"
_LABELLED = (
    "py -c \"import zipfile; z = zipfile.ZipFile('f.zip', 'w', 8); {}; z.close()\"; advisor --fleet f.zip"  # of a room
)


def _bound(place: str, content: str, command: str = "$report") -> str:
    """Return the line that runs a command where a file of the system has another content."""
    return f"printf '%b' '{content}' > f; unshare -rm sh -c 'mount --bind f {place}; exec advisor {command}'"


def _sql(statement: str) -> str:
    return (
        f"{_KEPT}; py -c \"import os, sqlite3; d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/"
        f"history.sqlite3'), isolation_level=None); d.execute('{statement}')\"; {_KEPT}; advisor --was-it-true; s=$?; "
    )


BY_HAND = (
    *(
        Fault(f"asked by hand: {words}", f"{make}advisor {words}", (2,), says, is_quick=words == "--print-pdf nonsense")
        for make, words, says in (
            ("", "--print-pdf nonsense", "no option --print-pdf"),
            ("", "--print-pdf a b c", "language 'a' is not available"),
            ("", "--print-pdf en en US", "not a report"),
            ("echo {} | ", "--print-pdf en en US sheet", "not a report"),
            ("", "--print-pdf en en US serving", "truncated"),
            ("echo {} | ", "--print-pdf en en US print {}", "missing"),
            ("", "--try-nvml", "no option --try-nvml"),
            ("", "--worker more", "no option --worker more"),
            ("", "''", "an argument is empty"),
            ("", "--list offers --format pdf", "goes with --report"),
        )
    ),
    *(
        Fault(f"started as {path}", f"py ${{PYTHONPATH%%:*}}/{path} $report", leaves="out.json")
        for path in ("advisor", "advisor/", "advisor/__main__.py")
    ),
    Fault("started as a file, measuring", "py ${PYTHONPATH%%:*}/advisor/__main__.py $quick", (0, 3), "", "out.json"),
    Fault(
        "a computer that runs a command",
        "mkdir b; printf '#!/bin/sh\\nexit 255\\n' > b/ssh; chmod +x b/ssh; export PATH=$PWD/b:$PATH;"
        f" advisor --scaling --nodes '$(touch evil),;touch evil'{_NO_EVIL}",
        (3,),
        "could be started",
    ),
    Fault("a computer that is an option", "advisor --scaling --nodes=a=-oProxyCommand,b", (2,), "is not a computer"),
    *(
        Fault(
            f"--take-me-there {tool}: a name that runs",
            f"{_MODEL}cp model.py '$(touch evil).py'; advisor --report o --take-me-there {tool} --suite none"
            f" --workload '$(touch evil).py:build' --image-size 32; bash o > /dev/null 2>&1; test ! -e evil",
        )
        for tool in ("sbatch", "accelerate", "shopping")
    ),
)

BOMBS = (
    Fault(
        "room: 200 files of 16 MB",
        _LABELLED.format("[z.writestr(f'{i}.json', b'[' * 16_000_000) for i in range(200)]"),
        (2,),
        "not a report",
        timeout_s=150,
    ),
    Fault("room: 300,000 names", _LABELLED.format("[z.writestr(f'{i}.json', b'') for i in range(300000)]"), (2,),
          "299,990 more files", timeout_s=150),
    Fault("room: links in an archive", _LABELLED.format(
        "i = zipfile.ZipInfo('a.json'); i.external_attr = 0o120777 << 16; z.writestr(i, '/etc/passwd')"), (2,), "a.json"),
    Fault("room: archives in archives", f"{_ROOM}py -m zipfile -c g.zip m.json; cp g.zip g.json;"
          " py -m zipfile -c f.zip g.zip g.json m.json; advisor --fleet f.zip", (0,), "g.json: not a report"),
    Fault("room: a tar that is called .zip", f"{_ROOM}tar cf f.zip m.json; advisor --fleet f.zip", (2,), "cannot be read"),
    Fault("room: an archive cut at each quarter", f"{_ROOM}py -m zipfile -c f.zip m.json; n=$(stat -c %s f.zip);"
          " for i in 1 2 3; do head -c $((n * i / 4)) f.zip > g.zip; advisor --fleet g.zip; [ $? = 2 ] || exit 9; done"),
    Fault("room: all of another version", "mkdir f; echo '{\"schema_version\": 99}' > f/a.json; advisor --fleet f", (2,),
          "another version", is_quick=True),
    Fault("room: its page over its only report", f"{_ROOM}mkdir f; mv m.json f; advisor --fleet f --out f/m.json;"
          " advisor --fleet f", (2,), "not a report"),
    *(
        Fault(f"data: {name}", f"{make}; advisor $report --data d.npy{_NO_EVIL}", leaves="out.json")
        for name, make in (
            (f"a head of an array that is {kind}", f"py -c \"import struct; h = {head};"
             " open('d.npy', 'wb').write(b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(h)) + h + b'x' * 99)\"")
            for kind, head in (
                ("code", "b'__import__(chr(111) + chr(115)).system(chr(116))'"),
                ("65,000 brackets", "b'(' * 65000"),
                ("objects", "repr(dict(descr='|O', fortran_order=False, shape=(3,))).encode()"),
            )
        )
    ),
    Fault("data: 300 MB that unpack from nothing", "py -c \"import zipfile; z = zipfile.ZipFile('d.zip', 'w', 8);"
          " z.writestr('a.jpg', bytes(300_000_000)); z.close()\"; advisor $report --data d.zip", (2,), "Unpack them first"),
    Fault("data: a pickle that runs", "py -c \"import os, pickle; E = type('E', (), {'__reduce__': lambda s:"
          " (os.system, ('touch evil',))}); import __main__; __main__.E = E; pickle.dump(E(), open('d.pkl', 'wb'))\";"
          f" advisor $report --data d.pkl{_NO_EVIL}", (2,), "is not read here"),
    Fault("data: a web of 900 links", "mkdir d; for i in {1..30}; do mkdir d/$i; for j in {1..30}; do ln -s ../../d/$j d/$i;"
          " done; done; advisor $report --data d", (2,), "nothing there"),
    Fault("data: 100,000 photos of nothing", "mkdir d; py -c \"[open(f'd/{i}.jpg', 'w').close() for i in range(100000)]\";"
          " advisor $report --data d; s=$?; rm -rf d; exit $s", (2,), "nothing there", timeout_s=150),
    Fault("data: pictures that run", "mkdir d; printf '%%!PS-Adobe-3.0 EPSF-3.0\\n%%%%BoundingBox: 0 0 9 9\\n"
          f"(%%pipe%%touch evil) (w) file\\n' > d/a.jpg; cp d/a.jpg d/b.png; advisor $report --data d{_NO_EVIL}", (0, 2)),
)  # fmt: skip

LYING_SYSTEM = (
    *(
        Fault(f"the system says: {name}", _bound(place, content, command), (0, 3), "", "out.json")
        for name, place, content, command in (
            ("no memory", "/proc/meminfo", "MemTotal: 0 kB\\nMemFree: 0 kB\\nMemAvailable: 0 kB\\n", "$quick"),
            ("less than no memory", "/proc/meminfo", "MemTotal: -5 kB\\nMemAvailable: -9 kB\\n", "$report"),
            ("memory in words", "/proc/meminfo", "MemTotal: many kB\\nMemAvailable: few\\n", "$report"),
            ("memory of 20 digits", "/proc/meminfo", f"MemTotal: {'9' * 20} kB\\nMemFree: {'9' * 20} kB\\n", "$quick"),
            ("a core called by escapes", "/proc/cpuinfo", "processor: 0\\nmodel name: \\033[2J\\0evil\\n", "$report"),
            ("times below 0", "/proc/stat", f"cpu  -1 -1 -1 -1\\ncpu0 {'9' * 20} 0 0 0 0 0 0\\nbtime -1\\n", "$quick"),
            ("a load of x", "/proc/loadavg", "x", "$quick"),
            ("it runs for nan", "/proc/uptime", "-1 nan", "$quick"),
        )
    ),
    Fault(
        "the system says: 10,000 cores",
        "for i in {0..9999}; do printf 'processor\\t: %s\\nphysical id\\t: %s\\n\\n' $i $i; done > f;"
        " unshare -rm sh -c 'mount --bind f /proc/cpuinfo; exec advisor $report'",
        leaves="out.json",
    ),
    Fault(
        "the system's programs print without end",
        "mkdir b; for n in lspci nvidia-smi rocm-smi rocminfo xpu-smi sycl-ls lsblk systemd-detect-virt; do"
        " printf '#!/bin/sh\\nexec yes xxxxxxxx' > b/$n; chmod +x b/$n; done; PATH=$PWD/b:$PATH advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "the system's programs are no programs",
        "mkdir b; for n in lspci nvidia-smi rocm-smi rocminfo xpu-smi dmidecode git ssh; do printf '\\177ELF junk' > b/$n;"
        " chmod +x b/$n; done; PATH=$PWD/b:$PATH advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
)

HISTORIES = (
    *(
        Fault(f"history: {name}", _sql(statement) + "exit $s", status, says, timeout_s=150)
        for name, statement, status, says in (
            ("a version below 0", "PRAGMA user_version = -1", (1,), "Move the file away"),
            ("tables without a version", "PRAGMA user_version = 0", (1,), "Move the file away"),
            ("a table less", "DROP TABLE receipt", (1,), "Move the file away"),
            ("dates of nobody", "UPDATE report SET created_at = -1", (0,), ""),
            ("labels that command", "UPDATE report SET label = char(27) || char(8238) || char(0)", (0,), ""),
            ("numbers below 0", "UPDATE report SET id = -9223372036854775808", (0,), ""),
            ("a log beside it", "PRAGMA journal_mode = WAL", (0,), ""),
        )
    ),
    Fault(
        "history: its folder comes and goes",
        f"{_KEPT}; (for i in {{1..60}}; do mv $data $data.x; sleep 0.1; mv $data.x $data; sleep 0.1; done) & {_KEPT}; s=$?;"
        " kill $!; exit $s",
        (0, 3),
        timeout_s=150,
    ),
    *(
        Fault(f"window: settings of {name}", f"mkdir -p $settings; printf '%b' '{content}' > $settings/window.ini; window TERM 3")
        for name, content in (
            ("lists", "[General]\\ninterval_s=1, 2, 3\\ntheme=a, b\\ngeometry=@ByteArray(\\\\x0)\\n"),
            ("no size", "[General]\\nsize=@Size(0 0)\\npos=@Point(-99999 -99999)\\n"),
            ("no numbers", "[General]\\ninterval_s=nan\\ntext_percent=-1\\nbudget_usd=-inf\\ncountry=ZZZZ\\n"),
            ("a head that is not closed", "[General\\ninterval_s=1\\n"),
            ("a lock that another left", "[General]\\n' > $settings/window.ini.lock; printf '"),
        )
    ),
)  # fmt: skip

_INSTALL = "timeout 100 advisor --measuring-pack install --yes --torch-build cpu"
_UV = "mkdir b; printf '#!/bin/sh\\nexit 0\\n' > b/uv; chmod +x b/uv; export PATH=$PWD/b:$PATH; "
PACKS = (
    *(
        Fault(
            f"pack: a home that is {name}",
            f"{_UV}unshare -rm sh -c 'mount -t tmpfs -o {how} none $HOME; {fill}exec {_INSTALL}'",
            (1,),
            says,
        )
        for name, how, fill, says in (
            ("read-only", "ro", "", "read-only"),
            ("full", "size=12k", "mkdir -p $HOME/.local/share/advisor; head -c 99999 /dev/zero > $HOME/full; ", "full"),
        )
    ),
    *(
        Fault(
            f"pack: a uv that {name}",
            f"mkdir b; printf '#!/bin/sh\\n{does}\\n' > b/uv; chmod +x b/uv; export PATH=$PWD/b:$PATH; {_INSTALL}",
            (1,),
            timeout_s=120,
        )
        for name, does in (
            ("fails", "echo no such index >&2; exit 2"),
            ("prints bytes", "head -c 99999 /dev/urandom; exit 1"),
            ("does nothing", "exit 0"),
            ("kills itself", "kill -9 $$"),
            ("leaves a child", "sleep 300 & exit 1"),
        )
    ),
    *(
        Fault(
            f"pack: a uv that hangs, {name}",
            f"{_UV.replace('exit 0', 'sleep 500')}struck {name} 4 advisor --measuring-pack install --yes --torch-build cpu",
            (status,),
            timeout_s=120,
        )
        for name, status in (("TERM", 143), ("HUP", 129), ("INT", 130))
    ),
    *(
        Fault(
            f"pack: {name}, removed",
            f"mkdir -p precious {folder}; : > precious/x; {make}; advisor --measuring-pack remove --yes; s=$?;"
            " test -e precious/x || exit 99; exit $s",
            status,
            says,
        )
        for name, folder, make, status, says in (
            ("a folder that is a link", "$data", "ln -s $PWD/precious $data/measuring-pack", (1,), "it is a link"),
            ("a link in it", "$data/measuring-pack", "ln -s $PWD/precious $data/measuring-pack/env-1", (0,), "removed"),
        )
    ),
    Fault(
        "pack: a Python that hangs",
        "p=$data/measuring-pack; mkdir -p $p/env-1/bin; printf '#!/bin/sh\\nexec sleep 999\\n' > $p/env-1/bin/python;"
        ' chmod +x $p/env-1/bin/python; echo \'{"environment": "env-1", "backend": "cpu"}\' > $p/pack.json; advisor $quick',
        (0, 3),
        "",
        "out.json",
        150,
    ),
)

PROGRAMS = (
    *(
        Fault(
            f"watched program: {name}",
            f"cat > t.py <<'END'\n{code}\nEND\n{_W}py t.py",
            status,
            says,
            timeout_s=150,
        )
        for name, status, says, code in (
            ("asyncio", (0,), _STEPS, f"import asyncio, torch\nasync def main():\n    exec('''{_STEP}''')\nasyncio.run(main())"),
            ("threads", (0,), "step", f"import threading, torch\nfor i in range(3): threading.Thread(target=exec, args=('''import torch\n{_STEP}''',)).start()"),
            ("a daemon", (0,), "", "import os, time\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nos.chdir('/')\ntime.sleep(3)"),
            ("becomes another in its midst", (0,), "", f"import os, torch\n{_STEP}os.execvp('sleep', ['sleep', '1'])"),
            ("stops itself", (0,), _STEPS, f"import os, signal, subprocess\nsubprocess.Popen(['sh', '-c', f'sleep 3; kill -CONT {{os.getpid()}}'])\nos.kill(os.getpid(), signal.SIGSTOP)\nimport torch\n{_STEP}"),
            ("kills its group", (143,), "", "import os, time\nos.killpg(0, 15)\ntime.sleep(9)"),
            ("streams that are None", (0,), _STEPS, f"import sys, torch\nsys.stdin = sys.stdout = sys.stderr = None\n{_STEP}"),
            ("no torch in its place", (0,), "no step", "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')\nimport torch"),
            ("a step of its own", (0,), "step", "import torch\ntorch.optim.SGD.step = lambda self, closure=None: None\n" + _STEP),
            ("200 zombies", (0,), _STEPS, f"import os, torch\nfor i in range(200):\n    if os.fork() == 0: os._exit(0)\n{_STEP}"),
            ("60 processes within each other", (0,), "step", f"import subprocess, sys\nn = int((sys.argv + ['0'])[1])\nif n < 60: raise SystemExit(subprocess.call(['py', 't.py', str(n + 1)]))\nimport torch\n{_STEP}"),
        )
    ),
    *(
        Fault(f"watched program: {name}", _TRAIN.format("") + make + _W + command, (0,), says, timeout_s=150)
        for name, make, command, says in (
            ("a compiled file", "py -c \"import py_compile; py_compile.compile('t.py', 't.pyc')\"; ", "py t.pyc", _STEPS),
            ("an archive", "mkdir z; mv t.py z/__main__.py; py -m zipapp z -o z.pyz; ", "py z.pyz", _STEPS),
            ("a folder", "mkdir z; mv t.py z/__main__.py; ", "py z", _STEPS),
            ("from its input", "", "py - < t.py", "step"),
            ("under a profiler", "", "py -m cProfile -o p t.py", _STEPS),
            ("its own usercustomize", "d=$(py -m site --user-site); mkdir -p $d; echo 'print(1)' > $d/usercustomize.py; ",
             "py t.py", "step"),
            ("a sitecustomize that is a folder", "mkdir -p x/sitecustomize; : > x/sitecustomize/__init__.py; ",
             "env PYTHONPATH=x:$PYTHONPATH py t.py", _STEPS),
            ("a path that is emptied", "", "sh -c 'unset PYTHONPATH; exec py t.py'", "step"),
        )
    ),
    Fault("watched program: what it saved, changed", _TRAIN.format("") + "advisor --watch --yes --save w.json -- py t.py;"
          " sed -i -E 's/: [0-9]+\\.[0-9e-]+/: 1e300/' w.json; advisor $report --workload w.json", (2,), "must be at most",
          timeout_s=150),
    Fault("own network: becomes another", f"{_MODEL}sed -i '1i import os; os.execvp(\"true\", [\"true\"])' model.py{_OWN}", (2,)),
    Fault("own network: a broken package beside it", f"{_MODEL}mkdir lib; echo 'def f(:' > lib/__init__.py;"
          f" sed -i '1i import lib' model.py{_OWN}", (2,), "__init__.py"),
    Fault("own network: removes itself", f"{_MODEL}sed -i '1i import os; os.remove(__file__)' model.py{_OWN}", (0, 2)),
)  # fmt: skip
