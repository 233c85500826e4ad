"""Faults of descriptions of models, of clusters, of shared folders, of data, and of scripts that are watched."""

from tests.faults.fault import Fault

_DEEP = "python3 -c \"print('[' * 99999)\""
_GGUF = "printf 'GGUF\\003\\0\\0\\0{}' > m.gguf; advisor --predict m.gguf --on T4"
_WATCHED = "cat > t.py <<'END'\n{}\nEND\nadvisor --watch --yes -- python3 t.py"
_ZIP = "python3 -c \"import zipfile; z = zipfile.ZipFile('f.zip', 'w'); z.writestr('a.json', '{{}}'); z.close(); {}\"; "
_CHANGED = "b = bytearray(open('f.zip', 'rb').read()); i = b.find(b'PK\\1\\2'); {}; open('f.zip', 'wb').write(b)"
_CONFINED = (
    "echo 'def build(): return None' > m.py; advisor --predict m.py:build --image-size 32 --on T4 --confine > said"
)
_VIEW = (
    'mkdir -p $data; python3 -c "import sqlite3, os;'
    " d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3'));"
    " d.execute('create view report as with recursive c(x) as (select 1 union all select x + 1 from c)"
    " select x id, x created_at, x summary, x content, x label from c'); d.commit()\"; "
)

MODELS = (
    Fault("config.json: nesting", f"{_DEEP} > config.json; advisor --predict config.json --on T4", (2,), "description"),
    Fault(
        "config.json: infinite and negative",
        'echo \'{"model_type": "llama", "hidden_size": 1e400, "num_hidden_layers": NaN, "num_attention_heads": -1,'
        ' "vocab_size": 0}\' > config.json; advisor --predict config.json --on T4',
        (2,),
        "no sense",
        is_quick=True,
    ),
    Fault(
        "config.json: digits",
        'python3 -c "print(\'{\\"model_type\\": \\"llama\\", \\"hidden_size\\":\' + \'9\' * 9999 + \'}\')" > config.json;'
        " advisor --predict config.json --on T4",
        (2,),
        "description",
    ),
    Fault("gguf: cut short", _GGUF.format("\\0\\0"), (2,), "damaged"),
    Fault("gguf: claims everything", _GGUF.format("\\377\\377\\377\\377\\377\\377\\377\\177" * 2), (2,), "damaged"),
    Fault(
        "gguf: a text of exabytes",
        _GGUF.format("\\1\\0\\0\\0\\0\\0\\0\\0" * 2 + "\\377\\377\\377\\377\\377\\377\\377\\177abc"),
        (2,),
        "damaged",
    ),
    Fault("gguf: a hole", "truncate -s 3G m.gguf; advisor --predict m.gguf --on T4", (2,), "damaged"),
)

