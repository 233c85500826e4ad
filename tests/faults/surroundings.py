"""Faults of what surrounds the program: callers, streams, the system's own files, torch's switches, screens, resources."""

from tests.faults.fault import Fault
from tests.faults.measuring import after_torch

_PROGRAM = "cp -r ${PYTHONPATH%%:*}/advisor ${PYTHONPATH%%:*}/resources .; "
_PY = 'py -c "{}" '
_EXEC = "import os, signal, sys; {}; os.execvp('advisor', ['advisor', *sys.argv[1:]])"

CALLERS = (
    *(
        Fault(f"started with {name}", f'py -c "{_EXEC.format(code)}" {command}', status, says, leaves)
        for name, code, command, status, says, leaves in (
            ("SIGCHLD ignored", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)", "$quick", (0, 3), "", "out.json"),
            (
                "SIGCHLD ignored, a PDF",
                "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
                "--report out.pdf --suite none",
                (0,),
                "",
                "",
            ),
            (
                "SIGCHLD ignored, watching",
                "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
                "--watch --yes -- py -c 'raise SystemExit(5)'",
                (5,),
                "",
                "",
            ),
            (
                "SIGPIPE ignored",
                "signal.signal(signal.SIGPIPE, signal.SIG_IGN)",
                "--list devices | head -1",
                (0,),
                "",
                "",
            ),
            (
                "SIGPIPE at its default",
                "signal.signal(signal.SIGPIPE, signal.SIG_DFL)",
                "--list devices | head -1",
                (0,),
                "",
                "",
            ),
            (
                "every signal blocked",
                "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))",
                "$quick",
                (0, 3),
                "",
                "out.json",
            ),
            (
                "every signal ignored",
                "[signal.signal(n, signal.SIG_IGN) for n in range(1, 32) if n not in (9, 19)]",
                "$quick",
                (0, 3),
                "",
                "out.json",
            ),
            ("900 files open", "[os.dup2(1, n) for n in range(3, 900)]", "$quick", (0, 3), "", "out.json"),
            ("a root folder it may not leave", "os.chdir('/')", "--version", (0,), "advisor", ""),
        )
    ),
    Fault("USR1", "struck USR1 1 advisor $report", (0, 138)),
    Fault(
        "QUIT while measuring",
        "env --default-signal=QUIT advisor $quick & p=$!; worker $p; sleep 2; kill -QUIT $p; wait $p",
        (131,),
    ),
    Fault(
        "stopped at the terminal and let go",
        "advisor $quick & p=$!; worker $p; kill -TSTP $p; sleep 3; kill -CONT $p; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "a terminal that is resized all the time",
        "advisor $quick & p=$!; for i in $(seq 80); do kill -WINCH $p 2> /dev/null; sleep 0.05; done; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "TERM three times",
        "advisor $quick & p=$!; worker $p; sleep 1; kill $p; kill $p; sleep 0.1; kill $p; wait $p",
        (143,),
    ),
    Fault(
        "INT many times",
        "advisor $quick & p=$!; worker $p; sleep 1; for i in 1 2 3 4 5 6; do kill -INT $p 2> /dev/null; sleep 0.02; done; wait $p",
        (130, 254, -2),
    ),
    Fault(
        "INT and TERM at once",
        "advisor $quick & p=$!; worker $p; sleep 1; kill -INT $p; kill -TERM $p; wait $p",
        (130, 143),
    ),
    Fault(
        "worker's whole group is sent INT",
        "advisor $quick & p=$!; w=$(worker $p); sleep 2; kill -INT $w; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "worker is sent HUP",
        "advisor $quick & p=$!; w=$(worker $p); sleep 2; kill -HUP $w; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "worker is sent PIPE",
        "advisor $quick & p=$!; w=$(worker $p); sleep 2; kill -PIPE $w; wait $p",
        (0, 3),
        "",
        "out.json",
    ),
    Fault("nohup", "nohup advisor $quick > o 2>&1 & p=$!; sleep 2; kill -HUP $p; wait $p", (0, 3), "", "out.json"),
)

