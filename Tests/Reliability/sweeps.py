#!/usr/bin/env python3
"""Kills, failing calls and power cuts at every moment of a save, a recovery and a migration.

usage: sweeps.py PROGRAM MODE... [--every N] [--operation NAME] [--folder DIR]
  MODE  kill | fault | power:ext4[,mount options] | power:xfs | random:N

At each point the document must be the old or the new one, and the new one if the program said so;
recovered work must be in the document or its journal, and a document that was lifted to a newer
format must still be there as it was.
The negative controls save as most programs do, or forget what is to be kept; a sweep that does not
find that out fails.
Prints a line for each sweep; the last line is `N passed, N failed`.
"""
import argparse
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from harness import (
    ERRORS, MUTATING, Control, Disk, Place, Tally, inject, operations, points)


def judge(operation, place, result, what, states, bad, checks_litter):
    said = result.returncode == 0
    state = operation.state(place)
    states[state + ("/saved" if said else "")] += 1
    wrong = state not in ("old", "new", "none") or (said and state != "new")
    litter = operation.litter(place) if checks_litter else []
    loss = operation.loss(place, state, said)
    if wrong or loss or litter or (checks_litter and result.returncode < 0):
        bad.append((
            what, state, loss, "rc %d" % result.returncode, litter, result.stderr[-120:]))


def kill(place, operation, every):
    states, bad = collections.Counter(), []
    found = points(place, operation)[::every]
    for point in found:
        operation.prepare(place)
        result = inject(place, operation, point, "signal=KILL")
        judge(operation, place, result, point, states, bad, checks_litter=False)
    return len(found), states, bad


def fault(place, operation, every):
    states, bad, count = collections.Counter(), [], 0
    cases = [
        (point, error)
        for point in points(place, operation, MUTATING | {"read", "close"})
        for error in ERRORS.get(point.call, [])
    ]
    for point, error in cases[::every]:
        operation.prepare(place)
        result = inject(place, operation, point, "error=" + error)
        # What cannot be removed stays, and a lock file that cannot be read may be another's.
        is_lock = point.call == "read" and ".lock" in point.text
        checks_litter = not point.call.startswith("unlink") and not is_lock
        judge(operation, place, result, (point, error), states, bad, checks_litter)
        count += 1
    return count, states, bad


def power(disk, place, operation, every):
    states, bad, count = collections.Counter(), [], 0
    for point in points(place, operation)[::every] + [None]:
        for other in (False, True):
            operation.prepare(place)
            place.synchronize()
            if point:
                result = inject(place, operation, point, "signal=KILL")
            else:
                result = place.run(operation.command(place))
            if other:
                # Another program's fsync may put names on the disk before our data.
                path = os.path.join(place.base, "unrelated")
                with open(path, "wb") as file:
                    file.write(b"x")
                    os.fsync(file.fileno())
            disk.cut()
            judge(operation, place, result, (point, other), states, bad, checks_litter=False)
            count += 1
    return count, states, bad


def random_kills(place, count):
    """Kills a run of many saves at any moment; what was saved must be there."""
    states, bad = collections.Counter(), []
    generator = random.Random(1)
    first = operations(place.base)[0]
    first.learn(place)
    first.prepare(place)
    number, saves = 0, 0
    for turn in range(count):
        if number > 150:
            first.prepare(place)
            number = 0
        lines = "".join("new-layer g%d\nsave\nwhere\n" % n for n in range(number, number + 400))
        with open(os.path.join(place.base, "script"), "w") as out:
            out.write("open %s\n%s" % (place.file, lines))
        process = subprocess.Popen(
            first.command(place), env=place.environment(), stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        # Most turns wait for the first save, so that the kill comes amid the later ones.
        first_line = process.stdout.readline() if turn % 8 else b""
        time.sleep(generator.random() * 0.2)
        process.kill()
        said = (first_line + process.stdout.read()).count(b"\n")
        process.wait()
        layers = place.layers()
        if layers is None:
            bad.append(("unreadable", number, said))
            first.prepare(place)
            number = 0
            continue
        found = len(layers) - 1
        states["new" if found > number else "old"] += 1
        if not number + said <= found <= number + said + 1:
            bad.append(("had", number, "said", said, "found", found))
        saves += said
        number = found
    states["saves"] = saves
    return count, states, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("modes", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--operation")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    tally = Tally()
    for mode in options.modes:
        folder = tempfile.mkdtemp(prefix="portolan-sweep-", dir=options.folder)
        try:
            sweep(mode, os.path.realpath(folder), options, tally)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


def sweep(mode, folder, options, tally):
    name, _, detail = mode.partition(":")
    started = time.time()
    if name == "random":
        place = Place(folder, options.program)
        tally.report("random kills", *random_kills(place, int(detail)), started)
        return
    disk = None
    if name == "power":
        try:
            disk = Disk(folder, detail)
            disk.mount()
        except (subprocess.CalledProcessError, FileNotFoundError) as error:
            print("SKIP %s: %s" % (mode, error), flush=True)
            return
        place = Place(disk.mount_point, options.program)
        run = lambda operation, every: power(disk, place, operation, every)
        controls = [
            (how, name)
            for how in ("in-place", "no-directory-fsync") for name in ("save", "data-map")]
    else:
        place = Place(folder, options.program)
        body = {"kill": kill, "fault": fault}[name]
        run = lambda operation, every: body(place, operation, every)
        controls = [("in-place", "save"), ("in-place", "data-map")]
    try:
        known = operations(place.base)
        for operation in known:
            operation.learn(place)
            if options.operation not in (None, operation.name):
                continue
            started = time.time()
            tally.report("%s %s" % (mode, operation.name), *run(operation, options.every), started)
        for how, name in controls + [("forgetful", "recovery"), ("forgetful", "migration")]:
            like = next(operation for operation in known if operation.name == name)
            if options.operation not in (None, name):
                continue
            started = time.time()
            tally.report(
                "%s control %s %s" % (mode, how, name), *run(Control(how, like), 1), started,
                expects_bad=True)
    finally:
        if disk:
            disk.unmount()


sys.exit(main())
