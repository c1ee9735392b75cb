#!/usr/bin/env python3
"""Every form of inspect, convert and diff over archives that were made to break readers.

usage: archives.py PROGRAM FOLDER... [--forms WORD,...]

No run may die, write controls to the output, or take more than 32 MiB + 12 x the file of memory
(beyond that of a program which does nothing), or 0.25 s + 0.5 s for each MiB of processor time.
Lines of archives are made of each file, in hexadecimal digits and in base64. The last line is
`N runs, N deaths, N over the bounds`.
"""
import argparse
import base64
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile

INSPECT = [
    "", "--json", "--raw", "--stats", "--stats --json", "--values", "--values --nested",
    "--values --data hex", "--text", "--exact", "--stable", "--depth 2", "--width 80",
    "--path /root", "--path /root --hex", "--path /root --extract", "--values --path /root",
]
CONVERT = ["keyed", "xml", "typedstream", "json"]
MIB = 1 << 20
# Escapes and other controls; a line feed and a tab are none.
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
# What is written as it stands.
BYTES = ("--extract", "inspect --text", "--format keyed", "--format typedstream", "--format xml")


def commands(path, work):
    """Each form's words, and the file that it reads."""
    for form in INSPECT:
        yield f"inspect {form}".strip(), ["inspect", *form.split(), path], path
    data = path.read_bytes()
    lines = {"hex": data.hex(), "base64": base64.b64encode(data).decode()}
    for name, text in lines.items():
        file = work / name
        file.write_text(f"1|{text}\n2|{text}\n")
        for form in ("", "--text", "--nested"):
            words = ["inspect", "--lines", "--from", name, *form.split(), file]
            yield f"inspect --lines --from {name} {form}".strip(), words, file
    for name in CONVERT:
        yield f"convert --format {name}", ["convert", path, "-o", "-", "--format", name], path
    exact = work / "exact.json"
    if exact.exists():
        for name in ("keyed", "typedstream"):
            words = ["convert", exact, "-o", "-", "--format", name]
            yield f"convert of --exact --format {name}", words, exact
    cut = work / "cut"
    cut.write_bytes(data[:len(data) * 3 // 4] + data[len(data) * 3 // 4 + 1:])
    for form in ("--archive", "--archive --format json", "--archive --width 80"):
        yield f"diff {form} of a file and itself", ["diff", *form.split(), path, path], path
        yield f"diff {form} of a damaged file", ["diff", *form.split(), path, cut], path


def run(program, words):
    """The exit code, processor time and memory in bytes of a run, and whether it wrote controls.

    The output is read in pieces: a run's memory counts as at least that of this program.
    """
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [program, *map(str, words)], stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        wrote = any(CONTROLS.search(piece) for piece in iter(lambda: output.read(MIB), b""))
    return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, wrote


def limit():
    """Ends a run that goes on and on."""
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--forms", default="")
    options = parser.parse_args()
    program = options.program.resolve()
    chosen = options.forms.split(",")
    idle = run(program, ["--version"])
    files = sorted(
        path for folder in options.folders for path in folder.rglob("*")
        if path.is_file() and path.name not in ("MANIFEST.tsv", "README.md"))
    runs, deaths, over, worst = 0, 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        for path in files:
            exact = work / "exact.json"
            exact.unlink(missing_ok=True)
            words = ["inspect", "--quiet", "--exact", path, "-o", exact]
            if run(program, words)[0] != 0:
                exact.unlink(missing_ok=True)
            for form, words, file in commands(path, work):
                if not any(word in form for word in chosen):
                    continue
                code, seconds, memory, controls = run(program, words)
                size = file.stat().st_size
                runs += 1
                used = memory - idle[2]
                key = form.split(" of ")[0]
                worst[key] = tuple(map(max, worst.get(key, (0, 0)), (seconds, used / MIB)))
                faults = []
                if code < 0:
                    deaths += 1
                    faults.append(f"died of {signal.Signals(-code).name}")
                if seconds > 0.25 + 0.5 * size / MIB:
                    faults.append(f"{seconds:.2f} s")
                if used > 32 * MIB + 12 * size:
                    faults.append(f"{used / MIB:.0f} MiB")
                if controls and not any(word in form for word in BYTES):
                    faults.append("controls in the output")
                if "and itself" in form and code == 1:
                    faults.append("differs from itself")
                over += bool(faults) and code >= 0
                if faults:
                    print(f"{path} ({size} bytes): {form}: {', '.join(faults)}")
    for form, (seconds, used) in worst.items():
        print(f"{form:44} at most {seconds:5.2f} s {used:6.1f} MiB")
    print(f"{runs} runs of {len(files)} files, {deaths} deaths, {over} over the bounds")
    return 1 if deaths or over else 0


if __name__ == "__main__":
    sys.exit(main())