STREAMS_ODD = (
    Fault(
        "a list to an output that does not wait",
        _PY.format(
            "import fcntl, os, subprocess, time; r, w = os.pipe(); fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096); os.set_blocking(w, False); p = subprocess.Popen(['advisor', '--list', 'offers'], stdout=w); os.close(w); time.sleep(4); n = 0\nwhile (b := os.read(r, 999)): n += len(b)\nprint('status', p.wait(), 'bytes', n > 40000 or n)"
        ),
        (0,),
        "status 0 bytes True",
    ),
    Fault(
        "a report to an output that does not wait",
        _PY.format(
            "import fcntl, os, subprocess, time; r, w = os.pipe(); fcntl.fcntl(w, fcntl.F_SETPIPE_SZ, 4096); os.set_blocking(w, False); p = subprocess.Popen(['advisor', '--report', '--suite', 'none', '--format', 'html'], stdout=w); os.close(w); time.sleep(6); n = 0\nwhile (b := os.read(r, 999)): n += len(b)\nprint('status', p.wait(), 'bytes', n > 70000 or n)"
        ),
        (0,),
        "status 0 bytes True",
    ),
    Fault("output only to be read", "advisor --list devices 1< /dev/null", (1,), "could not"),
    Fault("report to an output only to be read", "advisor --report --suite none 1< /dev/null", (1,), "could not"),
    Fault("errors only to be read", "advisor $report 2< /dev/null", leaves="out.json"),
    Fault(
        "output a socket whose other end is gone",
        _PY.format(
            "import socket, subprocess; a, b = socket.socketpair(); b.close(); print('status', subprocess.run(['advisor', '--list', 'devices'], stdout=a).returncode)"
        ),
        (0,),
        "status",
    ),
    Fault("input without end", "yes | advisor $report", leaves="out.json"),
    Fault(
        "into its own input",
        _PY.format("open('m.json', 'w')")
        + "; advisor --report m.json --suite none; advisor --report m.json --suite none --machine m.json",
        (0,),
        "",
        "m.json",
    ),
    Fault(
        "output a hard link",
        "echo '{}' > a.json; ln a.json out.json; advisor $report; cat a.json",
        (0,),
        "{}",
        "out.json",
    ),
    Fault(
        "output that may not change",
        "echo '{}' > out.json; chattr +i out.json || exit 0; advisor $report; s=$?; chattr -i out.json; exit $s",
        (0, 1),
    ),
    Fault(
        "output may only be longer",
        "mkdir d; chattr +a d || { echo append-only; exit 1; }; advisor --report d/out.json --suite none; s=$?; chattr -a d; exit $s",
        (1,),
        "append-only",
    ),
    Fault(
        "two reports named alike but for their case",
        "advisor --report Out.json --suite none; advisor $report",
        leaves="out.json",
    ),
    Fault(
        "report read while it is written again",
        "advisor $report; (for i in $(seq 200); do py -S -c 'import json; json.load(open(\"out.json\"))' || exit 1; done) & advisor $report; wait $!",
        leaves="out.json",
    ),
)

