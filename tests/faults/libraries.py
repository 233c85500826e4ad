"""Faults below Python: system calls that fail, drivers' libraries that crash or lie, a kernel that forbids.

Each is made by a few lines of C, in a library that is loaded first or stands in a driver's place.
"""

from tests.faults.fault import Fault

_HEAD = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
static int is_ours(const char *path) { return path && strstr(path, "advisor") && strstr(path, "/home/"); }
"""


def _before(code: str, command: str = "advisor $report") -> str:
    """Return the line that runs a command with C code loaded before any library."""
    return f"cat > before.c <<'END'\n{_HEAD}{code}\nEND\ncc -w -shared -fPIC -fno-builtin -o before.so before.c && LD_PRELOAD=$PWD/before.so {command}"


def _fails(call: str, parameters: str, error: str, *, when: str = "1") -> str:
    """Return a C function in a call's place that fails; else the call itself is made."""
    names = ", ".join(part.split()[-1].lstrip("*") for part in parameters.split(",")) if parameters else ""
    head = f"long failing_{call}({parameters or 'void'})"
    body = f'if ({when}) {{ errno = {error}; return -1; }} return ((long (*)())dlsym(RTLD_NEXT, "{call}"))({names});'
    return f'{head} __asm__("{call}");\n{head} {{ {body} }}\n'


_KEPT = "advisor --report out.json --max-minutes 0.1"
_RENAME = ("rename", "const char *from, const char *to")
_WRITE = ("write", "int file, const void *bytes, size_t size")
_HALF_OF_THEM = (
    "static int some(void) { static unsigned n; n = n * 1103515245 + 12345 + getpid(); return (n >> 16) % 100 < 20; }\n"
)
_ONTO_OUT = 'to && strstr(to, "out.json")'

