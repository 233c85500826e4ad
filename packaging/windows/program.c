/* The smallest program of Python, for the python311.dll beside it: python.exe as python.org's own, and with CODE one that
 * runs that code with the arguments it is given. */
#include <windows.h>

typedef int (*py_main)(int, wchar_t **);

int wmain(int count, wchar_t **arguments) {
    HMODULE library = LoadLibraryW(L"python311.dll");
    py_main run = library ? (py_main)(void *)GetProcAddress(library, "Py_Main") : NULL;
    if (!run)
        return 127;
#ifdef CODE
    /* -I: neither the folder it is started in nor variables for another Python are searched for modules. */
    wchar_t **all = (wchar_t **)HeapAlloc(GetProcessHeap(), HEAP_ZERO_MEMORY, (count + 4) * sizeof(wchar_t *));
    if (!all)
        return 127;
    all[0] = arguments[0], all[1] = L"-I", all[2] = L"-c", all[3] = CODE;
    for (int number = 1; number < count; number++)
        all[number + 3] = arguments[number];
    return run(count + 3, all);
#else
    return run(count, arguments);
#endif
}
