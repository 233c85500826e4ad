"""Faults of the measuring process, of torch, and of graphics cards as their drivers show them."""

from tests.faults.fault import Fault

_SLEEP = "module torch <<< 'import time; time.sleep(1000)'"
_DAMAGED = (
    "import pathlib; p = pathlib.Path.home() / '.local/share/advisor/history.sqlite3';"
    "p.write_bytes(p.read_bytes().replace(b'CREATE TABLE report', b'CREATE T\\x8fBLE report', 1))"
)


def after_torch(code: str) -> str:
    """Return the line that runs code when torch has been imported, in the measuring process as anywhere."""
    return (
        "module sitecustomize <<'END'\n"
        "import sys, threading, time\n"
        "def change(torch):\n" + "".join(f"    {line}\n" for line in code.splitlines()) + "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'torch':\n"
        "            sys.meta_path.remove(self)\n"
        "            import importlib.util\n"
        "            spec = importlib.util.find_spec(name)\n"
        "            load = spec.loader.exec_module\n"
        "            def exec_module(module):\n"
        "                load(module)\n"
        "                change(module)\n"
        "            spec.loader.exec_module = exec_module\n"
        "            return spec\n"
        "sys.meta_path.insert(0, Finder())\n"
        "END\n"
    )


_CARD = "torch.cuda.is_available = lambda: True\ntorch.cuda.device_count = lambda: 1\ntorch.version.cuda = '12.6'\n"
"""Torch that takes there to be a card."""

TORCH = (
    Fault("torch hangs in its import", f"{_SLEEP}; advisor $quick", (3,), "starting", "out.json", 60),
    Fault(
        "torch missing",
        'module torch <<< \'raise ModuleNotFoundError("no torch", name="torch")\'; advisor $quick',
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "torch cannot be loaded",
        "module torch <<< 'raise OSError(\"libtorch.so: wrong ELF class\")'; advisor $quick",
        (3,),
        "",
        "out.json",
    ),
    Fault("torch ends its process", "module torch <<< 'import os; os._exit(7)'; advisor $quick", (3,), "", "out.json"),
    Fault(
        "torch crashes",
        "module torch <<< 'import ctypes; ctypes.string_at(0)'; advisor $quick",
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "torch prints 50 MB",
        'module torch <<< \'print("{}\\n" * 16_000_000); raise ImportError("no")\'; advisor $quick',
        (3,),
        "",
        "out.json",
    ),
    Fault("Ctrl-C while torch hangs", f"{_SLEEP}; struck INT 6 advisor $quick", (130,)),
    Fault("TERM while torch hangs", f"{_SLEEP}; struck TERM 6 advisor $quick", (143,)),
    Fault("killed while torch hangs", f"{_SLEEP}; struck KILL 6 advisor $quick", (137,)),
    Fault(
        "stopped worker, killed face",
        f"{_SLEEP}; advisor $quick & p=$!; w=$(worker $p); sleep 2; kill -STOP $w; kill -KILL $p; wait $p",
        (137,),
    ),
    Fault("stopped worker", "advisor $quick & p=$!; w=$(worker $p); kill -STOP $w; wait $p", (3,), "", "out.json"),
    Fault(
        "worker killed",
        "advisor $quick & p=$!; w=$(worker $p); sleep 3; kill -KILL $w; wait $p",
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "worker ends with a fault",
        "advisor $quick & p=$!; w=$(worker $p); sleep 3; kill -SEGV $w; wait $p",
        (3,),
        "",
        "out.json",
    ),
)

CARDS = (
    Fault(
        "CUDA hangs in its start",
        after_torch("torch.cuda.is_available = lambda: time.sleep(1000)") + "advisor $quick",
        (3,),
        "",
        "out.json",
        60,
    ),
    Fault(
        "CUDA fails in its start",
        after_torch(
            "def no(): raise RuntimeError('CUDA unknown error - this may be due to an incorrectly set up environment')\ntorch.cuda.is_available = no"
        )
        + "advisor $quick",
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "card fallen off the bus",
        after_torch(
            _CARD
            + "def lost(*a, **k): raise RuntimeError('CUDA error: unspecified launch failure')\ntorch.cuda.get_device_properties = lost\ntorch.cuda.get_device_name = lost"
        )
        + "advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "driver too old",
        after_torch(
            "def old(*a): raise RuntimeError('The NVIDIA driver on your system is too old')\ntorch.cuda.is_available = lambda: False\ntorch.cuda.init = old\ntorch._C._cuda_init = old"
        )
        + "advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    *(
        Fault(f"NVML: {name}", f"module pynvml <<'END'\n{code}\nEND\nadvisor $report", (0,), "", "out.json")
        for name, code in (
            ("cannot be loaded", "raise ImportError('no')"),
            ("another error", "raise RuntimeError('no')"),
            (
                "driver lost",
                "class NVMLError(Exception): pass\ndef nvmlInit(*a): raise NVMLError('Driver/library version mismatch')",
            ),
            ("crashes in init", "class NVMLError(Exception): pass\ndef nvmlInit(*a): raise MemoryError"),
            *(
                (f"raises {error}", f"class NVMLError(Exception): pass\ndef nvmlInit(*a): raise {error}")
                for error in ("SystemExit(0)", "KeyboardInterrupt", "GeneratorExit", "BaseException('x')")
            ),
            ("hangs in init", "import time\nclass NVMLError(Exception): pass\ndef nvmlInit(*a): time.sleep(1000)"),
        )
    ),
    *(
        Fault(
            f"{name} {how}",
            f"mkdir -p b; printf '#!/bin/sh\\n{code}\\n' > b/{name}; chmod +x b/{name}; PATH=$PWD/b:$PATH advisor $report",
            leaves="out.json",
        )
        for name in ("nvidia-smi", "rocm-smi", "lspci")
        for how, code in (
            ("hangs", "sleep 1000"),
            ("prints rubbish", "head -c 99999 /dev/urandom"),
            ("dies", "kill -SEGV $$"),
        )
    ),
)

