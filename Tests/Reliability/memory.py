#!/usr/bin/env python3
"""The memory that a large file of map data takes while it is opened, edited and saved back.

usage: memory.py PROGRAM [--size MIB] [--file NAME]... [--folder DIR]

The peak of an import of the same file is the measure; an edit that is saved may take the bytes that
were read, those that are written and those that are read back on top of it.
"""
import argparse
import os
import shutil
import sys
import tempfile

from harness import Place

# Of the size of the file, on top of what the import takes.
BOUND = 5
SPARE = 48 << 20


def content(name, size):
    """Points with a name, a number and a text; lines of about the same length."""
    rows, count, number = [], 0, 0
    is_table = name.endswith(".csv")
    while count < size:
        x, y = number * 7 % 36000 / 100 - 180, number * 13 % 17000 / 100 - 85
        text = "the text of place %d, which says a little more" % number
        if is_table:
            row = "p%d,%.2f,%.2f,%d,%s" % (number, x, y, number % 997, text.replace(",", ";"))
        else:
            row = (
                '{"type":"Feature","properties":{"name":"p%d","n":%d,"text":"%s"},"geometry":'
                '{"type":"Point","coordinates":[%.2f,%.2f]}}' % (number, number % 997, text, x, y))
        rows.append(row)
        count += len(row) + 1
        number += 1
    if is_table:
        return "\n".join(["name,lon,lat,n,text", *rows, ""])
    if name.endswith(".geojsonl"):
        return "\n".join([*rows, ""])
    return '{"type":"FeatureCollection","features":[\n%s\n]}\n' % ",\n".join(rows)


def peak(place, command):
    """The most memory that a run had at once, in bytes."""
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(sink, descriptor)
        os.execve(command[0], command, place.environment())
    _, status, usage = os.wait4(child, 0)
    return usage.ru_maxrss * 1024 if status == 0 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--size", type=int, default=16)
    parser.add_argument("--file", action="append")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-memory-", dir=options.folder))
    passed = failed = 0
    try:
        place = Place(folder, options.program)
        for name in options.file or ["f.csv", "f.geojson", "f.geojsonl"]:
            place.clear()
            place.use(os.path.basename(name))
            if os.path.exists(name):
                shutil.copy(name, place.file)
            else:
                with open(place.file, "w") as out:
                    out.write(content(name, options.size << 20))
            size = os.path.getsize(place.file)
            script = os.path.join(folder, "script")
            peaks = {}
            for what, lines in (
                    ("open", ""), ("save", "save\n"),
                    ("edit all and save", "select all\nset note=kept\nsave\n"),
                    ("move all and save", "select all\nmove --by 0.5,0.5\nsave\n")):
                with open(script, "w") as out:
                    out.write("open %s\n%s" % (place.file, lines))
                peaks[what] = peak(place, [place.program, "run", script])
            made = os.path.join(folder, "made.doc")
            limit = peak(
                place, [place.program, "import", place.file, "-o", made, "--force", "--no-versions"])
            good = None not in peaks.values() and limit is not None
            good = good and max(peaks.values()) <= limit + BOUND * size + SPARE
            passed += good
            failed += not good
            print("%s %s of %.0f MiB: import %s, %s MiB" % (
                "ok  " if good else "FAIL", place.file.rpartition("/")[2], size / 1048576,
                limit and limit >> 20, ", ".join(
                    "%s %s" % (what, found and found >> 20) for what, found in peaks.items())),
                flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