SHARED = (
    Fault("cluster: nesting", f"{_DEEP} > c.json; advisor $report --cluster c.json", (2,), "--scaling"),
    Fault("cluster: bytes", "head -c 9999 /dev/urandom > c; advisor $report --cluster c", (2,), "--scaling"),
    Fault(
        "cluster: a computer that is not there",
        'echo \'{"scaling_version": 1, "created_at": "", "program_version": "", "backend": "gloo", "wall_s": 1, "nodes": [],'
        ' "ranks": [{"node": 7, "device": "cpu"}]}\' > c.json; advisor $report --cluster c.json',
        (2,),
        "not known",
    ),
    *(
        Fault(
            f"a pipe that nobody writes into: {words}", f"mkfifo p.toml; advisor {words} p.toml", (2,), "nobody writes"
        )
        for words in (
            "$report --machine",
            "$report --cluster",
            "--sweep --jobs",
            "--scaling --hostfile",
            "--compare p.toml",
        )
    ),
    Fault(
        "a pipe whose writer takes its time",
        "advisor --report m.json --suite none; mkfifo p; (exec > p; sleep 12; cat m.json) & advisor $report --machine p",
        leaves="out.json",
    ),
    Fault("room: a .jsonl with a hole", "truncate -s 6G f.jsonl; advisor --fleet f.jsonl", (2,), "larger than"),
    Fault(
        "room: 30,000 pipes",
        "mkdir f; py -c \"import os; [os.mkfifo(f'f/{i}.json') for i in range(30000)]\"; advisor --fleet f; s=$?; rm -rf f;"
        " exit $s",
        (2,),
        "29,990 more files",
    ),
    Fault("shared: bytes", "mkdir d; head -c 9999 /dev/urandom > d/a.json; advisor --learn d", (1,), "left out"),
    Fault("shared: a hole", "mkdir d; truncate -s 9G d/a.json; advisor --learn d", (1,), "too large"),
    Fault(
        "shared: folders in a circle",
        "mkdir d; ln -s ../d d/d; ln -s a.json d/a.json; advisor --learn d",
        (1,),
        "a link",
    ),
    Fault(
        "room: names that lead out",
        "python3 -c \"import zipfile; z = zipfile.ZipFile('f.zip', 'w'); z.writestr('../../evil.json', '{}')\";"
        " advisor --fleet f.zip; test ! -e ../evil.json -a ! -e ../../evil.json",
    ),
    Fault(
        "room: encrypted",
        _ZIP.format(_CHANGED.format("b[6] |= 1; b[i + 8] |= 1")) + "advisor --fleet f.zip",
        (2,),
    ),
    Fault(
        "room: packed in a way nobody knows",
        _ZIP.format(_CHANGED.format("b[8] = b[i + 10] = 99")) + "advisor --fleet f.zip",
        (2,),
    ),
    Fault("room: damaged", _ZIP.format(_CHANGED.format("b[37] ^= 255")) + "advisor --fleet f.zip", (2,)),
    Fault(
        "learned: nesting",
        f"mkdir -p $data/learned; {_DEEP} > $data/learned/learned.json; advisor $report",
        (2,),
        "advisor --learn none",
    ),
    Fault(
        "learned: a pipe",
        "mkdir -p $data/learned; mkfifo $data/learned/learned.json; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "learned: a hole",
        "mkdir -p $data/learned; truncate -s 9G $data/learned/learned.json; advisor $report",
        (2,),
        "larger than",
    ),
    Fault(
        "history: a view without end",
        _VIEW + "advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
    ),
)

DATA = (
    Fault(
        "data: photos cut short",
        "mkdir d; for i in 1 2 3 4 5; do printf '\\xff\\xd8\\xff\\xe0\\0\\020JFIF' > d/$i.jpg; done; advisor $report --data d",
        (0,),
    ),
    Fault(
        "data: folders in a circle",
        "mkdir d; ln -s ../d d/d; advisor $report --data d",
        (2,),
        "nothing there",
        is_quick=True,
    ),
    Fault(
        "data: one line of 200 MB",
        "head -c 200000000 /dev/zero | tr '\\0' , > d.csv; advisor $report --data d.csv",
        (0,),
    ),
    Fault(
        "data: no table",
        "printf 'PAR1\\377\\377\\377\\177PAR1' > d.parquet; advisor $report --data d.parquet",
        (0,),
    ),
    *(
        Fault(
            f"data: an array of {name}",
            "py -c \"import numpy; numpy.lib.format.write_array_header_1_0(open('d.npy', 'wb'),"
            f" {{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}})\"; advisor $report --data d.npy",
            leaves="out.json",
        )
        for name, shape in (("-9 rows", "(-9, 3)"), ("10^18 rows", "(10**18, 3)"))
    ),
    *(
        Fault(f"data: {name}", f"{make}; advisor $report --data {file}", status)
        for name, make, file, status in (
            ("a tar without end", "ln -s $(device zero) d.tar", "d.tar", (2,)),
            (
                "a tar of 100,000 nothings",
                "py -c \"import tarfile; t = tarfile.open('d.tar', 'w');"
                " [t.addfile(tarfile.TarInfo(f'{i}.jpg')) for i in range(100000)]; t.close()\"",
                "d.tar",
                (0, 2),
            ),
            (
                "a quotation mark that is not closed",
                "py -c \"open('t.csv', 'w').write('a,b' + chr(10) + chr(34) + ('x,1' + chr(10)) * 3000000)\"",
                "t.csv",
                (0, 2),
            ),
            (
                "300,000 columns",
                "py -c \"open('t.csv', 'w').write((','.join(map(str, range(300000))) + chr(10)) * 20)\"",
                "t.csv",
                (0, 2),
            ),
        )
    ),
    Fault("a run of a moment", "advisor $report --workload simple_cnn --samples 1 --epochs 1", leaves="out.json"),
    Fault("data: the system's own", "advisor $report --data /proc", (0, 2)),
    Fault("clock at its beginning", "module sitecustomize <<< 'import time; time.time = lambda: 0.0'; advisor $report"),
    Fault(
        "clock at its end",
        "module sitecustomize <<< 'import time; time.time = lambda: 253402300799.0'; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "a terminal that takes no orders",
        "TERM=dumb script -qec 'advisor --report --suite none' /dev/null > o; ! grep -q $'\\e' o && cat o",
        (0,),
        "made by",
    ),
    Fault(
        "a terminal of one sign",
        'script -qec "stty cols 1 rows 1; advisor --report --suite none" /dev/null',
        (0,),
        "made",
    ),
)