_OF_THE_SYSTEM = (
    "/proc/cpuinfo /proc/meminfo /proc/stat /proc/self/mountinfo /proc/loadavg /proc/diskstats /proc/vmstat"
    " /proc/pressure/cpu /proc/1/cgroup /etc/os-release /etc/passwd /sys/devices/system/cpu/online"
)
_INSTEAD = (
    "cat > f.sh <<'END'\nfor f in {files}; do [ -e $f ] || continue; n=$(echo $f | tr / _); {make} > $n;"
    " mount --bind $n $f; done\nexec advisor {command}\nEND\nunshare -rm sh f.sh"
)
SYSTEM_FILES = tuple(
    Fault(
        f"the system's files: {name}",
        _INSTEAD.format(files=files, make=make, command=command),
        (0, 3),
        "",
        "" if "--watch" in command else "out.json",
    )
    for name, make, files, command in (
        ("all empty", ":", _OF_THE_SYSTEM, "$report"),
        ("all bytes", "head -c 30000 /dev/urandom", _OF_THE_SYSTEM, "$report"),
        ("numbers without end", "sed 's/[0-9][0-9]*/99999999999999999999999999/g' $f", _OF_THE_SYSTEM, "$report"),
        ("less than nothing", "sed 's/[0-9][0-9]*/-1/g' $f", _OF_THE_SYSTEM, "$report"),
        ("nothing but zeros", "sed 's/[0-9]/0/g' $f", _OF_THE_SYSTEM, "$report"),
        ("empty while measuring", ":", _OF_THE_SYSTEM, "$quick"),
        ("no processor", ":", "/proc/cpuinfo /sys/devices/system/cpu/online", "$quick"),
        ("no memory", "sed 's/[0-9][0-9]*/0/' $f", "/proc/meminfo", "$quick"),
        ("half cut", "head -c 77 $f", _OF_THE_SYSTEM, "$report"),
        ("empty while watching", ":", _OF_THE_SYSTEM, "--watch --yes -- py -c 1"),
    )
)

TORCHES = (
    *(
        Fault(f"torch: {setting}", f"export {setting}; advisor $quick", (0, 3), "", "out.json")
        for setting in (
            "TORCH_LOGS=nonsense",
            "TORCH_LOGS=+dynamo",
            "PYTORCH_CUDA_ALLOC_CONF=nonsense:x",
            "MKL_THREADING_LAYER=NONSENSE",
            "ATEN_CPU_CAPABILITY=nonsense",
            "ONEDNN_VERBOSE=2",
            "MKL_VERBOSE=1",
            "OMP_DISPLAY_ENV=VERBOSE",
            "OMP_THREAD_LIMIT=1",
            "OMP_NUM_THREADS=0",
            "OMP_NUM_THREADS=100000",
            "OMP_PROC_BIND=nonsense GOMP_CPU_AFFINITY=900-999",
            "TORCH_DEVICE_BACKEND_AUTOLOAD=nonsense",
            "PYTORCH_JIT=0 TORCHDYNAMO_DISABLE=1",
            "TORCH_SHOW_CPP_STACKTRACES=1 PYTORCH_DEBUG=1",
            "MALLOC_PERTURB_=165 MALLOC_CHECK_=3",
            "GLIBC_TUNABLES=glibc.malloc.arena_max=1:nonsense=1",
            "TORCH_HOME=/dev/null XDG_CACHE_HOME=/dev/null TORCHINDUCTOR_CACHE_DIR=/dev/null",
            "LD_BIND_NOW=1 LD_LIBRARY_PATH=/nowhere:",
            "CUDA_VISIBLE_DEVICES=-1 NVIDIA_VISIBLE_DEVICES=void",
        )
    ),
    *(
        Fault(
            f"torch that {name}",
            after_torch(code) + "advisor $quick",
            (0, 3),
            "",
            "out.json",
        )
        for name, code in (
            ("has no version", "del torch.__version__"),
            ("has a version of nonsense", "torch.__version__ = 'ñ\\u202e+\\x1b[31m'"),
            ("cannot tell its threads", "def no(*a): raise RuntimeError('no')\ntorch.get_num_threads = no"),
            ("refuses to set threads", "def no(*a): raise RuntimeError('no')\ntorch.set_num_threads = no"),
            ("cannot multiply", "def no(*a, **k): raise NotImplementedError('no')\ntorch.matmul = torch.mm = no"),
            ("multiplies into nothing", "torch.matmul = torch.mm = lambda *a, **k: None"),
            (
                "has no numbers at random",
                "def no(*a, **k): raise RuntimeError('no')\ntorch.randn = torch.rand = torch.empty = no",
            ),
            (
                "warns a thousand times",
                "import warnings\n[warnings.warn_explicit('w%d' % i, UserWarning, 'f', i) for i in range(1000)]",
            ),
            ("prints in its import", "print('{}\\n' * 5000)"),
            ("takes the lock and sleeps", "import time\ntime.sleep(6)"),
        )
    ),
)

