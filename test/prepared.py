"""What many compilations of the tests share, made once: precompiled headers, and objects that are the same for all.

Each stands in a folder of its own, which is named by all that it depends on: runs of the tests can share one, at the same time too.
"""
import fcntl
import functools
import hashlib
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def made_once(folder, kind, parts, make):
    """The folder for `parts`, filled by `make(it)`; an older one of this kind goes."""
    name = lambda texts: hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    kind = name(kind)
    place = folder / f"{kind}-{name(parts)}"
    with open(folder / f"{kind}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "done").exists():
            for old in folder.glob(f"{kind}-*"):
                shutil.rmtree(old)
            place.mkdir()
            make(place)
            (place / "done").touch()
    return place


@functools.lru_cache(None)
def version(cxx):
    return subprocess.run([cxx, "--version"], capture_output=True, text=True, timeout=60).stdout


@functools.lru_cache(None)
def runtime():
    return "\0".join(p.read_text() for p in sorted([*ROOT.glob("runtime/include/**/*.h*"), *ROOT.glob("mpi-adjoint/include/**/*.h*")]))


def compile(what, cxx, *words):
    done = subprocess.run([str(w) for w in (cxx, *words)], capture_output=True, text=True, errors="replace", timeout=600)
    if done.returncode != 0:
        raise SystemExit(f"{what} can't be compiled: {next((x for x in done.stderr.splitlines() if 'error' in x), done.stderr[-300:])}")


@functools.lru_cache(None)
def headers(folder, cxx, flags, names):
    """The flags that include headers, precompiled. `flags`: what else the compilation has, but for warnings; a tuple, as `names`."""
    text = "".join(f"#include <{n}>\n" for n in names)

    def make(place):
        header = place / "headers.hpp"
        header.write_text(text)
        compile("what the tests include", cxx, *flags, "-x", "c++-header", header, "-o", f"{header}.{'pch' if 'clang' in str(cxx) else 'gch'}")

    kind = [str(w) for w in (cxx, *flags)]
    own = [p.read_text() for n in names for p in [pathlib.Path(n)] if p.is_absolute() for p in sorted(p.parent.glob("*.hpp"))]
    return "-include", made_once(folder, kind, [version(cxx), *kind, text, runtime(), *own], make) / "headers.hpp"


def object(folder, cxx, flags, source):
    """The object of a source that includes no more than headers beside it."""
    kind = [str(w) for w in (cxx, *flags, source)]
    texts = [p.read_text() for p in [source, *sorted(source.parent.glob("*.hpp"))]]
    place = made_once(folder, kind, [version(cxx), *kind, *texts],
                      lambda place: compile(source.name, cxx, *flags, "-c", source, "-o", place / "object.o"))
    return place / "object.o"
