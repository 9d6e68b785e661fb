/* Includes EACH once for float and once for double: REAL is the type, FN(name) the typed name, R(v) a constant. */
#define R(v) ((REAL)(v))
#define FN_JOIN(name, suffix) name##suffix
#define FN_WITH(name, suffix) FN_JOIN(name, suffix)
#define FN(name) FN_WITH(name, SUFFIX)

#define REAL float
#define SUFFIX _f32
#define IS_FLOAT 1
#include EACH
#undef REAL
#undef SUFFIX
#undef IS_FLOAT

#define REAL double
#define SUFFIX _f64
#define IS_FLOAT 0
#include EACH
#undef REAL
#undef SUFFIX
#undef IS_FLOAT

#undef R
#undef FN
#undef FN_WITH
#undef FN_JOIN
#undef EACH

/* name_any(single, ...) calls the float or the double one; the header that defines `name` also defines this for it. */
#define BY_TYPE(single, name, ...) ((single) ? name##_f32(__VA_ARGS__) : name##_f64(__VA_ARGS__))