_X = "Xvfb :{0} -nolisten tcp -screen 0 {1} > /dev/null 2>&1 & server=$!; sleep 2; export DISPLAY=:{0} QT_QPA_PLATFORM=xcb; "
_END = "; s=$?; kill -CONT $server; kill $server; exit $s"
SCREENS_ODD = (
    *(
        Fault(f"window: {name}", _X.format(number, screen) + "window TERM 6" + _END, status, "", "", 120)
        for name, number, screen, status in (
            ("a screen of one point", 4191, "1x1x24", (0,)),
            ("a screen of 16,000 × 16,000", 4192, "16000x16000x24", (0,)),
            ("256 colours", 4193, "900x700x8", (0, 1)),
            ("16 bits", 4194, "900x700x16", (0,)),
            ("5 points an inch", 4195, "900x700x24 -dpi 5", (0,)),
            ("2,000 points an inch", 4196, "900x700x24 -dpi 2000", (0,)),
            (
                "no RANDR, RENDER, XKB, MIT-SHM",
                4197,
                "900x700x24 -extension RANDR -extension RENDER -extension XKEYBOARD -extension MIT-SHM",
                (0, 1),
            ),
            ("three screens, the first tiny", 4198, "2x2x24 -screen 1 900x700x24 -screen 2 9x9x24", (0,)),
        )
    ),
    Fault(
        "window: the X server stops for 8 s",
        _X.format(4201, "900x700x24")
        + "(sleep 6; kill -STOP $server; sleep 8; kill -CONT $server) & window TERM 12"
        + _END,
        (0,),
        "",
        "",
        120,
    ),
    Fault(
        "window: the owner of the clipboard dies",
        _X.format(4202, "900x700x24")
        + "(sleep 3; xclip -i < /dev/null; pkill -KILL -P $$ xclip) & window TERM 6"
        + _END,
        (0,),
        "",
        "",
        120,
    ),
    *(
        Fault(f"window: {setting}", f"export {setting}; window TERM 4")
        for setting in (
            "QT_FONT_DPI=0",
            "QT_FONT_DPI=100000",
            "QT_SCALE_FACTOR=50",
            "QT_SCALE_FACTOR=nan",
            "QT_ACCESSIBILITY=1 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1",
            "QT_DEBUG_PLUGINS=1",
            "QT_LOGGING_RULES='*=true'",
            "QT_FATAL_WARNINGS=0 QT_MESSAGE_PATTERN='%{nonsense'",
            "LANGUAGE=ar LC_ALL=ar_EG.UTF-8",
            "LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0",
            "LANGUAGE=es LC_NUMERIC=xx",
            "TZ=Nowhere/Else",
            "DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/no XDG_CURRENT_DESKTOP=GNOME QT_QPA_PLATFORMTHEME=xdgdesktopportal",
            "XDG_CONFIG_DIRS=/dev/null XDG_DATA_DIRS=/dev/null XDG_CONFIG_HOME=/dev/null",
            "COLUMNS=-1 TERM=",
        )
    ),
    Fault(
        "window: a bus that never answers",
        _PY.format(
            "import socket, threading, time; s = socket.socket(socket.AF_UNIX); s.bind('bus'); s.listen(9); open('up', 'w').close(); time.sleep(60)"
        )
        + "& b=$!; until [ -e up ]; do sleep 0.1; done; export DBUS_SESSION_BUS_ADDRESS=unix:path=$PWD/bus; window TERM 5; s=$?; kill $b; exit $s",
        (0,),
        "",
        "",
        120,
    ),
    Fault("window: settings in a folder that is a file", "touch $HOME/.config; window TERM"),
    Fault("window: settings a loop", "mkdir -p $settings; ln -s window.ini $settings/window.ini; window TERM"),
    Fault("window: settings a device", "mkdir -p $settings; ln -s $(device zero) $settings/window.ini; window TERM"),
    Fault("window: history a pipe", "mkdir -p $data; mkfifo $data/history.sqlite3; window TERM"),
    Fault("window: history a device", "mkdir -p $data; ln -s $(device zero) $data/history.sqlite3; window TERM"),
    Fault("window: its folders go meanwhile", "(sleep 6; rm -rf $HOME/.local $HOME/.config) & window TERM 6"),
    Fault(
        "window: the clock jumps",
        "module sitecustomize <<< $'import time\\nreal = time.time\\nimport itertools\\nn = itertools.count()\\ntime.time = lambda: real() + (86400 if next(n) % 2 else -86400)'; window TERM 5",
    ),
    Fault(
        "window: its log folder is append-only",
        "mkdir -p $logs; chattr +a $logs || exit 0; window TERM; s=$?; chattr -a $logs; exit $s",
    ),
    Fault("window: no file may grow", "(ulimit -f 0; window TERM 4; echo status $?) | cat", (0,), "status 0"),
    Fault("window: with a report that is none", "echo '{}' > r.json; QT_QPA_PLATFORM=offscreen advisor r.json", (2,)),
    Fault("window: two at once", "window TERM 4 & window TERM 4; wait $!"),
)

