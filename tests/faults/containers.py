"""Faults of containers, of time zones, and of files that say more than they hold."""

from tests.faults.fault import Fault
from tests.faults.strange_inputs import _NETWORK, _TRAIN, _W

_NOBODY = "unset HOME USER LOGNAME; unshare -U --map-user=12345 "
_HEAD = (
    "py -c \"import json, struct; h = json.dumps({{'a': {{'dtype': 'F32', 'shape': {}}}}}).encode();"
    " open('m.safetensors', 'wb').write(struct.pack('<Q', len(h)) + h)\"; advisor --predict m.safetensors --on T4"
)
_GGUF = (
    "py -c \"import struct; s = lambda t: struct.pack('<Q', len(t)) + t; n = lambda k, v: s(k) + struct.pack('<II', 4, v);"
    " open('m.gguf', 'wb').write(b'GGUF' + struct.pack('<IQQ', 3, 1, 4) + s(b'general.architecture') +"
    " struct.pack('<I', 8) + s(b'llama') + n(b'llama.embedding_length', 64) + n(b'llama.attention.head_count', {heads}) +"
    " n(b'llama.block_count', 2) + s(b'token_embd.weight') + struct.pack('<I', 0) + struct.pack('<IQ', 0, 0))\";"
    " advisor --predict m.gguf --on T4"
)
_OVERLAP = (
    "py -c \"import struct, zipfile; z = zipfile.ZipFile('f.zip', 'w', 8); z.writestr('a.json', b'[' * 60_000_000); z.close();"
    " b = open('f.zip', 'rb').read(); i, e = b.find(b'PK\\1\\2'), b.find(b'PK\\5\\6'); n = 3000; c = b[i:e] * n;"
    " open('f.zip', 'wb').write(b[:i] + c + b[e:e + 8] + struct.pack('<HHII', n, n, len(c), i) + b[e + 20:])\"; "
)


def _instead(place: str, *files: str, command: str = "$report") -> str:
    """Return the line that runs a command where these files, each ``NAME=CONTENT``, lie in place of a folder."""
    made = "; ".join(
        f"mkdir -p x/$(dirname {name}); printf '{content}' > x/{name}"
        for name, _, content in (file.partition("=") for file in files)
    )
    return f"mkdir x; {made}; unshare -rm sh -c 'mount --bind x {place}; exec advisor {command}'"


CONTAINERS = (
    Fault("a user of no name and no home", f"{_NOBODY}advisor $report", leaves="out.json", is_quick=True),
    Fault("a user of no name and no home, measuring", f"{_NOBODY}advisor $quick", (0, 3), "", "out.json"),
    Fault("a user of no name and no home, watching", f"{_NOBODY}advisor --watch --yes -- py -c 1", (0,), "no step"),
    Fault("a user of no name and no home, window", f"{_NOBODY}true; window TERM 5"),
    Fault("the first of all processes", "unshare -rpf --mount-proc advisor $quick", (0, 3), "", "out.json"),
    Fault(
        "processes of others hidden",
        "unshare -rpf sh -c 'mount -t proc -o hidepid=2 none /proc; exec advisor $quick'",
        (0, 3),
        "",
        "out.json",
    ),
    Fault("not even a network of its own", "unshare -rn advisor $quick", (0, 3), "", "out.json"),
    Fault("a processor of 32 bit", "setarch linux32 advisor $quick", (0, 3), "", "out.json"),
    *(
        Fault(
            f"limits of a container: {name}",
            _instead("/sys/fs/cgroup", *files, command="$quick"),
            (0, 3),
            "",
            "out.json",
        )
        for name, files in (
            ("nothing", ("cpu.max=0 0", "memory.max=0", "cpuset.cpus.effective=")),
            ("less than nothing", ("cpu.max=-1 -1", "memory.max=-1", "memory.current=99999999999")),
            ("no numbers", ("cpu.max=max", "memory.max=max max", "cpuset.cpus.effective=0-99999999999")),
            ("of version 1", ("cpu/cpu.cfs_quota_us=-1", "cpu/cpu.cfs_period_us=0", "memory/memory.limit_in_bytes=x")),
        )
    ),
    Fault(
        "cards that are none",
        _instead("/sys/class/drm", "card0/device/vendor=0x10de", "card0/device/device=zz", "card1/device=", "cardX/x="),
        leaves="out.json",
    ),
    Fault("time zone: a folder", "TZ=$PWD advisor $report", (1,), "time zone", is_quick=True),
    Fault("time zone: a device, window", "TZ=/dev/zero QT_QPA_PLATFORM=offscreen advisor", (1,), "time zone"),
    Fault("100,000 processes", "advisor --scaling --ranks 100000", (2,), "is more than 256"),
)

