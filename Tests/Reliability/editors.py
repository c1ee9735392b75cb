#!/usr/bin/env python3
"""Two processes that save one document: every generation that was called saved is accounted for.

usage: editors.py PROGRAM [--saves N] [--folder DIR]

Each process opens the document, adds a layer with a name of its own and saves, again and again. A
save that the program called done must be in the document, in a NAME.theirs beside it, or among its
earlier versions. Without --force a refusal (exit 4) counts as reported; with it nothing is refused
and every lost race leaves a NAME.theirs.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile
import threading

from harness import Place, operations


def saver(place, name, count, force, said, refused, trouble):
    for number in range(count):
        layer = "%s%d" % (name, number)
        path = os.path.join(place.base, "script-" + name)
        with open(path, "w") as out:
            out.write("open %s\nnew-layer %s\nsave%s\n" % (
                place.file, layer, " --force" if force else ""))
        result = place.run([place.program, "run", path])
        if result.returncode == 0:
            said.append(layer)
        elif result.returncode == 4 and not force:
            refused.append(layer)
        else:
            trouble.append((layer, result.returncode, result.stderr[-200:]))


def accounted(place):
    """Every layer that stands in the document, beside it, or in an earlier version."""
    found = set()
    for name in os.listdir(place.folder):
        if name.startswith("f.doc"):
            found.update(place.layers(os.path.join(place.folder, name)) or [])
    in_files = set(found)
    listed = place.run([place.program, "versions", place.file, "--json"])
    for version in json.loads(listed.stdout):
        path = os.path.join(place.base, "version.doc")
        place.run([
            place.program, "versions", place.file, "--restore", str(version["number"]),
            "-o", path, "--force"])
        found.update(place.layers(path) or [])
    return in_files, found


def race(place, count, force):
    operation = operations(place.base)[0]
    operation.learn(place)
    operation.prepare(place)
    said, refused, trouble = [], [], []
    threads = [
        threading.Thread(target=saver, args=(place, name, count, force, said, refused, trouble))
        for name in ("a", "b")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    in_files, found = accounted(place)
    lost = [layer for layer in said if layer not in found]
    theirs = [name for name in os.listdir(place.folder) if ".theirs" in name]
    hidden = [name for name in os.listdir(place.folder) if name.startswith(".")]
    only_versions = len([layer for layer in said if layer not in in_files])
    good = not lost and not trouble and not hidden and len(said) + len(refused) == 2 * count
    print(
        "%s 2 x %d saves%s: %d saved, %d refused, %d theirs, %d only as versions, %d lost%s" % (
            "ok  " if good else "FAIL", count, " --force" if force else "", len(said),
            len(refused), len(theirs), only_versions, len(lost),
            "" if good else " %s %s %s" % (lost[:5], trouble[:3], hidden)), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--saves", type=int, default=40)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-race-", dir=options.folder))
    try:
        place = Place(folder, options.program)
        results = [race(place, options.saves, force) for force in (False, True)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (results.count(True), results.count(False)))
    return 0 if all(results) else 1


sys.exit(main())
