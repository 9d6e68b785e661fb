/* Attributes that compiled code looks up by name, found again where they were found the last time: each place in the
 * code remembers what it found as long as the owner's type, or its dict, is as it was. Python's interpreter does the same
 * for its own code (PEP 659); Cython looks every name up anew. setup.py puts this around what Cython writes for ops and
 * kernels.
 *
 * Remembered are getters of compiled classes (x.dtype), and what lies in the dict of a module (dtypes.FLOATING) or of an
 * instance of a compiled class (aten.add). Everything else is looked up as ever.
 *
 * It is included in front of the code of a module, and once more behind it. */
#ifndef MT_ATTRIBUTE_PLACES_H
#define MT_ATTRIBUTE_PLACES_H

#if defined(__GNUC__) && CYTHON_USE_TYPE_SLOTS && CYTHON_USE_DICT_VERSIONS && PY_VERSION_HEX >= 0x030B0000
#define MT_HAS_PLACES 1

enum { MT_MOST_TRIES = 16 };  /* a place that nothing was remembered at so often is left alone */

typedef struct {
    unsigned int type_version;  /* of the owner's type; 0 if nothing is remembered */
    int tries;
    uint64_t dict_version;
    PyObject *value;  /* what lies in the owner's dict, which holds it */
    getter get;  /* or what asks the owner */
    void *closure;
} mt_place;

/* The dict of a module, or of an instance of a compiled class; NULL if it has none that can be trusted. */
static inline PyObject *mt_dict_of(PyObject *owner) {
    PyTypeObject *type = Py_TYPE(owner);
    if (type == &PyModule_Type)
        return PyModule_GetDict(owner);
    if (type->tp_dictoffset <= 0 || (type->tp_flags & Py_TPFLAGS_HEAPTYPE) || PyType_Check(owner))
        return NULL;
    return *(PyObject **)((char *)owner + type->tp_dictoffset);
}

/* What is remembered to lie in the owner's dict; NULL if it has to be looked for. */
static inline PyObject *mt_remembered(const mt_place *place, PyObject *owner) {
    PyObject *dict;
    if (place->value == NULL || Py_TYPE(owner)->tp_version_tag != place->type_version)
        return NULL;
    dict = mt_dict_of(owner);
    return dict && ((PyDictObject *)dict)->ma_version_tag == place->dict_version ? place->value : NULL;
}

/* Look in the owner's dict, and remember what is there, unless its class has the name too. */
static inline PyObject *mt_look_in_dict(mt_place *place, PyObject *owner, PyObject *name) {
    PyTypeObject *type = Py_TYPE(owner);
    PyObject *dict = mt_dict_of(owner), *value;
    if (dict == NULL || _PyType_Lookup(type, name) != NULL)
        return NULL;
    value = PyDict_GetItemWithError(dict, name);
    if (value == NULL) {
        PyErr_Clear();
        return NULL;
    }
    place->get = NULL;
    place->type_version = type->tp_version_tag;
    place->dict_version = ((PyDictObject *)dict)->ma_version_tag;
    place->value = place->type_version ? value : NULL;
    return value;
}

/* Whether getters of a class come before all else: not so where Python code has ``__getattribute__``. What a compiled
 * class has as ``__getattr__`` comes last. */
static inline int mt_has_getters(PyTypeObject *type) {
    return type->tp_getattro == PyObject_GenericGetAttr
        || (!(type->tp_flags & (Py_TPFLAGS_HEAPTYPE | Py_TPFLAGS_TYPE_SUBCLASS)) && type != &PySuper_Type);
}

static __attribute__((noinline)) PyObject *mt_look_up(mt_place *place, PyObject *owner, PyObject *name) {
    PyTypeObject *type = Py_TYPE(owner);
    PyObject *found;
    if (place->tries >= MT_MOST_TRIES)
        return __Pyx_PyObject_GetAttrStr(owner, name);
    place->type_version = 0;
    place->value = NULL;
    if (mt_has_getters(type) && (found = _PyType_Lookup(type, name)) != NULL) {
        if (Py_TYPE(found) == &PyGetSetDescr_Type && PyType_IsSubtype(type, PyDescr_TYPE(found))) {
            place->get = ((PyGetSetDescrObject *)found)->d_getset->get;
            place->closure = ((PyGetSetDescrObject *)found)->d_getset->closure;
            place->type_version = place->get ? type->tp_version_tag : 0;
            if (place->type_version)
                return place->get(owner, place->closure);
        }
    } else if ((found = mt_look_in_dict(place, owner, name)) != NULL) {
        return Py_NewRef(found);
    }
    place->tries++;
    return __Pyx_PyObject_GetAttrStr(owner, name);
}

static inline PyObject *mt_attribute(mt_place *place, PyObject *owner, PyObject *name) {
    PyObject *value;
    if (place->type_version && Py_TYPE(owner)->tp_version_tag == place->type_version && place->get)
        return place->get(owner, place->closure);
    value = mt_remembered(place, owner);
    return value != NULL ? Py_NewRef(value) : mt_look_up(place, owner, name);
}

/* A call of what lies in the owner's dict, ``aten.add(x, y)``: the owner comes first among the arguments. */
static inline PyObject *mt_call_method(mt_place *place, PyObject *name, PyObject *const *args, size_t flags,
                                       PyObject *names) {
    PyObject *called = mt_remembered(place, args[0]), *result;
    if (called == NULL && place->tries < MT_MOST_TRIES && (called = mt_look_in_dict(place, args[0], name)) == NULL)
        place->tries++;
    if (called == NULL)
        return PyObject_VectorcallMethod(name, args, flags, names);
    Py_INCREF(called);
    result = PyObject_Vectorcall(called, args + 1, flags - 1, names);
    Py_DECREF(called);
    return result;
}

#pragma push_macro("__Pyx_PyObject_GetAttrStr")
#pragma push_macro("__Pyx_PyObject_FastCallMethod")
#pragma push_macro("__Pyx_Object_VectorcallMethodKwds")
#undef __Pyx_PyObject_GetAttrStr
#undef __Pyx_PyObject_FastCallMethod
#undef __Pyx_Object_VectorcallMethodKwds
#define __Pyx_PyObject_GetAttrStr(owner, name) ({ static mt_place place; mt_attribute(&place, owner, name); })
#define __Pyx_PyObject_FastCallMethod(name, args, flags) \
    ({ static mt_place place; mt_call_method(&place, name, args, flags, NULL); })
#define __Pyx_Object_VectorcallMethodKwds(name, args, flags, names) \
    ({ static mt_place place; mt_call_method(&place, name, args, flags, names); })
#endif

#elif defined(MT_HAS_PLACES)
#pragma pop_macro("__Pyx_PyObject_GetAttrStr")
#pragma pop_macro("__Pyx_PyObject_FastCallMethod")
#pragma pop_macro("__Pyx_Object_VectorcallMethodKwds")
#endif
