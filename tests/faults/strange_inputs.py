"""Faults nobody listed: jobs and folders of nonsense, own code and scripts that do what they like, odd screens."""

from tests.faults.fault import Fault

_JOB = "printf '[workload]\\nnetwork = \"resnet50\"\\n{}\\n' > j.toml; advisor $report --workload j.toml"

JOBS = (
    *(
        Fault(f"job: {value} samples", _JOB.format(f"samples = {value}"), (2,), "samples")
        for value in ("nan", "inf", "1e308", "-5", "true", '"many"', "0", "[1]", "9223372036854775808", "1979-05-27")
    ),
    Fault("job: epochs 1e308", _JOB.format("samples = 9\\nepochs = 1e308"), (2,), "epochs"),
    Fault(
        "job: the most of everything",
        _JOB.format("samples = 999999999999\\nepochs = 999999\\nbatch_size = 999999999"),
        (2,),
    ),
    Fault("job: a price of nan", _JOB.format("[circumstances]\\nbudget_usd = nan"), (2,), "budget"),
    Fault("job: a deadline of minus nothing", _JOB.format("[circumstances]\\ndeadline_h = -0.0"), (2,)),
    Fault("job: 5e-324 hours", _JOB.format("[circumstances]\\ndeadline_h = 5e-324"), (2,)),
    Fault("job: a key twice", _JOB.format("samples = 9\\nsamples = 10"), (2,), "not valid TOML"),
    Fault("job: a table twice", _JOB.format("[workload]\\nsamples = 10"), (2,), "not valid TOML"),
    Fault(
        "job: with a mark",
        "printf '\\xef\\xbb\\xbf[workload]\\nnetwork = \"resnet50\"\\nsamples = 900\\n' > j.toml; advisor $report --workload j.toml",
        leaves="out.json",
    ),
    Fault(
        "job: UTF-16",
        "printf '[workload]\\nnetwork = \"resnet50\"\\n' | iconv -t UTF-16 > j.toml; advisor $report --workload j.toml",
        (2,),
    ),
    Fault(
        "job: lines of Windows",
        "printf '[workload]\\r\\nnetwork = \"resnet50\"\\r\\nsamples = 900\\r\\n' > j.toml; advisor $report --workload j.toml",
        leaves="out.json",
    ),
    Fault(
        "job: lines of old Macintoshes",
        "printf '[workload]\\rnetwork = \"resnet50\"\\r' > j.toml; advisor $report --workload j.toml",
        (2,),
    ),
    Fault(
        "job: NUL",
        "printf '[workload]\\nnetwork = \"res\\0net50\"\\n' > j.toml; advisor $report --workload j.toml",
        (2,),
        "not valid TOML",
    ),
    Fault("job: nothing", ": > j.toml; advisor $report --workload j.toml", (2,)),
    Fault(
        "job: a network that is itself",
        "printf '[workload]\\nnetwork = \"j.toml\"\\n' > j.toml; advisor $report --workload j.toml",
        (2,),
        "j.toml",
    ),
    Fault(
        "job: layers of -1",
        "printf '[workload]\\nsamples = 9\\nepochs = 1\\nimage_size = 64\\n[[workload.layers]]\\nkind = \"conv\"\\nfilters = -1\\n' > j.toml; advisor $report --workload j.toml",
        (2,),
        "filters",
    ),
    Fault(
        "job: 20,000 layers",
        "(printf '[workload]\\nsamples = 9\\nepochs = 1\\nimage_size = 64\\n'; yes '[[workload.layers]]\nkind = \"conv\"\nfilters = 16' | head -60000) > j.toml; advisor $report --workload j.toml",
        (2,),
    ),
    Fault(
        "job: a name of 60 kB",
        "printf '[workload]\\nnetwork = \"%0*d\"\\n' 60000 0 > j.toml; advisor $report --workload j.toml",
        (2,),
    ),
    *(
        Fault(f"argument: {option}", f"advisor $report {option}", (2,))
        for option in (
            "--samples nan",
            "--samples 1e400",
            "--samples -1",
            "--samples=",
            "--budget inf",
            "--budget -0.01",
            "--deadline 0",
            "--max-minutes nan",
            "--max-minutes -1",
            "--gpu 'T4:nanGB'",
            "--gpu 'T4:1e308GB'",
            "--gpu :",
            "--electricity 1e300",
            "--exchange-rate 0",
            "--resale 101",
            "--input-shape 0,0",
            "--input-shape 99999999,99999999,99999999",
            "--currency 'E\tR'",
            "--country ..",
            "--format ''",
            "--lang ../en",
        )
    ),
    Fault("sweep of nonsense", "head -c 9999 /dev/urandom > j.toml; advisor --sweep --jobs j.toml", (2,)),
    Fault("sweep: a part of none", "advisor --sweep --shard 0/0", (2,)),
    Fault("sweep into a full disk", "advisor --sweep > /dev/full", (1,), "full"),
    Fault("sweep whose reader goes", "advisor --sweep | head -1", (0,)),
    *(
        Fault(f"a path of 4,500 signs: {option}", f"advisor {option} $(printf 'abcdefghi/%.0s' {{1..450}})", (2,), says)
        for option, says in (
            ("--fleet", "too long"),
            ("--learn", "too long"),
            ("--watch --yes --", "too long"),
            ("--report o.md --suite none --data", "no such"),
            ("--report o.md --suite none --machine", "too long"),
            ("--compare a.json", "cannot be read"),
        )
    ),
    Fault(
        "a home of 4,500 signs: an earlier answer",
        "HOME=/$(printf 'abcdefghi/%.0s' {1..450}) advisor --was-it-true",
        (2,),
        "too long",
    ),
    Fault("arguments of 1 MB", "advisor --predict $(yes a | head -60000 | tr '\\n' ' ') --on T4", (2,)),
)

