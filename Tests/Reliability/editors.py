#!/usr/bin/env python3
"""Two processes that save one file: every generation that was called saved is accounted for.

usage: editors.py PROGRAM [--saves N] [--folder DIR]

Before that one editor alone: another program overwrites the open file with as many bytes and sets the
time of change back. A save asks, a forced one keeps theirs.

Each process opens the document, adds a layer with a name of its own and saves, again and again; the
same with an attribute of the one feature of a GeoJSON file. A save that the program called done must
be in the file, in a NAME.theirs beside it, or among its earlier versions. Without --force a refusal (exit 4) counts as reported; with it nothing is refused
and every lost race leaves a NAME.theirs.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time

from editor import Editor
from harness import FEATURES, MAP, Place, operations


def saver(place, name, count, force, said, refused, trouble):
    for number in range(count):
        layer = "%s%d" % (name, number)
        path = os.path.join(place.base, "script-" + name)
        with open(path, "w") as out:
            edit = "new-layer %s" if place.file.endswith(".doc") else "select all\nset %s=1"
            out.write("open %s\n%s\nsave%s\n" % (
                place.file, edit % layer, " --force" if force else ""))
        result = place.run([place.program, "run", path])
        if result.returncode == 0:
            said.append(layer)
        elif result.returncode == 4 and not force:
            refused.append(layer)
        else:
            trouble.append((layer, result.returncode, result.stderr[-200:]))


def edits(place, path):
    """The names of the layers of a document, or of the attributes of a file of map data."""
    if place.file.endswith(".doc"):
        return place.layers(path) or []
    with open(path) as file:
        return re.findall(r'"([ab]\d+)"', file.read())


def accounted(place):
    """Every edit that stands in the file, beside it, or in an earlier version."""
    found = set()
    for name in os.listdir(place.folder):
        if name.startswith(os.path.basename(place.file)):
            found.update(edits(place, os.path.join(place.folder, name)))
    in_files = set(found)
    listed = place.run([place.program, "versions", place.file, "--json"])
    for version in json.loads(listed.stdout):
        path = os.path.join(place.base, "version-" + os.path.basename(place.file))
        restored = place.run([
            place.program, "versions", place.file, "--restore", str(version["number"]),
            "-o", path, "--force"])
        assert restored.returncode == 0, restored.stderr
        found.update(edits(place, path))
    return in_files, found


def race(place, count, force, name):
    if name.endswith(".doc"):
        operation = operations(place.base)[0]
        operation.learn(place)
        operation.prepare(place)
    else:
        place.clear()
        place.use(name)
        with open(place.file, "w") as out:
            out.write('{"type":"FeatureCollection","features":[%s]}\n' % FEATURES[0])
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
        "%s 2 x %d saves of %s%s: %d saved, %d refused, %d theirs, %d only as versions, %d lost%s" % (
            "ok  " if good else "FAIL", count, name, " --force" if force else "", len(said),
            len(refused), len(theirs), only_versions, len(lost),
            "" if good else " %s %s %s" % (lost[:5], trouble[:3], hidden)), flush=True)
    return good


def unnoticed(place, name, is_linked):
    """A write that leaves the file's inode, size and time of change as they were."""
    operation = operations(place.base)[0]
    if name.endswith(".doc"):
        operation.learn(place)
    place.clear()
    place.use(name)
    content = operation.old if name.endswith(".doc") else MAP.encode()
    with open(place.file, "wb") as out:
        out.write(content)
    if is_linked:
        os.link(place.file, os.path.join(place.folder, "other-" + name))
    editor = Editor([place.program, place.file], place.environment(), place.base)
    try:
        editor.wait(b"1 layer")
        editor.read(0.3)
        status = os.stat(place.file)
        theirs = content.replace(b"p299", b"Z299")
        with open(place.file, "r+b") as out:
            out.write(theirs)
        os.utime(place.file, ns=(status.st_atime_ns, status.st_mtime_ns))
        found = []
        if os.stat(place.file).st_mtime_ns != status.st_mtime_ns or theirs == content:
            found.append("the trial itself")
        editor.type(":select all\r:set mark=7\r")
        editor.wait(b"autosaved")
        editor.type(":w\r")
        if not editor.wait(b"heirs", 10):
            found.append("no question")
        editor.type("\x1b")
        editor.read(0.5)
        with open(place.file, "rb") as file:
            if file.read() != theirs:
                found.append("overwritten")
        editor.type(":w!\r")
        beside = place.file + ".theirs"
        end = time.monotonic() + 20
        while not os.path.exists(beside) and time.monotonic() < end:
            editor.read(0.05)
        editor.type(":q\r")
        editor.wait_for_end(20)
        if not os.path.exists(beside):
            found.append("theirs is lost")
        else:
            with open(beside, "rb") as file:
                if file.read() != theirs:
                    found.append("theirs is another content")
    finally:
        editor.kill()
    print("%s a write with its time set back, of %s%s: %s" % (
        "FAIL" if found else "ok  ", name, " with two names" if is_linked else "",
        ", ".join(found) or "asked, theirs kept"), flush=True)
    return not found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--saves", type=int, default=40)
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-race-", dir=options.folder))
    try:
        place = Place(folder, options.program)
        results = [
            unnoticed(place, name, is_linked)
            for name in ("f.doc", "f.geojson") for is_linked in (False, True)]
        results += [
            race(place, options.saves, force, name)
            for name in ("f.doc", "f.geojson") for force in (False, True)]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (results.count(True), results.count(False)))
    return 0 if all(results) else 1


sys.exit(main())