CALLS = (
    *(
        Fault(f"rename fails: {name}", _before(_fails(*_RENAME, error, when=_ONTO_OUT)), (1,), says)
        for name, error, says in (
            ("EIO", "EIO", "could not be written"),
            ("EXDEV", "EXDEV", "could not be written"),
            ("EBUSY", "EBUSY", "could not be written"),
            ("EDQUOT", "EDQUOT", "quota"),
        )
    ),
    Fault(
        "a share whose files have no modes, a second time",
        "echo '{}' > out.json; "
        + _before(
            _fails("chmod", "const char *path, int mode", "ENOTSUP")
            + _fails("fchmodat", "int folder, const char *path, int mode, int flags", "ENOTSUP")
        ),
        leaves="out.json",
    ),
    Fault(
        "a server that went away, asked for its free space",
        _before(
            "".join(
                _fails(call, "const char *path, void *found", "EIO", when="sleep(1000)")
                for call in ("statvfs64", "statvfs")
            )
        ),
        leaves="out.json",
    ),
    Fault(
        "killed between writing and renaming",
        "echo '{\"schema_version\": 1}' > out.json; "
        + _before(f"int rename(const char *from, const char *to) {{ if ({_ONTO_OUT}) raise(SIGKILL); return 0; }}")
        + "; s=$?; cat out.json; rm -f .advisor-*; exit $s",
        (137,),
        '{"schema_version": 1}',
        "out.json",
    ),
    *(
        Fault(
            f"fsync fails: {name}",
            _before("".join(_fails(call, "int file", name) for call in ("fsync", "fdatasync"))),
            (0, 1),
        )
        for name in ("EIO", "EINVAL", "ENOSPC")
    ),
    Fault(
        "locks fail, as on NFS without a daemon",
        _before(
            "int fcntl64(int f, int c, ...) { va_list l; va_start(l, c); void *a = va_arg(l, void *); va_end(l); if (c == F_SETLK || c == F_SETLKW || c == F_OFD_SETLK) { errno = ENOLCK; return -1; } return REAL(fcntl64)(f, c, a); }\n"
            "int fcntl(int f, int c, ...) { va_list l; va_start(l, c); void *a = va_arg(l, void *); va_end(l); if (c == F_SETLK || c == F_SETLKW || c == F_OFD_SETLK) { errno = ENOLCK; return -1; } return REAL(fcntl)(f, c, a); }\n"
            "int flock(int f, int o) { errno = ENOLCK; return -1; }",
            _KEPT,
        ),
        (0, 3),
        "history",
        "out.json",
    ),
    Fault(
        "quota at home",
        _before(
            _fails("pwrite64", "int file, const void *bytes, size_t size, long at", "EDQUOT")
            + _fails("pwrite", "int file, const void *bytes, size_t size, long at", "EDQUOT"),
            _KEPT,
        ),
        (0, 3),
        "disk I/O error",
        "out.json",
    ),
    Fault(
        "disk that fails in the history",
        _before(
            _fails("pread64", "int file, void *bytes, size_t size, long at", "EIO")
            + _fails("pread", "int file, void *bytes, size_t size, long at", "EIO"),
            f"{_KEPT} && {_KEPT}",
        ),
        (0, 1, 3),
        "",
        "out.json",
    ),
    Fault(
        "stale files of a server that went away",
        _before(
            "int open64(const char *p, int f, ...) { va_list l; va_start(l, f); int m = va_arg(l, int); va_end(l); if (is_ours(p)) { errno = ESTALE; return -1; } return REAL(open64)(p, f, m); }\n"
            "int open(const char *p, int f, ...) { va_list l; va_start(l, f); int m = va_arg(l, int); va_end(l); if (is_ours(p)) { errno = ESTALE; return -1; } return REAL(open)(p, f, m); }",
            _KEPT,
        ),
        (0, 3),
        "history",
        "out.json",
    ),
    *(
        Fault(f"{call} refused", _before(_fails(call, parameters, "EPERM"), "advisor $quick"), (0, 3), "", "out.json")
        for call, parameters in (
            ("sched_getaffinity", "int pid, size_t size, void *set"),
            ("sched_setaffinity", "int pid, size_t size, void *set"),
            ("statvfs64", "const char *path, void *found"),
            ("statvfs", "const char *path, void *found"),
            ("sysinfo", "void *found"),
            ("getloadavg", "void *found, int count"),
            ("prctl", "int option, long a, long b, long c, long d"),
            ("setsid", ""),
            ("mlock", "void *a, size_t size"),
            ("madvise", "void *a, size_t size, int advice"),
            ("mincore", "void *a, size_t size, void *found"),
            ("posix_fadvise64", "int file, long a, long b, int advice"),
            ("getrusage", "int who, void *found"),
            ("sched_yield", ""),
            ("gethostname", "char *name, size_t size"),
        )
    ),
    *(
        Fault(
            f"a PDF whose process is {name}",
            f"advisor --report out.pdf --suite none & p=$!; until c=$(pgrep --parent $p -f print-pdf); do sleep 0.02; done;"
            f" kill -{name} $c; wait $p",
            (1,),
            f"signal {number}",
        )
        for name, number in (("KILL", 9), ("SEGV", 11))
    ),
    Fault(
        "no process more",
        _before(
            "int fork(void) { errno = EAGAIN; return -1; } int vfork(void) { errno = EAGAIN; return -1; } int posix_spawn(void) { return EAGAIN; }",
            "advisor $quick",
        ),
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "no pipe",
        _before(
            _fails("pipe2", "int *pair, int flags", "EMFILE")
            + _fails("pipe", "int *pair", "EMFILE")
            + _fails("socketpair", "int a, int b, int c, int *pair", "EMFILE"),
            "advisor $quick",
        ),
        (3,),
        "",
        "out.json",
    ),
    Fault(
        "one system call in five fails in stat",
        _before(
            _HALF_OF_THEM
            + 'int fstatat64(int d, const char *p, struct stat64 *s, int f) { if (p && strncmp(p, "/sys", 4) == 0 && some()) { errno = EIO; return -1; } return REAL(fstatat64)(d, p, s, f); } int stat64(const char *p, struct stat64 *s) { if (p && strncmp(p, "/sys", 4) == 0 && some()) { errno = EIO; return -1; } return REAL(stat64)(p, s); }'
        ),
        (0,),
        "",
        "out.json",
    ),
    Fault(
        "one open in five fails in /sys and /proc",
        _before(
            _HALF_OF_THEM
            + 'int open64(const char *p, int f, ...) { va_list l; va_start(l, f); int m = va_arg(l, int); va_end(l); if (p && (!strncmp(p, "/sys", 4) || !strncmp(p, "/proc", 5)) && some()) { errno = EIO; return -1; } return REAL(open64)(p, f, m); }',
            "advisor $quick",
        ),
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "one read in five fails in /sys and /proc",
        _before(
            _HALF_OF_THEM
            + 'ssize_t read(int f, void *b, size_t n) { char l[64], t[64]; sprintf(l, "/proc/self/fd/%d", f); int e = errno; ssize_t k = readlink(l, t, 63); errno = e; t[k < 0 ? 0 : k] = 0; if ((!strncmp(t, "/sys", 4) || !strncmp(t, "/proc/", 6)) && some()) { errno = EIO; return -1; } return REAL(read)(f, b, n); }',
            "advisor $quick",
        ),
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "memory refused for large things",
        _before(
            'void *malloc(size_t n) { static void *(*m)(size_t); if (!m) m = dlsym(RTLD_NEXT, "malloc"); if (n > 40000000) { errno = ENOMEM; return 0; } return m(n); } int posix_memalign(void **p, size_t a, size_t n) { if (n > 40000000) return ENOMEM; return REAL(posix_memalign)(p, a, n); }',
            "advisor $quick",
        ),
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "clock that stands still",
        _before(
            "#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { if (c == CLOCK_REALTIME) { t->tv_sec = 1000000000; t->tv_nsec = 0; return 0; } return REAL(clock_gettime)(c, t); }",
            "advisor $quick",
        ),
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "clock that jumps a day back in the check",
        _before(
            "#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { static int n; int r = REAL(clock_gettime)(c, t); if (c == CLOCK_REALTIME && n++ > 60) t->tv_sec -= 86400; return r; }",
            _KEPT,
        ),
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "the clock of 2262",
        _before(
            "#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { int r = REAL(clock_gettime)(c, t); if (c == CLOCK_REALTIME) t->tv_sec += 7500000000L; return r; }",
            f"{_KEPT}; advisor --was-it-true",
        ),
        (0,),
        "",
        "out.json",
    ),
    Fault(
        "the clock of 1970",
        _before(
            "#include <time.h>\nint clock_gettime(clockid_t c, struct timespec *t) { int r = REAL(clock_gettime)(c, t); if (c == CLOCK_REALTIME) t->tv_sec = 5; return r; }",
            _KEPT,
        ),
        (0, 3),
        "",
        "out.json",
    ),
)