_PHOTOS = "mkdir d; py -c \"from PIL import Image; [Image.new('RGB', (64, 48), (i, 9, 9)).save(f'd/{i}.jpg') for i in range(20)]\"; "
_DATA = (
    "; advisor --report out.json --max-minutes 0.9 --no-history --data d; s=$?; chmod -R 755 d 2> /dev/null; exit $s"
)
_BOMB = (
    "py -c \"import zlib, struct; c = lambda k, b: struct.pack('>I', len(b)) + k + b + struct.pack('>I', zlib.crc32(k + b));"
    " w = 60000; z = zlib.compressobj(9); row = bytes(w // 8 + 1); body = b''.join(z.compress(row) for _ in range(w)) + z.flush();"
    " open('d/bomb.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + c(b'IHDR', struct.pack('>IIBBBBB', w, w, 1, 0, 0, 0, 0)) + c(b'IDAT', body) + c(b'IEND', b''))\""
)

FOLDERS = tuple(
    Fault(f"data: {name}", _PHOTOS + script + _DATA, (0, 2, 3), "", "out.json", 150)
    for name, script in (
        ("a pipe among photos", "mkfifo d/a.jpg"),
        ("a socket among photos", "py -c \"import socket; socket.socket(socket.AF_UNIX).bind('d/a.jpg')\""),
        ("devices among photos", "ln -s /dev/zero d/a.jpg; ln -s /dev/random d/b.jpg; ln -s /dev/tty d/c.jpg"),
        ("a folder without rights", "mkdir d/no; cp d/1.jpg d/no; chmod 000 d/no d/2.jpg"),
        ("a photo of 10 GB that is a hole", "truncate -s 10G d/a.jpg"),
        ("a picture that unpacks to 3.6 thousand million points", _BOMB),
        (
            "names that are no text",
            "cp d/1.jpg d/$'\\xff\\xfe.jpg'; cp d/1.jpg d/$'a\\nb\\e[31m.jpg'; mkdir d/$'\\x80'; cp d/1.jpg d/$'\\x80'",
        ),
        (
            "links to nothing and to themselves",
            "ln -s nothing d/a.jpg; ln -s b.jpg d/b.jpg; ln -s /proc/self/mem d/c.jpg",
        ),
        ("photos that are empty", "for i in $(seq 100 140); do : > d/$i.jpg; done"),
        ("photos that are no photos", "for i in $(seq 100 140); do head -c 3000 /dev/urandom > d/$i.jpg; done"),
        ("a path 3,000 deep", "(cd d; for i in $(seq 400); do mkdir aaaaaaa && cd aaaaaaa || break; done; : > x.jpg)"),
        ("photos that go meanwhile", "(sleep 6; rm -rf d/1*.jpg) & :"),
        (
            "animated, endless, odd modes",
            "py -c \"from PIL import Image; i = [Image.new('P', (9, 9), n) for n in range(40)]; i[0].save('d/a.gif', save_all=True, append_images=i[1:]); Image.new('I;16', (1, 1)).save('d/b.png'); Image.new('CMYK', (1, 9999)).save('d/c.jpg')\"",
        ),
    )
)