WATCHED = (
    Fault("watched: prints commands", _WATCHED.format("print('\\x1b]0;x\\x07' * 99)\nraise SystemExit(5)"), (5,)),
    Fault(
        "watched: closes every file",
        _WATCHED.format("import os, time\nos.closerange(3, 200)\nos.close(1)\nos.close(2)\ntime.sleep(1)"),
        (0,),
        "no step",
    ),
    Fault(
        "watched: a child that left its family",
        _WATCHED.format("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(9)\n    os._exit(0)"),
        (0,),
        "no step",
    ),
    Fault("watched: kills itself", _WATCHED.format("import os\nos.kill(os.getpid(), 9)"), (137,), "signal 9"),
    Fault(
        "watched: removes where it tells",
        _WATCHED.format("import os, shutil\nshutil.rmtree(os.environ['ADVISOR_WATCH'])"),
        (0,),
        "no step",
    ),
    Fault(
        "watched: a pipe where it tells",
        _WATCHED.format("import os\nos.mkfifo(os.environ['ADVISOR_WATCH'] + '/seen-1.jsonl')"),
        (0,),
        "no step",
        is_quick=True,
    ),
    *(
        Fault(
            f"watched: stopped for ever, {name}",
            f"printf 'import os\\nos.kill(os.getpid(), 19)' > t.py; struck {name} 6 advisor --watch --yes -- py t.py",
            status,
        )
        for name, status in (("INT", (0, 130)), ("TERM", (143,)))
    ),
    Fault(
        "watched: tells 8 GB",
        _WATCHED.format(
            "import os\nfor name in ('seen-9.jsonl', 'calls-9.json'):\n"
            "    open(os.environ['ADVISOR_WATCH'] + '/' + name, 'w').truncate(8 << 30)"
        ).replace("advisor --watch", "ulimit -v 4000000; advisor --watch"),
        (0,),
        "no step",
    ),
    Fault(
        "watched: tells nesting and more",
        _WATCHED.format(
            "import os\nfolder = os.environ['ADVISOR_WATCH']\n"
            "open(folder + '/seen-1.jsonl', 'wb').write(b'{\"type\":' + b'[' * 90000 + b'\\n' + b'[' * 5_000_000)\n"
            "open(folder + '/calls-1.json', 'wb').write(b'{' * 5_000_000)"
        ),
        (0,),
        "no step",
    ),
)

CONFINED = (
    Fault(
        "confine: nothing to hold with",
        "mkdir b; for f in env sh bash python3 true; do ln -s $(command -v $f) b/$f; done; program=$(command -v advisor);"
        f" PATH=$PWD/b; {_CONFINED.replace('advisor', '$program')} 2>&1; s=$?; while read -r l; do echo $l; done < said; exit $s",
        (2,),
        "bwrap is missing",
    ),
    Fault(
        "confine: forbidden by the system",
        "mkdir b; printf '#!/bin/sh\\necho bwrap: No permissions to create new namespace >&2; exit 1\\n' > b/bwrap;"
        f" chmod +x b/bwrap; PATH=$PWD/b:$PATH; {_CONFINED} 2>&1; s=$?; cat said; ! grep -q 'is held' said && exit $s",
        (2,),
        "No permissions",
        is_quick=True,
    ),
)
