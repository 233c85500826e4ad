"""Faults of data that change while they are read, of a history that another program holds, and of odd descriptions."""

from tests.faults.fault import Fault

_PHOTOS = (
    "py -c \"from PIL import Image; import os; os.mkdir('d');"
    " [Image.new('RGB', (64, 64), (i % 255, 0, 0)).save(f'd/{i}.jpg') for i in range(400)]\"; "
)
_TABLE = "py -c \"open('t.csv', 'w').write('a,b,c\\n' + '1,2,3\\n' * 1000000)\"; "
_QUICK = "advisor --report out.json --max-minutes 0.3 --no-history --data"
_HELD = (
    'advisor --report out.json --max-minutes 0.1; py -c "import os, sqlite3, time;'
    " d = sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3'), isolation_level=None);"
    " d.execute('begin exclusive'); open('held', 'w'); time.sleep(60)\" & p=$!; until [ -e held ]; do sleep 0.1; done; "
    "{}; s=$?; kill $p; exit $s"
)
_ODD = "printf '%s' '{}' > config.json; advisor {} config.json{}"

MEANWHILE = (
    *(
        Fault(f"data: {name}", f"{make}({change}) & {command}", (0, 3), "", "out.json")
        for name, make, change, command in (
            ("removed meanwhile", _PHOTOS, "sleep 2; rm -rf d", f"{_QUICK} d"),
            ("folders meanwhile", _PHOTOS, "sleep 2; for i in d/*.jpg; do rm $i; mkdir $i; done", f"{_QUICK} d"),
            ("pipes meanwhile", _PHOTOS, "sleep 3; for i in d/*.jpg; do rm $i; mkfifo $i; done", f"{_QUICK} d"),
            ("more and more", _PHOTOS, "for i in {1..400}; do cp d/1.jpg d/n$i.jpg; done", "advisor $report --data d"),
            ("a file meanwhile", _PHOTOS, "sleep 1; mv d e; : > d", "advisor $report --data d"),
            ("a table emptied meanwhile", _TABLE, "sleep 1; : > t.csv", f"{_QUICK} t.csv"),
            ("bytes meanwhile", _TABLE, "sleep 1; head -c 9000000 /dev/urandom > t.csv", f"{_QUICK} t.csv"),
        )
    ),
    *(
        Fault(f"history held by another: {name}", _HELD.format(command), status, says, timeout_s=150)
        for name, command, status, says in (
            ("a check", "advisor --report o.json --max-minutes 0.1", (0, 3), "in use by another program"),
            ("asked", "advisor --was-it-true", (1,), "in use by another program"),
            ("window", "window TERM 6", (0,), ""),
        )
    ),
)

DESCRIBED = tuple(
    Fault(f"config.json: {name}", _ODD.format(text, command, on), (2,), says)
    for name, text, command, on, says in (
        (
            "labels without end",
            '{"model_type": "bert", "architectures": ["BertForSequenceClassification"], "num_labels": 1e999}',
            "$report --workload",
            "",
            "num_labels",
        ),
        (
            "more heads than numbers",
            '{"model_type": "wav2vec2", "hidden_size": 1}',
            "$report --workload",
            "",
            "no sense",
        ),
        (
            "10^12 layers",
            '{"model_type": "vit", "num_hidden_layers": 1000000000000}',
            "--predict",
            " --on T4",
            "no sense",
        ),
        ("layers in words", '{"model_type": "t5", "num_layers": "six"}', "--predict", " --on T4", "no sense"),
        ("patches larger than images", '{"model_type": "vit", "patch_size": 999}', "--predict", " --on T4", "no sense"),
        (
            "more experts asked than there are",
            '{"model_type": "mixtral", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,'
            ' "intermediate_size": 128, "vocab_size": 99, "num_local_experts": 1, "num_experts_per_tok": 8}',
            "--task generate --predict",
            " --on T4",
            "experts",
        ),
    )
)

RUN_ODDLY = (
    *(
        Fault(f"{setting}: {name}", f"{setting} {command}")
        for setting in ("PYTHONWARNINGS=error", "PYTHONDEVMODE=1", "PYTHONOPTIMIZE=2")
        for name, command in (
            ("measured", "advisor $quick"),
            ("PDF", "advisor --report out.pdf --suite none"),
            ("window", "window TERM 6"),
        )
    ),
    Fault(
        "numbers without end, watched",
        "(ulimit -v 3000000; advisor --watch --yes -- timeout 8 yes 1 > /dev/null)",
        (124,),
    ),
)