_MODEL = (
    "cat > model.py <<'END'\n{}\nEND\nadvisor --report out.json --suite none --workload model.py:build --image-size 32"
)
_NETWORK = "\nimport torch\ndef build(): return torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(4, 2))"

CODE = (
    *(
        Fault(f"model: {name}", _MODEL.format(code + (_NETWORK if builds else "")), status, "", "", 150)
        for name, builds, status, code in (
            ("forks and goes on twice", True, (0,), "import os\nos.fork()"),
            (
                "ignores every signal",
                True,
                (0,),
                "import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)",
            ),
            (
                "ignores signals and hangs",
                False,
                (2,),
                "import signal, time\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nraise SystemExit('x')",
            ),
            (
                "prints bytes",
                True,
                (0,),
                "import os, sys\nsys.stdout.buffer.write(bytes(range(256)) * 999)\nsys.stdout.flush()\nos.write(2, bytes(range(256)))",
            ),
            ("sys.exit", False, (2,), "import sys\nsys.exit('bye')"),
            ("sys.exit(0) in build", False, (2,), "import sys\ndef build(): sys.exit(0)"),
            ("os._exit(0)", False, (2,), "import os\nos._exit(0)"),
            ("segmentation fault", False, (2,), "import ctypes\nctypes.string_at(0)"),
            ("stops itself", False, (2,), "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"),
            (
                "takes all memory",
                False,
                (2,),
                "import resource\nresource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))\nx = []\nwhile True: x.append(bytearray(10**8))",
            ),
            (
                "sets threads",
                True,
                (2,),
                "import torch\ntorch.set_num_threads(64)\ntorch.set_num_interop_threads(9)\ntorch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)",
            ),
            ("another default device", True, (0,), "import torch\ntorch.set_default_device('meta')"),
            (
                "changes the clock",
                True,
                (0,),
                "import time\ntime.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0",
            ),
            (
                "changes json and builtins",
                True,
                (0,),
                "import json, builtins, sys\njson.dumps = json.loads = None\nbuiltins.print = builtins.open = None",
            ),
            ("changes msgspec", True, (2,), "import msgspec\nmsgspec.json.encode = lambda *a, **k: b'{}'"),
            (
                "daemons",
                True,
                (0,),
                "import threading, time\nfor i in range(50): threading.Thread(target=time.sleep, args=(999,), daemon=bool(i % 2)).start()",
            ),
            (
                "changes its folder",
                True,
                (0, 2),
                "import os, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nos.rmdir(d)",
            ),
            ("closes its streams", True, (0, 2), "import os\nos.close(0); os.close(1); os.close(2)"),
            ("closes every file", True, (0, 2), "import os\nos.closerange(0, 4096)"),
            ("an exit that fails", True, (0,), "import atexit\natexit.register(lambda: 1 / 0)"),
            ("an exit that hangs", True, (0, 2), "import atexit, time\natexit.register(time.sleep, 9999)"),
            ("nice 19 and stopped", True, (0, 2), "import os\nos.nice(19)\nos.setpriority(0, 0, 19)"),
            ("asks the terminal", False, (2,), "input('name? ')\nopen('/dev/tty').read()"),
            (
                "a thread that ends the process",
                True,
                (0, 2),
                "import os, threading\nthreading.Timer(0.5, os._exit, (5,)).start()",
            ),
            ("warnings as errors", True, (0,), "import warnings\nwarnings.simplefilter('error')"),
            ("a network without parameters", False, (0, 2), "import torch\ndef build(): return torch.nn.Identity()"),
            ("no network", False, (2,), "def build(): return 7"),
            (
                "a network that hates its input",
                False,
                (2,),
                "import torch\nclass N(torch.nn.Module):\n    def forward(self, x): raise KeyboardInterrupt\ndef build(): return N()",
            ),
            (
                "a network of nan",
                False,
                (0,),
                "import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = torch.nn.Parameter(torch.full((3,), float('nan')))\n    def forward(self, x): return (x.mean((2, 3)) * self.w)\ndef build(): return N()",
            ),
            (
                "a forward that never ends its recursion",
                False,
                (2,),
                "import torch\nclass N(torch.nn.Module):\n    def forward(self, x): return self(x)\ndef build(): return N()",
            ),
            (
                "a repr that fails",
                False,
                (0, 2),
                "import torch\nclass N(torch.nn.Linear):\n    def __repr__(self): raise ValueError\n    def __getattr__(self, n): raise RuntimeError(n)\ndef build(): return N(32, 2)",
            ),
            ("recursion limit", True, (2,), "import sys\nsys.setrecursionlimit(60)"),
            (
                "meta path of nobody",
                True,
                (0, 2),
                "import sys\nsys.meta_path.clear()\nsys.path.clear()\nsys.modules.pop('json', None)",
            ),
        )
    ),
    Fault(
        "model: no bytes of Python",
        "head -c 999 /dev/urandom > model.py; advisor $report --workload model.py:build",
        (2,),
        "model.py",
    ),
    Fault("model: a folder", "mkdir model.py; advisor $report --workload model.py:build", (2,), "model.py"),
    Fault("model: a pipe", "mkfifo model.py; advisor $report --workload model.py:build", (2,), "model.py"),
    Fault("model: asked for by nothing", "echo > model.py; advisor $report --workload model.py:", (2,)),
    Fault(
        "model: asked for by more", "echo 'build = 3' > model.py; advisor $report --workload model.py:build.x:y", (2,)
    ),
    Fault(
        "model: a name of Python's own",
        "echo > random.py; advisor $report --workload random.py:build --image-size 32",
        (2,),
        "random.py",
    ),
    Fault(
        "model: Ctrl-C in its midst",
        "printf 'import time\\ntime.sleep(99)' > model.py; struck INT 9 advisor $report --workload model.py:build --image-size 32",
        (130,),
    ),
)

