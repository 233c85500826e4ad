/* The smallest python.exe: what python.org's own does, for the python311.dll beside it. */
#include <windows.h>

typedef int (*py_main)(int, wchar_t **);

int wmain(int count, wchar_t **arguments) {
    HMODULE library = LoadLibraryW(L"python311.dll");
    py_main run = library ? (py_main)(void *)GetProcAddress(library, "Py_Main") : NULL;
    return run ? run(count, arguments) : 127;
}