CARDS += (
    Fault(
        "NVML: raises SystemExit(0), window",
        "module pynvml <<'END'\nclass NVMLError(Exception): pass\ndef nvmlInit(*a): raise SystemExit(0)\nEND\nwindow TERM 6",
    ),
    Fault(
        "cores taken away while measuring",
        "advisor $quick & p=$!; w=$(worker $p); sleep 3; taskset -apc 0 $w > /dev/null; taskset -apc 0 $p > /dev/null; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "worker that gets a seventh of a core",
        "advisor $quick & p=$!; w=$(worker $p); (while kill -STOP $w; do sleep 0.3; kill -CONT $w; sleep 0.05; done) 2> /dev/null & wait $p",
        (0, 3),
        "",
        "out.json",
    ),
)

KEPT = (
    Fault(
        "history: schema that is no UTF-8",
        f'advisor --report a.json --max-minutes 0.2; python3 -c "{_DAMAGED}"; advisor --report out.json --max-minutes 0.2',
        (0, 3),
        "",
        "out.json",
        120,
    ),
    Fault(
        "history: bytes",
        "mkdir -p $data; head -c 9999 /dev/urandom > $data/history.sqlite3; advisor --report out.json --max-minutes 0.2",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "history: a folder",
        "mkdir -p $data/history.sqlite3; advisor --report out.json --max-minutes 0.2",
        (0, 3),
        "history",
        "out.json",
    ),
    Fault(
        "history: for the user alone",
        "advisor --report out.json --max-minutes 0.2; test $(stat -c %a $data/history.sqlite3) = 600 -a $(stat -c %a $data) = 700",
        (0,),
    ),
    Fault(
        "stdout full after measuring",
        "advisor --report --max-minutes 0.2 > /dev/full; python3 -c \"import sqlite3, os; print('kept', sqlite3.connect(os.path.expanduser('~/.local/share/advisor/history.sqlite3')).execute('select count(*) from report').fetchone()[0])\"",
        (0,),
        "kept 1",
    ),
)

TEMPORARY = (
    Fault("nothing left in the temporary folder", 'advisor $quick; ls -A $TMPDIR; test -z "$(ls -A $TMPDIR)"'),
    Fault(
        "nothing left by own code",
        "echo 'raise ValueError' > m.py; advisor $report --workload m.py:b; ls -A $TMPDIR; test -z \"$(ls -A $TMPDIR)\"",
    ),
)

_MODEL = (
    "cat > model.py <<'END'\n{}\nEND\nadvisor --report out.json --suite none --workload model.py:build --image-size 32"
)

OWN_CODE = (
    Fault("own code: ends the process", _MODEL.format("import os\nos._exit(3)"), (2,), "ended the process"),
    Fault("own code: aborts", _MODEL.format("import os\nos.abort()"), (2,), "ended the process"),
    Fault("own code: endless recursion", _MODEL.format("def build(): return build()"), (2,), "fails"),
    Fault(
        "own code: odd exception",
        _MODEL.format("class E(BaseException):\n    def __str__(self): raise self\nraise E"),
        (2,),
        "model.py",
    ),
    Fault(
        "own code: prints commands",
        _MODEL.format("print('\\x1b[31m' * 9999)\nraise ValueError('\\x1b[31m')"),
        (2,),
        "model.py",
    ),
    Fault(
        "own code: a child in a session of its own",
        _MODEL.format(
            "import subprocess, sys\n"
            "subprocess.Popen([sys.executable, '-c', 'import signal, time;"
            " [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(1000)'], start_new_session=True)\n"
            "raise ValueError('done')"
        ),
        (2,),
        "done",
    ),
    Fault(
        "own code: a child that left its family",
        _MODEL.format(
            "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(1000)\n    os._exit(0)\nos.wait()\nraise ValueError('done')"
        ),
        (2,),
        "done",
    ),
)