_TRAIN = (
    "cat > t.py <<'END'\n{}import torch\nm = torch.nn.Linear(8, 8)\no = torch.optim.SGD(m.parameters(), 0.1)\n"
    "for i in range(60):\n    o.zero_grad()\n    m(torch.rand(4, 8)).sum().backward()\n    o.step()\nEND\n"
)
_STEPS = "time of a step"
_W = "advisor --watch --yes --save out.json -- "

SCRIPTS = (
    *(
        Fault(f"watched through {name}", _TRAIN.format("") + setup + _W + command, (0,), _STEPS, "", 150)
        for name, setup, command in (
            ("a shell", "", "sh -c 'py t.py; true'"),
            ("python -m", "", "py -m t"),
            (
                "a wrapper of conda's kind",
                "printf '#!/bin/bash\\n. /dev/null\\nexport CONDA_PREFIX=/x\\npy \"$@\" || exit\\n' > run; chmod +x run; ",
                "./run t.py",
            ),
            ("env", "", "env -u LANG A=B py t.py"),
            ("exec and nohup", "", "sh -c 'exec nohup py t.py'"),
            ("setsid -w", "", "setsid -w py t.py"),
            ("timeout", "", "timeout 140 py t.py"),
            ("a pipe", "", "bash -c 'set -o pipefail; py t.py | cat'"),
            ("make", "printf 'a:\\n\\tpy t.py\\n' > Makefile; ", "make -s a"),
            ("xargs", "", "sh -c 'echo t.py | xargs py'"),
            ("a first line", "sed -i '1i #!/usr/bin/env py' t.py; chmod +x t.py; ", "./t.py"),
            ("python -u -O -W ignore", "", "py -u -O -W ignore t.py"),
            (
                "its own sitecustomize",
                'mkdir x; echo \'import os; os.environ["SEEN"] = "1"\' > x/sitecustomize.py; sed -i \'1i import os; assert os.environ["SEEN"] == "1"\' t.py; ',
                "env PYTHONPATH=x:$PYTHONPATH py t.py",
            ),
            ("another's script in the background", "", "sh -c 'py t.py & wait'"),
        )
    ),
    *(
        Fault(f"watched: {name}", _TRAIN.format("") + _W + command, status, says, "", 150)
        for name, command, status, says in (
            ("env -i", "$(command -v env) -i $(command -v py) t.py", (0,), "step"),
            ("python -I", "py -I t.py", (0,), "step"),
            ("detached", "setsid -f py t.py", (0,), "step"),
            ("nothing there", "no-such-program t.py", (2,), "no-such-program"),
            ("a folder", "./", (2,), ""),
            ("not to be run", "./t.py", (2,), "t.py"),
            ("an empty name", "''", (2,), ""),
            ("itself", "advisor --watch --yes -- py t.py", (0, 2), ""),
            ("a shell that reads", "cat", (0,), ""),
        )
    ),
    *(
        Fault(f"watched script: {name}", _TRAIN.format(code + "\n") + _W + "py t.py", status, says, "", 150)
        for name, code, status, says in (
            ("changes the clock", "import time\ntime.time = time.monotonic = time.perf_counter = lambda: 0", (0,), ""),
            ("changes json", "import json, builtins\njson.dumps = None\nbuiltins.print = None", (0,), ""),
            ("closes every file", "import os\nos.closerange(0, 4096)", (0, 1), ""),
            ("leaves its folder", "import os, tempfile\nd = tempfile.mkdtemp()\nos.chdir(d)\nos.rmdir(d)", (0, 2), ""),
            ("clears its environment", "import os\nos.environ.clear()", (0,), _STEPS),
            ("is unlimited in output", "print('x' * 50_000_000)", (0,), _STEPS),
            ("sets a trace", "import sys\nsys.settrace(lambda *a: None)", (0,), _STEPS),
            (
                "has an exit that fails",  # of which it says itself, where it comes to its end before it is ended
                "import atexit, sys\nsys.unraisablehook = lambda one: None\natexit.register(lambda: 1 / 0)",
                (0,),
                _STEPS,
            ),
            ("ends in os._exit", "import atexit, os\natexit.register(os._exit, 6)", (6,), ""),
            (
                "takes every signal",
                "import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)",
                (0,),
                _STEPS,
            ),
            (
                "becomes another",
                "import os, sys\nif len(sys.argv) < 2: os.execvp('py', ['py', 't.py', 'again'])",
                (0,),
                _STEPS,
            ),
        )
    ),
    Fault(
        "watched: Ctrl-C",
        "printf 'import time\\ntime.sleep(99)' > t.py; struck INT 5 advisor --watch --yes -- py t.py",
        (0, 1, 130),
    ),
    Fault(
        "watched: Ctrl-C that it ignores, then TERM",
        "printf 'import time, signal\\nsignal.signal(2, signal.SIG_IGN)\\ntime.sleep(20)' > t.py; struck TERM 5 advisor --watch --yes -- py t.py",
        (143, 0, 130),
    ),
    Fault(
        "watched: the face is killed",
        "printf 'import time\\ntime.sleep(3)' > t.py; struck KILL 4 advisor --watch --yes -- py t.py; sleep 5; true",
    ),
    Fault(
        "watched: saved into a full disk",
        _TRAIN.format("") + "advisor --watch --yes --save $(device full) -- py t.py",
        (1,),
        "full",
        "",
        150,
    ),
)