_NVML = (
    "cat > n.c <<'END'\n{}\nEND\nmkdir l; cc -w -shared -fPIC -o l/libnvidia-ml.so.1 n.c && LD_LIBRARY_PATH=$PWD/l {}"
)
_ALL_OF_IT = "nvmlInit_v2 nvmlInitWithFlags nvmlShutdown nvmlSystemGetDriverVersion nvmlSystemGetNVMLVersion nvmlSystemGetCudaDriverVersion_v2 nvmlDeviceGetCount_v2 nvmlDeviceGetHandleByIndex_v2 nvmlDeviceGetName nvmlDeviceGetMemoryInfo nvmlDeviceGetMemoryInfo_v2 nvmlDeviceGetPciInfo_v3 nvmlDeviceGetUUID nvmlDeviceGetCudaComputeCapability nvmlDeviceGetPowerManagementLimit nvmlDeviceGetUtilizationRates nvmlDeviceGetTemperature nvmlDeviceGetClockInfo nvmlDeviceGetMaxClockInfo nvmlDeviceGetNumGpuCores nvmlDeviceGetMemoryBusWidth nvmlDeviceGetArchitecture nvmlDeviceGetMigMode nvmlDeviceGetEccMode nvmlDeviceGetPowerUsage nvmlDeviceGetCurrPcieLinkGeneration nvmlDeviceGetMaxPcieLinkGeneration nvmlDeviceGetCurrPcieLinkWidth nvmlDeviceGetMaxPcieLinkWidth nvmlErrorString"
_ZERO = (
    "".join(f"int {name}() {{ return 0; }}\n" for name in _ALL_OF_IT.split() if name != "nvmlErrorString")
    + 'const char *nvmlErrorString() { return "\\xff\\xfe?"; }\n'
)

