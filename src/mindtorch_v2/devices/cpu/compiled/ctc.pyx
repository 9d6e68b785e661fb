# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Likelihoods of all alignments of labels with a sequence of scores, forwards and backwards."""
cimport numpy as cnp
from libc.math cimport INFINITY, exp, expf, log, logf
from .arrays cimport data, elements, extent, into, is_real

cnp.import_array()

ctypedef fused real:
    float
    double


cdef struct Sizes:
    Py_ssize_t steps
    Py_ssize_t labels
    Py_ssize_t states
    Py_ssize_t longest
    cnp.int64_t blank


cdef inline real exponential(real x) noexcept nogil:
    return expf(x) if real is float else exp(x)


cdef inline real logarithm(real x) noexcept nogil:
    return logf(x) if real is float else log(x)


cdef inline real sum_of(real a, real b, real c) noexcept nogil:
    """The logarithm of a sum of exponentials."""
    cdef real most = a
    if b > most:
        most = b
    if c > most:
        most = c
    if most == <real>-INFINITY:
        return most
    return logarithm(exponential(a - most) + exponential(b - most) + exponential(c - most)) + most


cdef inline cnp.int64_t label_at(cnp.int64_t* target, Py_ssize_t state, cnp.int64_t blank) noexcept nogil:
    """The label of a state: every second one is a blank."""
    return target[state // 2] if state % 2 else blank


cdef void alpha_loop(real* alpha, real* scores, cnp.int64_t* target, Py_ssize_t steps, Py_ssize_t count,
                     Sizes* size) noexcept nogil:
    cdef Py_ssize_t t, s
    cdef cnp.int64_t label
    cdef real one, two
    cdef real* before
    alpha[0] = scores[size.blank]
    if count > 1:
        alpha[1] = scores[target[0]]
    for t in range(1, steps):
        before = alpha + (t - 1) * size.states
        for s in range(count):
            label = label_at(target, s, size.blank)
            one = before[s - 1] if s > 0 else <real>-INFINITY
            two = before[s - 2] if s > 1 and label_at(target, s - 2, size.blank) != label else <real>-INFINITY
            alpha[t * size.states + s] = sum_of[real](before[s], one, two) + scores[t * size.labels + label]


cdef void beta_loop(real* beta, real* scores, cnp.int64_t* target, Py_ssize_t steps, Py_ssize_t count,
                    Sizes* size) noexcept nogil:
    cdef Py_ssize_t t, s
    cdef cnp.int64_t label
    cdef real one, two
    cdef real* behind
    beta[(steps - 1) * size.states + count - 1] = scores[(steps - 1) * size.labels + size.blank]
    if count > 1:
        label = target[count // 2 - 1]
        beta[(steps - 1) * size.states + count - 2] = scores[(steps - 1) * size.labels + label]
    for t in range(steps - 2, -1, -1):
        behind = beta + (t + 1) * size.states
        for s in range(count):
            label = label_at(target, s, size.blank)
            one = behind[s + 1] if s < count - 1 else <real>-INFINITY
            two = behind[s + 2] if s < count - 2 and label_at(target, s + 2, size.blank) != label else <real>-INFINITY
            beta[t * size.states + s] = sum_of[real](behind[s], one, two) + scores[t * size.labels + label]


cdef void grad_loop(real* out, real* alpha, real* beta, real* scores, cnp.int64_t* target, real loss, real grad,
                    Py_ssize_t steps, Py_ssize_t count, Sizes* size) noexcept nogil:
    cdef Py_ssize_t t, s, c
    cdef cnp.int64_t label
    cdef real* row
    for t in range(steps):
        row = out + t * size.labels
        for c in range(size.labels):
            row[c] = <real>-INFINITY
        for s in range(count):
            label = label_at(target, s, size.blank)
            row[label] = sum_of[real](row[label], alpha[t * size.states + s] + beta[t * size.states + s],
                                      <real>-INFINITY)
        for c in range(size.labels):
            row[c] = (exponential[real](scores[t * size.labels + c])
                      - exponential[real](row[c] + loss - scores[t * size.labels + c])) * grad


cdef Sizes sizes_of(cnp.ndarray log_probs, cnp.ndarray states, cnp.ndarray targets, cnp.int64_t blank) except *:
    """What all samples share; every index of the loops is below one of these numbers."""
    cdef Sizes size
    size.steps, size.labels, size.states = extent(log_probs, 1), extent(log_probs, 2), extent(states, 2)
    size.longest, size.blank = extent(targets, 1), blank
    if not 0 <= blank < size.labels:
        raise ValueError(f"ctc: blank {blank} is none of {size.labels} labels")
    return size


cdef cnp.int64_t* within(cnp.ndarray lengths, Py_ssize_t batch, Py_ssize_t most) except? NULL:
    """The memory of one number a sample, none of which exceeds a bound."""
    cdef cnp.int64_t* at = <cnp.int64_t*>data(lengths, cnp.NPY_INT64, batch)
    cdef Py_ssize_t i
    for i in range(batch):
        if at[i] < 0 or at[i] > most:
            raise ValueError(f"ctc: length {at[i]} is not between 0 and {most}")
    return at


cdef cnp.int64_t* labels_in(cnp.ndarray targets, Py_ssize_t size, Py_ssize_t labels) except? NULL:
    cdef cnp.int64_t* at = <cnp.int64_t*>data(targets, cnp.NPY_INT64, size)
    cdef Py_ssize_t i
    for i in range(size):
        if at[i] < 0 or at[i] >= labels:
            raise ValueError(f"ctc: target {at[i]} is none of {labels} labels")
    return at


cdef Py_ssize_t most_labels(Sizes* size) noexcept:
    """How many labels a sample may have: all have a place in the row, and two states each in the likelihoods."""
    cdef Py_ssize_t fit = (size.states - 1) // 2
    return fit if fit < size.longest else size.longest


cdef void forward_loop(real* loss, real* alpha, real* scores, cnp.int64_t* target, cnp.int64_t* steps,
                       cnp.int64_t* length, Py_ssize_t batch, Sizes* size) noexcept nogil:
    cdef Py_ssize_t n, count
    cdef real* a
    cdef real* last
    for n in range(batch):
        count = 2 * length[n] + 1
        if steps[n] == 0:
            loss[n] = <real>INFINITY if length[n] else 0
            continue
        a = alpha + n * size.steps * size.states
        alpha_loop(a, scores + n * size.steps * size.labels, target + n * size.longest, steps[n], count, size)
        last = a + (steps[n] - 1) * size.states + count - 1
        loss[n] = -(sum_of[real](last[0], (last - 1)[0] if count > 1 else <real>-INFINITY, <real>-INFINITY))


def ctc_forward(cnp.ndarray losses not None, cnp.ndarray log_alpha not None, cnp.ndarray log_probs not None,
                cnp.ndarray targets not None, cnp.ndarray input_lengths not None,
                cnp.ndarray target_lengths not None, cnp.int64_t blank):
    """Beginnings of each sample's labels; ``log_alpha`` comes filled with minus infinity."""
    cdef int kind = cnp.PyArray_TYPE(log_probs)
    if not is_real(kind):
        raise TypeError(f"ctc_forward: float32 or float64 wanted, got {log_probs.dtype}")
    cdef Py_ssize_t batch = extent(log_probs, 0)
    cdef Sizes size = sizes_of(log_probs, log_alpha, targets, blank)
    cdef void* scores = data(log_probs, kind, elements(batch, size.steps, size.labels))
    cdef void* alpha = into(log_alpha, kind, elements(batch, size.steps, size.states))
    cdef void* loss = into(losses, kind, batch)
    cdef cnp.int64_t* target = labels_in(targets, elements(batch, size.longest, 1), size.labels)
    cdef cnp.int64_t* steps = within(input_lengths, batch, size.steps)
    cdef cnp.int64_t* length = within(target_lengths, batch, most_labels(&size))
    if kind == cnp.NPY_FLOAT:
        forward_loop(<float*>loss, <float*>alpha, <float*>scores, target, steps, length, batch, &size)
    else:
        forward_loop(<double*>loss, <double*>alpha, <double*>scores, target, steps, length, batch, &size)


cdef void backward_loop(real* out, real* beta, real* grad, real* scores, cnp.int64_t* target, real* loss, real* alpha,
                        cnp.int64_t* steps, cnp.int64_t* length, Py_ssize_t batch, bint zero_infinity,
                        Sizes* size) noexcept nogil:
    cdef Py_ssize_t n, count, at
    for n in range(batch):
        count = 2 * length[n] + 1
        for at in range(n * size.steps * size.labels, (n + 1) * size.steps * size.labels):
            out[at] = 0
        if steps[n] == 0 or (zero_infinity and loss[n] == <real>INFINITY):
            continue
        beta_loop(beta + n * size.steps * size.states, scores + n * size.steps * size.labels,
                  target + n * size.longest, steps[n], count, size)
        grad_loop(out + n * size.steps * size.labels, alpha + n * size.steps * size.states,
                  beta + n * size.steps * size.states, scores + n * size.steps * size.labels,
                  target + n * size.longest, loss[n], grad[n], steps[n], count, size)


def ctc_backward(cnp.ndarray out not None, cnp.ndarray log_beta not None, cnp.ndarray grad not None,
                 cnp.ndarray log_probs not None, cnp.ndarray targets not None, cnp.ndarray losses not None,
                 cnp.ndarray log_alpha not None, cnp.ndarray input_lengths not None,
                 cnp.ndarray target_lengths not None, cnp.int64_t blank, bint zero_infinity):
    """Ends of each sample's labels and the gradients; ``log_beta`` comes filled with minus infinity."""
    cdef int kind = cnp.PyArray_TYPE(log_probs)
    if not is_real(kind):
        raise TypeError(f"ctc_backward: float32 or float64 wanted, got {log_probs.dtype}")
    cdef Py_ssize_t batch = extent(log_probs, 0)
    cdef Sizes size = sizes_of(log_probs, log_alpha, targets, blank)
    cdef Py_ssize_t scored = elements(batch, size.steps, size.labels), all_states = elements(batch, size.steps, size.states)
    cdef void* scores = data(log_probs, kind, scored)
    cdef void* to = into(out, kind, scored)
    cdef void* alpha = data(log_alpha, kind, all_states)
    cdef void* beta = into(log_beta, kind, all_states)
    cdef void* loss = data(losses, kind, batch)
    cdef void* g = data(grad, kind, batch)
    cdef cnp.int64_t* target = labels_in(targets, elements(batch, size.longest, 1), size.labels)
    cdef cnp.int64_t* steps = within(input_lengths, batch, size.steps)
    cdef cnp.int64_t* length = within(target_lengths, batch, most_labels(&size))
    if kind == cnp.NPY_FLOAT:
        backward_loop(<float*>to, <float*>beta, <float*>g, <float*>scores, target, <float*>loss, <float*>alpha, steps,
                      length, batch, zero_infinity, &size)
    else:
        backward_loop(<double*>to, <double*>beta, <double*>g, <double*>scores, target, <double*>loss, <double*>alpha,
                      steps, length, batch, zero_infinity, &size)