KEPT_ODD = (
    Fault(
        "history a pipe",
        "mkdir -p $data; mkfifo $data/history.sqlite3; advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "history",
        "out.json",
    ),
    Fault(
        "history a device",
        "mkdir -p $data; ln -s $(device zero) $data/history.sqlite3; advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "history",
        "out.json",
    ),
    Fault(
        "history: a journal of another",
        "mkdir -p $data; head -c 9999 /dev/urandom > $data/history.sqlite3-journal; head -c 9999 /dev/urandom > $data/history.sqlite3-wal; advisor --report out.json --max-minutes 0.1; advisor --was-it-true",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "history: its journal a folder",
        "mkdir -p $data/history.sqlite3-journal $data/history.sqlite3-wal; advisor --report out.json --max-minutes 0.1",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "history a link to another's",
        "mkdir -p $data; touch $HOME/other; ln -s $HOME/other $data/history.sqlite3; advisor --report out.json --max-minutes 0.1; advisor --was-it-true",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "history: killed while writing",
        "for i in 1 2 3; do advisor --report out.json --max-minutes 0.05 & p=$!; until [ -s $data/history.sqlite3 ] || ! kill -0 $p 2> /dev/null; do sleep 0.002; done; kill -KILL $p 2> /dev/null; wait $p; done; advisor --was-it-true; rm -f .advisor-*",
        (0,),
        "",
        "",
        150,
    ),
    Fault(
        "asked what was true of another program's history",
        "mkdir -p $data; head -c 5000 /dev/urandom > $data/history.sqlite3; advisor --was-it-true",
        (2, 0),
        "history",
    ),
)