DRIVERS = (
    *(
        Fault(
            f"libnvidia-ml: {name}, {what}",
            _NVML.format(code, command),
            status,
            leaves=leaves,
            timeout_s=120,
            is_quick=what == "report" and name == "crashes in its init",
        )
        for name, code in (
            ("crashes on being loaded", "__attribute__((constructor)) void f() { *(volatile int *)0 = 1; }"),
            (
                "crashes in its init",
                "int nvmlInit_v2() { *(volatile int *)0 = 1; } int nvmlInitWithFlags() { *(volatile int *)0 = 1; }",
            ),
            (
                "ends the process",
                "#include <stdlib.h>\nint nvmlInit_v2() { exit(7); } int nvmlInitWithFlags() { _Exit(7); }",
            ),
            ("hangs on being loaded", "#include <unistd.h>\n__attribute__((constructor)) void f() { sleep(1000); }"),
            (
                "hangs in its init",
                "#include <unistd.h>\nint nvmlInit_v2() { sleep(1000); } int nvmlInitWithFlags() { sleep(1000); }",
            ),
            ("answers nothing with success", _ZERO),
            (
                "a million cards",
                _ZERO.replace(
                    "int nvmlDeviceGetCount_v2() {", "int nvmlDeviceGetCount_v2(unsigned *n) { *n = 1000000;"
                ),
            ),
            ("nothing in it", "int nothing;"),
        )
        for what, command, status, leaves in (
            ("report", "advisor $report", (0,), "out.json"),
            ("window", "window TERM 6", (0,), ""),
        )
    ),
    Fault(
        "libnvidia-ml: no library at all",
        "mkdir l; head -c 9999 /dev/urandom > l/libnvidia-ml.so.1; LD_LIBRARY_PATH=$PWD/l advisor $report",
        leaves="out.json",
    ),
    Fault(
        "libcuda: crashes on being loaded",
        "echo '__attribute__((constructor)) void f() { *(volatile int *)0 = 1; }' > c.c; mkdir l; cc -w -shared -fPIC -o l/libcuda.so.1 c.c; LD_LIBRARY_PATH=$PWD/l advisor $quick",
        (0, 3),
        "",
        "out.json",
    ),
    Fault(
        "a library of the C++ runtime that is another's",
        "mkdir l; cc -shared -o l/libstdc++.so.6 -x c /dev/null; LD_LIBRARY_PATH=$PWD/l advisor $quick",
        (0, 1, 3),
    ),
    Fault(
        "a library to load first that is not there",
        "LD_PRELOAD=/nowhere/x.so advisor $report 2> /dev/null",
        leaves="out.json",
    ),
)

_FILTER = r"""cat > held.c <<'END'
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int n, char **words) {
    struct sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, atoi(words[1]), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | atoi(words[2])),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {4, rules};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
    execvp(words[3], words + 3);
    return 98;
}
END
cc -w -o held held.c && """

FORBIDDEN = tuple(
    Fault(f"the kernel forbids {name}", f"{_FILTER}./held {number} {error} advisor $quick", (0, 3), "", "out.json")
    for name, number, error in (
        ("sched_getaffinity", 204, 1),
        ("sched_setaffinity", 203, 1),
        ("statx", 332, 38),
        ("getrandom", 318, 38),
        ("clone3", 435, 38),
        ("socket", 41, 1),
        ("mincore", 27, 38),
        ("setpriority", 141, 1),
        ("prlimit64", 302, 1),
        ("prctl", 157, 22),
        ("flock", 73, 1),
        ("chmod", 90, 1),
        ("fsync", 74, 22),
        ("inotify_init1", 294, 24),
        ("getpriority", 140, 1),
        ("readlink", 89, 13),
        ("setsid", 112, 1),
        ("statfs", 137, 38),
        ("memfd_create", 319, 38),
        ("perf_event_open", 298, 1),
        ("sysinfo", 99, 1),
        ("getcwd", 79, 2),
        ("kill", 62, 1),
        ("mkdir", 83, 1),
        ("socketpair", 53, 1),
        ("epoll_create1", 291, 38),
        ("pidfd_open", 434, 38),
        ("close_range", 436, 38),
        ("renameat2", 316, 38),
        ("pipe2", 293, 24),
        ("vfork", 58, 11),
        ("wait4", 61, 10),
        ("ioctl", 16, 25),
        ("lseek", 8, 29),
    )
)