LIMITS = (
    Fault("64 descriptors, measuring", "ulimit -n 64; advisor $quick", (0, 3), "", "out.json"),
    Fault("24 descriptors, measuring", "ulimit -n 24; advisor $quick", (0, 1, 3)),
    Fault("1 GB of addresses, measuring", "ulimit -v 1000000; advisor $quick", (0, 1, 3)),
    Fault("a small stack, measuring", "ulimit -s 256; advisor $quick", (0, 3, 1)),
    Fault("2 seconds of processor", "ulimit -t 2; advisor $quick", (0, 3, 137, 152, 128 + 24)),
    Fault("no core, no locked memory, no files", "ulimit -c 0 -l 0 -i 0 -q 0; advisor $quick", (0, 3), "", "out.json"),
    Fault(
        "worker stopped for 20 s and let go",
        "advisor --report out.json --max-minutes 0.6 --no-history & p=$!; w=$(worker $p); sleep 4; kill -STOP $w; sleep 20; kill -CONT $w; wait $p",
        (0, 3),
        "",
        "out.json",
        150,
    ),
    Fault(
        "face stopped and let go",
        "advisor $quick & p=$!; sleep 3; kill -STOP $p; sleep 8; kill -CONT $p; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "every worker killed at once, again and again",
        "advisor $quick & p=$!; while kill -0 $p 2> /dev/null; do pkill -KILL --parent $p; sleep 0.5; done; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "worker out of memory",
        "advisor $quick & p=$!; w=$(worker $p); prlimit --pid $w --as=400000000; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault("one core", "taskset -c 0 advisor $quick", (0, 3), "", "out.json"),
    Fault("two checks into one file", "advisor $quick & advisor $quick; wait", (0, 3), "", "out.json"),
    Fault(
        "the report's folder goes meanwhile",
        "mkdir d; advisor --report d/out.json --max-minutes 0.2 & p=$!; sleep 3; rm -r d; wait $p",
        (1,),
        "d/out.json",
    ),
    Fault(
        "the temporary folder goes meanwhile",
        "advisor $quick & p=$!; sleep 3; rm -rf $TMPDIR; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "the program goes meanwhile",
        "cp -r ${PYTHONPATH%%:*}/advisor ${PYTHONPATH%%:*}/resources .; PYTHONPATH=$PWD advisor $quick & p=$!; sleep 2; rm -rf advisor resources; wait $p",
        (0, 1, 3),
    ),
)

_X = "Xvfb :{} -nolisten tcp -screen 0 {} > /dev/null 2>&1 & server=$!; sleep 2; export DISPLAY=:{} QT_QPA_PLATFORM=xcb; "

SCREENS = (
    *(
        Fault(f"window: {name}", f"{setting} window TERM")
        for name, setting in (
            ("three times as large", "export QT_SCALE_FACTOR=3;"),
            ("a scale of nonsense", "export QT_SCALE_FACTOR=abc QT_SCREEN_SCALE_FACTORS=x\\;y QT_FONT_DPI=-5;"),
            ("a scale of nothing", "export QT_SCALE_FACTOR=0;"),
            ("a scale of 0.01", "export QT_SCALE_FACTOR=0.01;"),
            ("a style nobody knows", "export QT_STYLE_OVERRIDE=nonsense QT_QPA_PLATFORMTHEME=nonsense;"),
            ("plugins of nowhere", "export QT_PLUGIN_PATH=/nowhere QML2_IMPORT_PATH=/nowhere QT_IM_MODULE=nonsense;"),
            (
                "fonts of nonsense",
                "head -c 99 /dev/urandom > f; export FONTCONFIG_FILE=$PWD/f XDG_CACHE_HOME=/dev/null;",
            ),
            (
                "no bus, no accessibility",
                "export DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere AT_SPI_BUS_ADDRESS=x QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1;",
            ),
            (
                "drawn by nobody",
                "export QT_OPENGL=nonsense LIBGL_ALWAYS_SOFTWARE=1 QT_RHI_BACKEND=nonsense QSG_RHI_BACKEND=x;",
            ),
            (
                "XDG_RUNTIME_DIR of nobody",
                "export XDG_RUNTIME_DIR=/nowhere XDG_SESSION_TYPE=nonsense WAYLAND_DISPLAY=wayland-77;",
            ),
            ("from a removed folder", "mkdir d; cd d; rmdir ../d;"),
            (
                "geometry of another planet",
                "mkdir -p $settings; printf '[General]\\ngeometry=01d9d0cb000300007fffffff7fffffff7fffffff7fffffff\\ntext_percent=99999\\ninterval_s=1e-300\\n' > $settings/window.ini;",
            ),
            (
                "settings of a later version",
                "mkdir -p $settings; printf '[General]\\nversion=99\\ntheme=hologram\\nlanguage_code=tlh\\ncurrency=XBTC\\nlater=1\\n[Later]\\nx=1\\n' > $settings/window.ini;",
            ),
            ("64 descriptors", "ulimit -n 64;"),
        )
    ),
    Fault(
        "window: plugins of nowhere alone",
        "QT_QPA_PLATFORM_PLUGIN_PATH=/nowhere QT_QPA_PLATFORM=offscreen advisor & p=$!; sleep 8; kill -TERM $p; wait $p",
        (0, 1, 143),
    ),
    Fault(
        "window: Wayland that is not there",
        "QT_QPA_PLATFORM=wayland WAYLAND_DISPLAY=nowhere XDG_RUNTIME_DIR=$TMPDIR advisor",
        (1,),
        "screen",
    ),
    Fault(
        "window: a screen of 640 × 480",
        _X.format(4181, "640x480x24", 4181) + "window TERM 3; s=$?; kill $server; exit $s",
    ),
    Fault(
        "window: no fonts",
        "echo '<fontconfig></fontconfig>' > f; FONTCONFIG_FILE=$PWD/f QT_QPA_PLATFORM=offscreen advisor",
        (1,),
        "no font",
    ),
    Fault(
        "window: the screen of another user",
        "py -c \"import struct; t = lambda b: struct.pack('>H', len(b)) + b; open('key', 'wb').write("
        "b'\\377\\377' + t(b'') + t(b'4182') + t(b'MIT-MAGIC-COOKIE-1') + t(b'x' * 16))\";"
        " Xvfb :4182 -nolisten tcp -auth key > /dev/null 2>&1 & server=$!; sleep 3;"
        " QT_QPA_PLATFORM=xcb DISPLAY=:4182 XAUTHORITY=/dev/null advisor; s=$?; kill $server; exit $s",
        (1,),
        "of this user",
    ),
    Fault(
        "window: the X server is killed",
        _X.format(4183, "900x700x24", 4183) + "(sleep 8; kill -KILL $server) & advisor",
        (0, 1),
    ),
    Fault(
        "window: its connection is cut",
        _X.format(4184, "900x700x24", 4184)
        + "(sleep 9; xdotool search --onlyvisible --name . windowkill) & advisor; s=$?; kill $server; exit $s",
        (0, 1),
    ),
)
