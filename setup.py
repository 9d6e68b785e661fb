"""The compiled part of the build: which files it is; pyproject.toml holds everything else."""

import os
import re
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools._distutils.ccompiler import new_compiler
from setuptools._distutils.sysconfig import customize_compiler
from setuptools.command.build_ext import build_ext

SOURCE = Path("src/mindtorch_v2")
# The first line of a file that is compiled as it stands, without types: the ops that every training step calls.
PLAIN = "# cython: annotation_typing=False"


def hot_files():
    """The hot path, and of it what has no types: every .pyx, which has a .py twin; a .py with the types of the .pxd
    beside it; and a .py that says so in its first line."""
    typed = [path for path in SOURCE.rglob("*.pyx")]
    typed += [path for path in SOURCE.rglob("[!_]*.py") if path.with_suffix(".pxd").exists()
              and not path.with_suffix(".pyx").exists()]
    plain = [path for path in SOURCE.rglob("*.py") if path.open(encoding="utf-8").readline().strip() == PLAIN]
    return sorted(typed), [] if os.environ.get("MINDTORCH_TYPED_ONLY") else sorted(plain)


# Their classes are made as Python makes them, so that users can set attributes on them (``torch.Tensor.f = f``).
MUTABLE = {"mindtorch_v2.autograd.op_node", "mindtorch_v2.core.tensor"}


# Everything is checked as Python checks it. Only the loops of kernels turn that off in their first line: they take
# their arrays through devices/cpu/compiled/arrays.pxd. Unpickling a compiled class by its fields would put anything
# into them.
SAFE = {"binding": True, "boundscheck": True, "wraparound": True, "nonecheck": True, "auto_pickle": False}


class optional_build_ext(build_ext):  # noqa: N801  setuptools' way to spell a command
    """Builds what it can; without a compiler the package installs uncompiled, and says so."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        try:
            self.check_compiler()
            write_c(self.extensions)
            super().run()
        except Exception as error:
            self.uncompiled(error)

    def check_compiler(self):
        """Compile nothing much: without a compiler, there is no need to write a hundred files of C first."""
        compiler = new_compiler()
        customize_compiler(compiler)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "nothing.c")
            source.write_text("int nothing;\n", encoding="utf-8")
            compiler.compile([str(source)], output_dir=folder)

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
HEADER = re.compile(r'(?:extern from|#include) "([^"]+)"')


def leans_on(path, found):
    """The file, the .pxd beside it, and every .pxd and header of the package that these name, in turn."""
    if path in found or not path.exists():
        return found
    found.add(path)
    leans_on(path.with_suffix(".pxd"), found)
    text = path.read_text(encoding="utf-8")
    for header in HEADER.findall(text):
        leans_on(path.parent / header, found)
    for dots, module, names in CIMPORT.findall(text):
        there = path.parents[len(dots) - 1].joinpath(*module.split("."))
        for declared in (there, *(there / name.split()[0] for name in names.split(","))):
            leans_on(declared.with_suffix(".pxd"), found)
    return found


def remove_stale():
    """Delete C that is older than what it was made from, and what was built from files that are gone: Cython overlooks
    directives and ``from .package cimport``, and Python would import an extension that has no source any more."""
    for source in sum(hot_files(), []):
        made = source.with_suffix(".c")
        made_from = leans_on(source, {Path(__file__)})
        if made.exists() and made.stat().st_mtime < max(p.stat().st_mtime for p in made_from):
            made.unlink()
    for built in [*SOURCE.rglob("*.c"), *SOURCE.rglob("*.so"), *SOURCE.rglob("*.pyd")]:
        source = built.with_name(built.name.partition(".")[0])
        if not any(source.with_suffix(suffix).exists() for suffix in (".py", ".pyx")):
            built.unlink()


# What Cython writes for a class with __dict__ and __weakref__, and what stands there instead: of its two tables of
# members the second is empty, and a dict is made when an attribute is set, as Python does for its own classes.
AMENDED = {r"^ *\{Py_tp_members, \(void\*\)\w+_members\},\n": "",
           r"p->__dict__ = PyDict_New\(\); if \(unlikely\(!p->__dict__\)\) goto bad;": "p->__dict__ = NULL;"}


def amend(made):
    """Rewrite those places in the C of a module."""
    text = amended = made.read_text(encoding="utf-8")
    for written, wanted in AMENDED.items():
        amended = re.sub(written, wanted, amended, flags=re.MULTILINE)
    if amended != text:
        made.write_text(amended, encoding="utf-8")


def extensions():
    try:
        import numpy
    except ImportError:
        return []
    flags = [] if sys.platform == "win32" else ["-O3", "-g0", "-fno-math-errno", "-fno-trapping-math", "-fwrapv"]
    asked = os.environ.get("MINDTORCH_CFLAGS", "").split()  # the last word: `make sanitize` has its own
    typed, plain = hot_files()
    made = [
        Extension(".".join(path.with_suffix("").parts[1:]), [path.as_posix()],
                  include_dirs=[numpy.get_include()],
                  extra_compile_args=flags + asked,
                  define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")])
        for path in typed + plain
    ]
    for ext in made:
        if ext.name in MUTABLE:
            ext.define_macros.append(("CYTHON_USE_TYPE_SPECS", "1"))
    for ext in made[len(typed):]:
        ext.extra_compile_args = ["-O1" if flag == "-O3" else flag for flag in flags] + asked  # no loops: build quickly
    return made


def write_c(extensions):
    """Have Cython write their C: when something is built, and not when it is only packed or asked for."""
    from Cython.Build import cythonize
    remove_stale()
    sources = {c.name: c.sources for c in
               cythonize(extensions, language_level=3, nthreads=2, compiler_directives=SAFE)}
    for ext in extensions:
        ext.sources = sources[ext.name]
        if ext.name in MUTABLE:
            amend(Path(ext.sources[0]))


setup(ext_modules=extensions(), cmdclass={"build_ext": optional_build_ext})