_CUT = "advisor $report; n=$(stat -c %s out.json); for i in 1 2 3 4 5 6 7 8 9; do head -c $((n * i / 10)) out.json > c$i.json; {}; s=$?; [ $s = 2 ] || exit 9; done"
FILES_ODD = (
    Fault(
        "a report cut at each tenth: compared",
        _CUT.format("advisor --compare out.json c$i.json"),
        (0,),
        "ends in the middle",
    ),
    Fault(
        "a report cut at each tenth: as machine",
        _CUT.format("advisor --report x.md --suite none --machine c$i.json"),
        (0,),
        "not a report",
    ),
    Fault(
        "a report of NaN and Infinity",
        "advisor $report; sed -E 's/: [0-9]+\\.[0-9]+/: NaN/' out.json > m; advisor --report x.md --suite none --machine m",
        (2,),
        "not a report",
    ),
    Fault(
        "a report with keys twice",
        'advisor $report; sed \'s/^{/{"schema_version": 1, "machine": {}, /\' out.json > m; advisor --report x.md --suite none --machine m',
        (0, 2),
    ),
    Fault(
        "a report of a million brackets",
        "py -c \"print('[' * 10**6 + ']' * 10**6)\" > m; advisor --report x.md --suite none --machine m",
        (2,),
        "not a report",
    ),
    Fault(
        "a report in UTF-32",
        "advisor $report; iconv -t UTF-32 out.json > m; advisor --report x.md --suite none --machine m",
        (2,),
        "not a report",
    ),
    Fault(
        "a report in Latin-1",
        "advisor $report --label ñandú; iconv -t LATIN1 out.json > m; advisor --report x.md --suite none --machine m",
        (2,),
        "not a report",
    ),
    Fault(
        "a report packed",
        "advisor $report; gzip -c out.json > m.json; advisor --compare out.json m.json",
        (2,),
        "not a report",
    ),
    *(
        Fault(f"number: {option}", f"advisor $report {option}", status, says)
        for option, status, says in (
            ("--budget 1_000", (0,), "report is in"),
            ("--budget １００", (0,), "report is in"),
            ("--budget ٣٣", (0,), "report is in"),
            ("--budget 0x10", (2,), "number"),
            ("--budget '1 000'", (2,), "number"),
            ("--budget '$800'", (2,), "number"),
            ("--budget +5", (0,), "report is in"),
            ("--epochs 1e3", (0,), "report is in"),
            ("--epochs 9999999999999999999999", (2,), ""),
            ("--batch-size 0", (2,), ""),
            ("--deadline 1e-9", (2,), "--deadline"),
            ("--samples ''", (2,), ""),
            ("--gpu $'T4:1\\n6GB'", (2,), ""),
            ("--gpu 'T4:16GB:16GB'", (2,), ""),
            ("--workload ''", (2,), ""),
            ("--workload /dev/null", (2,), ""),
            ("--workload .", (2,), ""),
            ("--data ''", (2,), ""),
            ("--machine ''", (2,), ""),
            ("--report b.json", (0, 2), ""),
        )
    ),
)

RESOURCES_GONE = (
    Fault(
        "each of its own files empty, one after the other",
        _PROGRAM
        + "for f in $(find resources -name '*.toml' -o -name '*.csv' -o -name '*.tsv' -o -name '*.jinja' -o -name '*.css' -o -path '*references*.json' | sort); do cp $f kept; : > $f; PYTHONPATH=$PWD advisor --report x.html --suite none > said 2>&1; s=$?; cp kept $f; if grep -q 'Traceback\\|should not have' said || [ $s -gt 2 ]; then echo BAD $f $s; tail -3 said; bad=1; fi; done; exit $bad",
        (0,),
        "",
        "",
        600,
    ),
    Fault(
        "each of its own files gone, one after the other",
        _PROGRAM
        + "for f in $(find resources -type f ! -name '*.svg' ! -name '*.png' ! -path '*networks/*' | sort); do mv $f kept; PYTHONPATH=$PWD advisor --report x.html --suite none > said 2>&1; s=$?; mv kept $f; if grep -q 'Traceback\\|should not have' said || [ $s -gt 2 ]; then echo BAD $f $s; tail -3 said; bad=1; fi; done; exit $bad",
        (0,),
        "",
        "",
        600,
    ),
    Fault(
        "a catalogue of words that is another's",
        _PROGRAM
        + "f=resources/locale/es/LC_MESSAGES/advisor.mo; py -c \"import struct, sys; k = b'{}'; open('$f', 'wb').write(struct.pack('<7I', 0x950412de, 0, 1, 28, 36, 0, 44) + struct.pack('<4I', 0, 52, 0, 53) + bytes(9))\"; PYTHONPATH=$PWD LANGUAGE=es advisor $report",
        leaves="out.json",
    ),
    Fault(
        "a catalogue of words of bytes",
        _PROGRAM
        + "for f in $(find resources advisor -name '*.mo' -o -name '*.po'); do head -c 9999 /dev/urandom > $f; done; PYTHONPATH=$PWD LANGUAGE=es advisor --report --suite none",
        (0,),
    ),
    Fault(
        "window: pictures and style gone",
        _PROGRAM + "rm -r resources/icons resources/style; PYTHONPATH=$PWD; window TERM 4",
        (0, 1),
    ),
)