_TABLE = 'mkdir -p $data/offers; printf \'[aws]\\nas_of = "2099-01-01"\\ntitle = "x"\\nauthor = "y"\\n\' > $data/offers/snapshot.toml; '
_PACK = "mkdir -p $data/measuring-pack; {} $data/measuring-pack/pack.json; advisor --measuring-pack status && advisor $quick"
_NO_END = "ln -s $(device zero)"

LYING = (
    Fault("safetensors: an extent of 400 digits", _HEAD.format("[10**400]"), (2,), "damaged"),
    Fault("safetensors: a million extents", _HEAD.format("[999999999] * 10**6"), (2,), "damaged"),
    Fault(
        "safetensors: a pipe among them",
        "mkdir m; mkfifo m/a.safetensors; advisor --predict m --on T4",
        (2,),
        "neither",
    ),
    Fault("gguf: no heads", _GGUF.format(heads=0), (2,), "damaged"),
    Fault("gguf: no dimensions", _GGUF.format(heads=4), (2,), "damaged"),
    Fault(
        "config.json: without end",
        "ln -s /dev/zero config.json; advisor --predict config.json --on T4",
        (2,),
        "too large",
    ),
    Fault(
        "room: 1,500 folders within each other",
        "py -c \"import os\nfor i in range(1500): os.mkdir('a'); os.chdir('a')\"; advisor --report a/a.json --suite none;"
        " advisor --fleet a; s=$?; advisor --learn a; rm -rf a; exit $s",
        (0,),
        "cannot be read",
    ),
    Fault("room: files that overlap", _OVERLAP + "advisor --fleet f.zip", (2,), "no report", timeout_s=60),
    Fault(
        "model: a name that is no text",
        f"cat > $'\\xff.py' <<'END'{_NETWORK}\nEND\nadvisor $report --workload $'\\xff.py:build' --image-size 32",
        (2,),
        "not UTF-8",
    ),
    Fault(
        "watched: a name that is no text",
        _TRAIN.format("") + "mv t.py $'\\xff.py'; " + _W + "py $'\\xff.py'",
        (0,),
        "time of a step",
        timeout_s=150,
    ),
    Fault(
        "watched: what cannot be read where it tells",
        _TRAIN.format("import os\nos.symlink('/proc/self/mem', os.environ['ADVISOR_WATCH'] + '/seen-9.jsonl')\n")
        + _W
        + "py t.py",
        (0,),
        "time of a step",
        timeout_s=150,
    ),
    Fault(
        "prices: a hole",
        "mkdir -p $data/offers; truncate -s 9T $data/offers/snapshot.toml; advisor $report",
        leaves="out.json",
    ),
    *(
        Fault(f"prices: a table {name}", f"{_TABLE}{make} $data/offers/aws.csv; advisor $report", leaves="out.json")
        for name, make in (("that is a pipe", "mkfifo"), ("without end", _NO_END))
    ),
    *(
        Fault(f"pack: {name}", _PACK.format(make), (0, 3), "", "out.json")
        for name, make in (("a pipe", "mkfifo"), ("without end", _NO_END))
    ),
    *(
        Fault(f"window: a crash log {name}", f"mkdir -p $logs; {make} $logs/fault-99999999.txt; window TERM")
        for name, make in (("that is a pipe", "mkfifo"), ("without end", _NO_END), ("that is a hole", "truncate -s 9T"))
    ),
    *(
        Fault(
            f"the system's files: a pipe as {file}",
            f"mkfifo f; unshare -rm sh -c 'mount --bind f {file}; exec advisor $report'",
            leaves="out.json",
        )
        for file in ("/etc/os-release", "/proc/cpuinfo", "/proc/meminfo")
    ),
    Fault(
        "history: entries that unpack to 3 GB",
        'advisor --report a.json --max-minutes 0.1; py -c "import os, sqlite3, zlib; c = zlib.compressobj(9);'
        " b = b''.join(c.compress(bytes(1 << 20)) for _ in range(3000)) + c.flush();"
        " d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3'));"
        " d.execute('update report set content = ?, summary = ?', (b, b)); d.commit()\"; ulimit -v 9000000;"
        " advisor --was-it-true; advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
        150,
    ),
    Fault(
        "history: no number left",
        'advisor --report a.json --max-minutes 0.1; py -c "import os, sqlite3;'
        " d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3'));"
        " d.execute('update sqlite_sequence set seq = 9223372036854775807'); d.commit()\";"
        " advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
        150,
    ),
)
