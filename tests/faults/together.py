"""Faults of several processes that measure together, and of names that command a terminal, a browser or a table."""

from tests.faults.fault import Fault
from tests.faults.strange_inputs import _PHOTOS

_RANKS = "advisor --scaling --ranks 2"
_MEMBER = f"{_RANKS} & p=$!; until pgrep --parent $p > /dev/null; do sleep 0.1; done; sleep 10; {{}}; wait $p"
_LISTEN = (
    "py -c \"import socket, time; s = socket.socket(); s.bind(('0.0.0.0', 45871)); s.listen(); open('up', 'w').close();"
    ' time.sleep(99)" & b=$!; until [ -e up ]; do sleep 0.1; done; '
)

TOGETHER = (
    *(
        Fault(f"scaling: {name}", script, status, says, timeout_s=200)
        for name, script, status, says in (
            ("a member killed", _MEMBER.format("kill -KILL $(pgrep --parent $p | tail -1)"), (0, 3), ""),
            ("a member stopped", _MEMBER.format("kill -STOP $(pgrep --parent $p | tail -1)"), (0, 3), ""),
            ("its face killed", _MEMBER.format("kill -KILL $p"), (137,), ""),
            ("Ctrl-C", _MEMBER.format("kill -INT $p"), (130,), "Interrupted"),
            ("no network, not even to itself", f"unshare -rn {_RANKS}", (0, 3), ""),
            (
                "an interface that is not there",
                f"GLOO_SOCKET_IFNAME=nonsense {_RANKS}",
                (3,),
                "names a network interface",
            ),
            (
                "what torchrun sets, of another job",
                f"RANK=7 WORLD_SIZE=9 LOCAL_RANK=3 MASTER_ADDR=nowhere MASTER_PORT=1 {_RANKS}",
                (0, 3),
                "",
            ),
            ("its port taken", f"{_LISTEN}{_RANKS} --port 45871; s=$?; kill $b; exit $s", (3,), "The port is taken"),
            (
                "a launcher that ignores its end",
                "printf '#!/bin/bash\\ntrap : TERM INT HUP; while :; do sleep 1; done\\n' > l; chmod +x l;"
                " advisor --scaling --nodes a,b --launch './l {address} {command}' & p=$!; sleep 6; kill -INT $p; wait $p",
                (130,),
                "Interrupted",
            ),
        )
    ),
    Fault(
        "little shared memory, own photos",
        f"{_PHOTOS}unshare -rm sh -c 'mount -t tmpfs -o size=64k none /dev/shm;"
        " exec advisor --report out.json --max-minutes 0.9 --no-history --data d'",
        (0, 3),
        "",
        "out.json",
        150,
    ),
)

_QUIET = "; s=$?; LC_ALL=C.UTF-8 grep -q $'[\\e\\u202e]' said && exit 99; cat said; exit $s"
_TEXT = "\\\\u001b[31m\\\\u202e"

COMMANDING = (
    *(
        Fault(f"a name that commands: {words}", f"advisor {words.format(name)} > said 2>&1{_QUIET}", (1, 2))
        for name in ("$'a\\e[31m\\u202eb'",)
        for words in (
            "--predict {} --on T4",
            "--predict resnet50 --on {}",
            "$report --gpu {}:8GB",
            "$report --workload {}",
            "$report --machine {}",
            "--fleet {}",
            "--scaling --nodes {}",
            "--watch --yes -- {}",
            "--report {}/a.json --suite none",
            "--{}",
            "--list {}",
        )
    ),
    *(
        Fault(f"a file that commands: {name}", f"{make}; advisor {command} > said 2>&1{_QUIET}", (2,))
        for name, make, command in (
            ("job", f"printf '[workload]\\n\"{_TEXT}\" = 1\\n' > j.toml", "$report --workload j.toml"),
            ("config.json", f'printf \'{{"model_type": "{_TEXT}"}}\' > config.json', "--predict config.json --on T4"),
            ("hostfile", "printf '\\033[31m\\nb\\n' > h", "--scaling --hostfile h"),
            (
                "own code",
                "printf 'raise ValueError(\"\\\\x1b[31m\")' > m.py",
                "$report --workload m.py:b --image-size 32",
            ),
        )
    ),
    Fault(
        "a table's cell that is a formula",
        "advisor --report m.json --suite none --label '=cmd|x!A0'; mkdir f; mv m.json f; advisor --fleet f --out o.csv;"
        " grep -qE '(^|,)\"?[=+@]' o.csv && exit 99; grep -c cmd o.csv",
    ),
    Fault(
        "a page's file that is a picture",
        "advisor --report m.json --suite none; mkdir f; mv m.json 'f/<img src=x onerror=x>.json'; : > 'f/<b>.json';"
        " advisor --fleet f --out o.html; s=$?; grep -q '<img src=x\\|<b>.json' o.html && exit 99; exit $s",
    ),
)
