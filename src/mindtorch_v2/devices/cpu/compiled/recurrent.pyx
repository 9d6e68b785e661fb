# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""One layer of an LSTM in one direction over all time steps: products by tiles, gates in compiled loops.

x is (time, batch, inputs), weights are (4 hidden, inputs) and (4 hidden, hidden), gates (time, batch, 4 hidden), their
order: input, forget, cell, output. Only this layer is one op in torch; other recurrent layers are made of smaller ones.
"""
cimport numpy as cnp
from .arrays cimport data, data_or_null, elements, extent, into, is_real
from .matrices cimport multiply_into

import numpy as np

from ..half_precision import in_float32

cnp.import_array()

cdef extern from "recurrent.h" nogil:
    void lstm_step_any(bint, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t)
    void lstm_step_backward_any(bint, void*, void*, void*, void*, void*, void*, void*, Py_ssize_t, Py_ssize_t)


cdef enum:
    MANY = 8  # steps from which it pays to turn the weights around once, so that they are read in order


cdef class Sizes:
    """What the arrays of a layer have in common."""
    cdef int kind
    cdef Py_ssize_t steps, batch, inputs, hidden, state, states, gates

    def __cinit__(self, cnp.ndarray x, cnp.ndarray w_ih, cnp.ndarray w_hh):
        self.kind = cnp.PyArray_TYPE(x)
        self.steps, self.batch, self.inputs = extent(x, 0), extent(x, 1), extent(x, 2)
        self.hidden = extent(w_hh, 1)
        self.state = elements(self.batch, self.hidden, 1)
        self.states = elements(self.steps, self.batch, self.hidden)
        self.gates = 4 * self.states
        data(x, self.kind, elements(self.steps, self.batch, self.inputs))
        data(w_ih, self.kind, 4 * elements(self.hidden, self.inputs, 1))
        data(w_hh, self.kind, 4 * elements(self.hidden, self.hidden, 1))


def lstm(cnp.ndarray out not None, cnp.ndarray hy not None, cnp.ndarray cy not None, cnp.ndarray gates not None,
         cnp.ndarray cells not None, cnp.ndarray x not None, cnp.ndarray w_ih not None, cnp.ndarray w_hh not None, bias,
         cnp.ndarray hx not None, cnp.ndarray cx not None, bint reverse):
    """All hidden states, the last hidden state and cell; gates and cells of each step are kept for backward."""
    if not is_real(cnp.PyArray_TYPE(x)):
        return in_float32(lstm, 5, out, hy, cy, gates, cells, x, w_ih, w_hh, bias, hx, cx, reverse)
    cdef Sizes s = Sizes(x, w_ih, w_hh)
    cdef bint single = s.kind == cnp.NPY_FLOAT
    cdef Py_ssize_t width = cnp.PyArray_ITEMSIZE(x) * s.state, step, t
    cdef char* states = <char*>into(out, s.kind, s.states)
    cdef char* cell = <char*>into(cells, s.kind, s.states)
    cdef char* gate = <char*>into(gates, s.kind, s.gates)
    cdef void* added = data_or_null(bias, s.kind, 4 * s.hidden)
    cdef void* before = data(cx, s.kind, s.state)
    data(hx, s.kind, s.state)
    into(hy, s.kind, s.state)
    into(cy, s.kind, s.state)
    if s.steps == 0 or s.state == 0:
        hy[...] = (<object>hx).reshape((<object>hy).shape)
        cy[...] = (<object>cx).reshape((<object>cy).shape)
        return
    cdef cnp.ndarray from_hidden = np.empty((s.batch, 4 * s.hidden), x.dtype)
    cdef void* more = cnp.PyArray_DATA(from_hidden)
    w_t = (<object>w_hh).reshape(4 * s.hidden, s.hidden).T
    if s.steps >= MANY:
        w_t = np.ascontiguousarray(w_t)
    multiply_into((<object>gates).reshape(s.steps * s.batch, 4 * s.hidden),
                  (<object>x).reshape(s.steps * s.batch, s.inputs),
                  (<object>w_ih).reshape(4 * s.hidden, s.inputs).T, False)
    now, steps = (<object>hx).reshape(s.batch, s.hidden), (<object>out).reshape(s.steps, s.batch, s.hidden)
    for step in range(s.steps):
        t = s.steps - 1 - step if reverse else step
        multiply_into(from_hidden, now, w_t, False)
        lstm_step_any(single, states + t * width, cell + t * width, gate + 4 * t * width, more, added, before, s.batch,
                      s.hidden)
        now, before = steps[t], cell + t * width
    t = 0 if reverse else s.steps - 1
    hy[...] = now.reshape((<object>hy).shape)
    cy[...] = (<object>cells).reshape(s.steps, s.batch, s.hidden)[t].reshape((<object>cy).shape)


def lstm_backward(cnp.ndarray grad_x not None, cnp.ndarray grad_w_ih not None, cnp.ndarray grad_w_hh not None,
                  cnp.ndarray grad_bias not None, cnp.ndarray grad_hx not None, cnp.ndarray grad_cx not None,
                  cnp.ndarray grad_out not None, cnp.ndarray grad_hy not None, cnp.ndarray grad_cy not None,
                  cnp.ndarray x not None, cnp.ndarray w_ih not None, cnp.ndarray w_hh not None,
                  cnp.ndarray hx not None, cnp.ndarray cx not None, cnp.ndarray out not None,
                  cnp.ndarray gates not None, cnp.ndarray cells not None, bint reverse):
    """Gradients of lstm for x, the weights, the bias and the first states."""
    if not is_real(cnp.PyArray_TYPE(x)):
        return in_float32(lstm_backward, 6, grad_x, grad_w_ih, grad_w_hh, grad_bias, grad_hx, grad_cx, grad_out,
                          grad_hy, grad_cy, x, w_ih, w_hh, hx, cx, out, gates, cells, reverse)
    cdef Sizes s = Sizes(x, w_ih, w_hh)
    cdef bint single = s.kind == cnp.NPY_FLOAT
    cdef Py_ssize_t width = cnp.PyArray_ITEMSIZE(x) * s.state, step, t
    for array, size in ((grad_x, cnp.PyArray_SIZE(x)), (grad_w_ih, cnp.PyArray_SIZE(w_ih)), (grad_hx, s.state),
                        (grad_w_hh, cnp.PyArray_SIZE(w_hh)), (grad_bias, 4 * s.hidden)):
        into(<cnp.ndarray?>array, s.kind, size)
    data(grad_hy, s.kind, s.state)
    data(grad_cy, s.kind, s.state)
    data(hx, s.kind, s.state)
    cdef char* g = <char*>data(grad_out, s.kind, s.states)
    cdef char* cell = <char*>data(cells, s.kind, s.states)
    cdef char* gate = <char*>data(gates, s.kind, s.gates)
    cdef void* first = data(cx, s.kind, s.state)
    cdef void* to_cell = into(grad_cx, s.kind, s.state)
    data(out, s.kind, s.states)
    cdef cnp.ndarray to_gates = np.empty((s.steps, s.batch, 4 * s.hidden), x.dtype)
    cdef cnp.ndarray from_next = np.array(grad_hy, x.dtype).reshape(s.batch, s.hidden)
    cdef char* to = <char*>cnp.PyArray_DATA(to_gates)
    cdef void* more = cnp.PyArray_DATA(from_next)
    grad_cx[...] = (<object>grad_cy).reshape((<object>grad_cx).shape)
    w = (<object>w_hh).reshape(4 * s.hidden, s.hidden)
    for step in range(s.steps):
        t = step if reverse else s.steps - 1 - step
        lstm_step_backward_any(single, to + 4 * t * width, to_cell, g + t * width, more, gate + 4 * t * width,
                               cell + t * width,
                               first if step == s.steps - 1 else cell + (t + 1 if reverse else t - 1) * width,
                               s.batch, s.hidden)
        multiply_into(from_next, (<object>to_gates)[t], w, False)
    grad_hx[...] = (<object>from_next).reshape((<object>grad_hx).shape)
    products(s, grad_x, grad_w_ih, grad_w_hh, grad_bias, to_gates, x, w_ih, hx, out, reverse)


cdef int products(Sizes s, cnp.ndarray grad_x, cnp.ndarray grad_w_ih, cnp.ndarray grad_w_hh, cnp.ndarray grad_bias,
                  cnp.ndarray to_gates, cnp.ndarray x, cnp.ndarray w_ih, cnp.ndarray hx, cnp.ndarray out,
                  bint reverse) except -1:
    """What follows from the gradients of the gates of all steps at once."""
    cdef Py_ssize_t many = s.steps * s.batch
    flat = (<object>to_gates).reshape(many, 4 * s.hidden)
    inputs, w = (<object>x).reshape(many, s.inputs), (<object>w_ih).reshape(4 * s.hidden, s.inputs)
    states = (<object>out).reshape(s.steps, s.batch, s.hidden)
    before = np.empty_like(states)
    if s.steps:
        before[s.steps - 1 if reverse else 0] = (<object>hx).reshape(s.batch, s.hidden)
        if reverse:
            before[:s.steps - 1] = states[1:]
        else:
            before[1:] = states[:s.steps - 1]
    multiply_into((<object>grad_x).reshape(many, s.inputs), flat, w, False)
    multiply_into((<object>grad_w_ih).reshape(4 * s.hidden, s.inputs), flat.T, inputs, False)
    multiply_into((<object>grad_w_hh).reshape(4 * s.hidden, s.hidden), flat.T, before.reshape(many, s.hidden), False)
    flat.sum(axis=0, out=(<object>grad_bias).reshape(4 * s.hidden))
    return 0
