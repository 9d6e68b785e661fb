/* One profile function for all threads of the interpreter; what a thread had before comes back afterwards. */
#include <Python.h>

typedef struct { uint64_t id; Py_tracefunc func; PyObject *object; } mt_before;
static mt_before *mt_befores = NULL;
static int mt_n_befores = 0;

static void mt_set(PyThreadState *thread, Py_tracefunc func, PyObject *object) {
    PyThreadState *here = PyThreadState_Swap(thread);
    PyEval_SetProfile(func, object);
    PyThreadState_Swap(here);
}

static void mt_trace_all_threads(Py_tracefunc func) {
    PyInterpreterState *all = PyThreadState_GetInterpreter(PyThreadState_Get());
    for (PyThreadState *t = PyInterpreterState_ThreadHead(all); t; t = PyThreadState_Next(t)) {
        if (t->c_profilefunc != NULL && t->c_profilefunc != func) {
            mt_before *more = realloc(mt_befores, (mt_n_befores + 1) * sizeof(mt_before));
            if (more == NULL) { PyErr_NoMemory(); return; }
            mt_befores = more;
            mt_before before = {PyThreadState_GetID(t), t->c_profilefunc, t->c_profileobj};
            Py_XINCREF(before.object);
            mt_befores[mt_n_befores++] = before;
        }
        mt_set(t, func, NULL);
    }
}

static void mt_untrace_all_threads(Py_tracefunc func) {
    PyInterpreterState *all = PyThreadState_GetInterpreter(PyThreadState_Get());
    for (PyThreadState *t = PyInterpreterState_ThreadHead(all); t; t = PyThreadState_Next(t)) {
        mt_before before = {0, NULL, NULL};
        if (t->c_profilefunc != func) continue; /* somebody else took over meanwhile */
        for (int i = 0; i < mt_n_befores; i++)
            if (mt_befores[i].id == PyThreadState_GetID(t)) before = mt_befores[i];
        mt_set(t, before.func, before.object);
    }
    for (int i = 0; i < mt_n_befores; i++) Py_XDECREF(mt_befores[i].object);
    mt_n_befores = 0;
}
