"""The compiled part of the build: a table of extensions; pyproject.toml holds everything else."""

import os
import re
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

# The hot path. A .py is compiled as it stands, with the types of the .pxd beside it; a .pyx has a .py twin.
COMPILED = [
    "kernels/compiled/activation.pyx",
    "kernels/compiled/attention.pyx",
    "kernels/compiled/embedding.pyx",
    "kernels/compiled/loss.pyx",
    "kernels/compiled/norm.pyx",
    "kernels/compiled/pointwise.pyx",
    "kernels/compiled/softmax.pyx",
    "kernels/compiled/update.pyx",
    "kernels/compiled/random.pyx",
    "kernels/compiled/sums.pyx",
    "kernels/compiled/unary.pyx",
    "record/blocks.pyx",
    "record/logs.pyx",
    "record/rows.pyx",
    "record/signals.pyx",
    "record/tracer.pyx",
    "record/ranges.py",
    "profiler/views/walk.py",
    "profiler/memory/passes.py",
    "profiler/export/trace_text.pyx",
    "core/dtype.py",
    "core/geometry.py",
    "core/modes.pyx",
    "core/strided.pyx",
    "core/storage.py",
    "core/signs.py",
    "core/tensor.py",
    "core/memory_overlap.py",
    "core/fields.py",
    "core/growth.py",
    "core/overrides.py",
    "core/describe.pyx",
    "opdef/operator.py",
    "opdef/derivative.py",
    "autograd/node.py",
    "autograd/op_node.py",
    "autograd/engine.py",
    "dispatch/bind.py",
    "dispatch/history.py",
    "dispatch/pointwise.py",
    "dispatch/written_memory.py",
    "dispatch/python_dispatch.py",
    "dispatch/road.py",
    "dispatch/inner.py",
    "dispatch/packet.py",
    "ops/contract.py",
    "ops/copy.py",
    "ops/create.py",
    "ops/matmul.py",
    "ops/norms.py",
    "ops/permute.py",
    "ops/reduce.py",
    "ops/slice.py",
    "ops/squeeze.py",
    "ops/view.py",
]

# Compiled as they stand, without types: the ops that every training step calls. Readable first, and twice as fast.
PLAIN = [
    "core/promotion.py",
    "opdef/rules.py",
    *(f"ops/{name}.py" for name in (
        "activation", "arithmetic", "attention", "clamp", "dropout", "elementwise", "embedding", "foreach", "indexing",
        "interpolate", "join", "loss", "norm", "softmax", "split", "to")),
]

# Their classes are made as Python makes them, so that users can set attributes on them (``torch.Tensor.f = f``).
MUTABLE = {"mindtorch_v2.core.tensor"}


# Everything is checked as Python checks it. Only the kernels' loops turn that off in their first line: they take their
# arrays through kernels/compiled/arrays.pxd. Unpickling a compiled class by its fields would put anything into them.
SAFE = {"binding": True, "boundscheck": True, "wraparound": True, "nonecheck": True, "auto_pickle": False}


class optional_build_ext(build_ext):  # noqa: N801  setuptools' way to spell a command
    """Builds what it can; without a compiler the package installs uncompiled, and says so."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        try:
            super().run()
        except Exception as error:
            self.uncompiled(error)

    def build_extension(self, ext):
        try:
            super().build_extension(ext)
        except Exception as error:
            self.uncompiled(error)

    def uncompiled(self, error):
        if os.environ.get("MINDTORCH_REQUIRE_COMPILED"):
            raise error
        print(f"mindtorch_v2: not compiled ({error}); the package works, at Python speed.", file=sys.stderr)


CIMPORT = re.compile(r"^from (\.+)([\w.]*) cimport (.+)$", re.MULTILINE)


def leans_on(path, found):
    """The file, the .pxd beside it, and every .pxd of the package that these cimport, in turn."""
    if path in found or not path.exists():
        return found
    found.add(path)
    leans_on(path.with_suffix(".pxd"), found)
    for dots, module, names in CIMPORT.findall(path.read_text(encoding="utf-8")):
        there = path.parents[len(dots) - 1].joinpath(*module.split("."))
        for declared in (there, *(there / name.split()[0] for name in names.split(","))):
            leans_on(declared.with_suffix(".pxd"), found)
    return found


def remove_stale():
    """Delete C that is older than what it was made from; Cython overlooks directives and ``from .package cimport``."""
    for path in COMPILED + PLAIN:
        source = Path("src/mindtorch_v2", path)
        made = source.with_suffix(".c")
        made_from = leans_on(source, {Path(__file__)})
        if made.exists() and made.stat().st_mtime < max(p.stat().st_mtime for p in made_from):
            made.unlink()


def keep_one_member_table(made):
    """Drop the second, empty table of members that Cython gives a class with __dict__ and __weakref__."""
    text = made.read_text(encoding="utf-8")
    one = re.sub(r"^ *\{Py_tp_members, \(void\*\)\w+_members\},\n", "", text, flags=re.MULTILINE)
    if one != text:
        made.write_text(one, encoding="utf-8")


def extensions():
    try:
        import numpy
        from Cython.Build import cythonize
    except ImportError:
        return []
    flags = [] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno", "-fno-trapping-math", "-fwrapv"]
    asked = os.environ.get("MINDTORCH_CFLAGS", "").split()  # the last word: `make sanitize` has its own
    made = [
        Extension("mindtorch_v2." + os.path.splitext(path)[0].replace("/", "."), ["src/mindtorch_v2/" + path],
                  include_dirs=[numpy.get_include()], extra_compile_args=flags + asked,
                  define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")])
        for path in COMPILED + PLAIN
    ]
    for ext in made:
        if ext.name in MUTABLE:
            ext.define_macros.append(("CYTHON_USE_TYPE_SPECS", "1"))
    for ext in made[len(COMPILED):]:
        ext.cython_directives = {"annotation_typing": False}
        ext.extra_compile_args = ["-O1" if flag == "-O3" else flag for flag in flags] + asked  # no loops: build quickly
    remove_stale()
    cythonized = cythonize(made, language_level=3, nthreads=2, compiler_directives=SAFE)
    for ext in cythonized:
        if ext.name in MUTABLE:
            keep_one_member_table(Path(ext.sources[0]))
    return cythonized


setup(ext_modules=extensions(), cmdclass={"build_ext": optional_build_ext})
