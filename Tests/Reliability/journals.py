#!/usr/bin/env python3
"""Kills, failing calls and power cuts while the editor keeps a journal of what is typed into it.

usage: journals.py PROGRAM MODE... [--every N] [--operation NAME] [--folder DIR]
  MODE  kill | fault | power:ext4[,mount options] | power:xfs

The editor runs on a pseudo-terminal with `faults.c` between it and the system. Each edit gives all
features a name that says its number. At each call that changes a file (journal, document, versions,
lock) it is killed, a write is torn, a call fails, or the power goes. Then the document must open,
and what it and `portolan recover` give must be one whole edit: at least the last that was called
saved, at least the last that was written (power: synced) before, and none older than the bound may
be missing. After a failed call all must be there.

  append      edits, one journal record each
  saving      edits go on while `:w` is under way
  compaction  edits so long that the journal is written anew, twice
  resume      the editor brings back what a killed one left, is edited on and killed as well

The negative controls are the same program without a journal, and with an fsync that does nothing.
Prints a line for each sweep; the last line is `N passed, N failed`.
"""
import argparse
import collections
import errno
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from editor import Editor
from harness import ERRORS, Disk, Place, Tally

# Seconds of typing that may be lost.
KILL_BOUND = 1.0
POWER_BOUND = 2.0

Call = collections.namedtuple("Call", "number name error kind path")
Life = collections.namedtuple("Life", "made ended saved log reached status output")
STEP = 1
# The end of `saved f.doc`: what is on the screen already is not sent again.
SAVED = b"aved f.doc"


class Editing:
    """What is typed into the editor, and how the place is before it."""

    def __init__(self, name, edits=10, saves_after=0, features=1, filler=0, resumes=False):
        self.name = name
        self.edits = edits
        self.saves_after = saves_after
        self.features = features
        self.filler = filler
        self.resumes = resumes
        self.first = 0
        self.document = None

    def learn(self, place, faults):
        """Makes the document and, to be resumed, what a killed editor leaves."""
        place.clear()
        source = os.path.join(place.base, "source.geojson")
        with open(source, "w") as out:
            out.write('{"type":"FeatureCollection","features":[%s]}' % ",".join(
                '{"type":"Feature","properties":{"name":"m0"},"geometry":{"type":"Point",'
                '"coordinates":[%d,%d]}}' % (n % 180, n % 80) for n in range(self.features)))
        made = place.run([place.program, "import", source, "-o", place.file])
        assert made.returncode == 0, made.stderr
        with open(place.file, "rb") as file:
            self.document = file.read()
        if self.resumes:
            self.resumes = False
            life = self.live(place, faults, {})
            assert life.status == -signal.SIGKILL, life
            self.first = self.edits
            shutil.rmtree(self.template(place), ignore_errors=True)
            shutil.copytree(place.state, self.template(place))
            self.resumes = True

    def template(self, place):
        return os.path.join(place.base, "left")

    def prepare(self, place):
        place.clear()
        with open(place.file, "wb") as out:
            out.write(self.document)
        if self.resumes:
            shutil.copytree(self.template(place), place.state)

    def live(self, place, faults, settings, then=None):
        """One life of the editor, to its own end or to ours."""
        self.prepare(place)
        place.synchronize()
        log = os.path.join(faults.folder, "log")
        if os.path.exists(log):
            os.remove(log)
        environment = dict(
            place.environment(), LD_PRELOAD=faults.library, FAULTS_LOG=log,
            FAULTS_UNDER=place.folder + ":" + place.state, **settings)
        # By a short name: what is said of it fits the line.
        editor = Editor([place.program, "f.doc"], environment, place.folder)
        made, saved = {}, 0
        generator = random.Random(1)
        try:
            if self.resumes:
                editor.wait(b"Unsaved work")
                editor.type("r")
                editor.wait(b"recovered")
            else:
                editor.wait(b"Layers")
            editor.type(":select all\r")
            for edit in range(self.first + 1, self.first + self.edits + 1):
                if not editor.is_alive():
                    break
                text = "".join(generator.choices("abcdefghijklmnop", k=self.filler))
                made[edit] = time.monotonic()
                editor.type(":set name=m%dx%s\r" % (edit, text))
                editor.read(0.12)
                if edit == self.first + self.saves_after:
                    editor.type(":w\r")
                    saved = edit
            if saved and not editor.wait(SAVED):
                saved = 0
            if editor.is_alive():
                # What fails for good does not settle.
                self.settle(editor, log, 1.5 if settings.get("FAULTS_AT") == "0" else 6)
                if then and editor.is_alive():
                    then(editor)
        finally:
            editor.kill()
        calls = read_log(log)
        reached = any(call.error == -1 for call in calls)
        return Life(made, editor.ended, saved, calls, reached, editor.status, editor.output)

    @staticmethod
    def settle(editor, log, seconds):
        """Until all that was written is on the disk, and nothing comes after."""
        end = time.monotonic() + seconds
        quiet = 0
        former = None
        while editor.is_alive() and time.monotonic() < end and quiet < 4:
            editor.read(0.1)
            calls = read_log(log)
            journal = [
                "fault" if call.error else call.name
                for call in calls if "/recovery" in call.path]
            open_ends = [name in ("write", "fault") for name in journal]
            is_done = True not in open_ends or "fsync" in journal[last(open_ends, True):]
            quiet = quiet + 1 if is_done and len(calls) == former else 0
            former = len(calls)


def last(items, item):
    return len(items) - 1 - items[::-1].index(item)


def read_log(path):
    try:
        with open(path, errors="replace") as file:
            rows = [line.rstrip("\n").split(" ", 4) for line in file]
    except FileNotFoundError:
        return []
    return [
        Call(int(row[0]), row[1], int(row[2]), int(row[3]), row[4])
        for row in rows if len(row) == 5]


def editings():
    return [
        Editing("append"),
        Editing("saving", edits=8, saves_after=4),
        Editing("compaction", edits=12, features=300, filler=400),
        Editing("resume", edits=6, resumes=True),
    ]


class Faults:
    """The library that stands between program and system, built for this run."""

    def __init__(self, folder):
        self.folder = folder
        self.library = os.path.join(folder, "faults.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faults.c")
        compiler = next((name for name in ("clang", "cc", "gcc") if shutil.which(name)), None)
        if compiler is None:
            raise FileNotFoundError("no C compiler")
        subprocess.run(
            [compiler, "-O1", "-shared", "-fPIC", source, "-o", self.library, "-ldl"], check=True)


# MARK: What must be there

def written(log, first):
    """The last edit whose record was written."""
    return first + sum(
        call.name == "write" and call.kind == STEP and call.error == 0
        and call.path.endswith(".journal") for call in log)


def synced(log, first):
    """The last edit whose record was on the disk, its journal's name among it."""
    steps = pending = kept = first
    is_loose = True
    for call in log:
        if call.error:
            continue
        is_journal = call.path.endswith(".journal")
        if is_journal and call.name == "write" and call.kind == STEP:
            steps += 1
        elif is_journal and call.name in ("openat", "renameat"):
            is_loose = True
        elif is_journal and call.name == "fsync":
            pending = steps
            if not is_loose:
                kept = pending
        elif call.name == "fsync" and call.path.endswith("/recovery"):
            kept, is_loose = pending, False
    return kept


def marker(place, path):
    """The number of the edit that a document is; None if it cannot be read or is none whole."""
    result = place.run([place.program, "export", path, "-o", "-"])
    found = set(re.findall(rb'"name":"m(\d+)', result.stdout))
    return int(found.pop()) if result.returncode == 0 and len(found) == 1 else None


def trouble(place, editing, life, floor, bound):
    """What is wrong with what is left of a life, and the seconds of typing that are lost."""
    stands = marker(place, place.file)
    if stands is None:
        return "the document cannot be read", 0
    if not editing.saves_after:
        with open(place.file, "rb") as file:
            if file.read() != editing.document:
                return "the document was touched", 0
    if stands < life.saved:
        return "save %d is lost, %d stands" % (life.saved, stands), 0
    result = place.run([place.program, "recover", place.file, "-o", place.base + "/r.doc", "--force"])
    found = stands
    if result.returncode == 0:
        found = marker(place, place.base + "/r.doc")
        if found is None:
            return "what was recovered cannot be read", 0
    elif result.returncode != 1:
        return "recover: %s" % result.stderr, 0
    lost = [at for edit, at in life.made.items() if edit > found]
    seconds = life.ended - min(lost) if lost else 0
    if found < floor:
        return "%d was kept, %d is found" % (floor, found), seconds
    if found < editing.first or seconds > bound:
        return "%d is found, %.3f s of work lost" % (found, seconds), seconds
    return None, seconds


class Sweep:
    """The lives of one editing, and what was found."""

    def __init__(self, place, faults, editing, every):
        self.place, self.faults, self.editing, self.every = place, faults, editing, every
        self.states = collections.Counter()
        self.bad = []
        self.count = 0
        self.worst = 0
        editing.learn(place, faults)

    def live(self, what, settings, bound, floor=None, cut=None, then=None):
        life = self.editing.live(self.place, self.faults, settings, then)
        if cut:
            cut()
        least = floor(life.log, self.editing.first) if floor else 0
        wrong, seconds = trouble(self.place, self.editing, life, least, bound)
        self.count += 1
        self.worst = max(self.worst, seconds)
        self.states["reached" if life.reached else "ran to its end"] += 1
        if wrong:
            self.bad.append((what, wrong))
        return life

    def calls(self, **settings):
        life = self.editing.live(self.place, self.faults, settings)
        assert life.log, "the program does not let itself be watched"
        return life.log

    def result(self):
        if self.worst:
            self.states["ms lost at most"] = int(self.worst * 1000)
        return self.count, self.states, self.bad



def kill(sweep):
    for call in sweep.calls()[::sweep.every]:
        for act in ("kill", "tear") if call.name == "write" else ("kill",):
            sweep.live(
                (act, call), {"FAULTS_AT": str(call.number), "FAULTS_DO": act}, KILL_BOUND, written)


WITHOUT_JOURNAL = {
    "FAULTS_CALL": "openat", "FAULTS_NAME": "recovery", "FAULTS_AT": "0",
    "FAULTS_DO": str(errno.EROFS)}


def control_kill(sweep):
    sweep.live("control", WITHOUT_JOURNAL, KILL_BOUND)


def fault(sweep):
    """One call fails: nothing is lost. One kind of call fails for good: that is told."""
    name = {"FAULTS_NAME": "recovery"}
    cases = [
        (call, error) for call in sweep.calls(**name) for error in ERRORS.get(call.name, [])]
    for call, error in cases[::sweep.every]:
        number = str(getattr(errno, error))
        settings = dict(name, FAULTS_AT=str(call.number), FAULTS_DO=number)
        life = sweep.live((call, error), settings, 0)
        if life.status != -signal.SIGKILL:
            sweep.bad.append((call, error, "ended by itself: %s" % life.status))
    lasting = [("write", "ENOSPC"), ("fsync", "EIO"), ("openat", "EROFS"), ("mkdir", "EACCES")]
    for call, error in lasting[::min(sweep.every, 3)]:
        # What goes on in a journal that is there makes none.
        if call in ("mkdir", "openat") and sweep.editing.resumes:
            continue

        def save(editor):
            editor.read(1)
            editor.output += b"[asked]" if b"NOT autosaved" in editor.output else b""
            editor.output = editor.output.replace(SAVED, b"")
            editor.type(":w\r")
            editor.wait(SAVED)
            editor.type(":q\r")
            editor.wait_for_end(10)

        settings = dict(
            name, FAULTS_CALL=call, FAULTS_AT="0", FAULTS_DO=str(getattr(errno, error)))
        life = sweep.editing.live(sweep.place, sweep.faults, settings, save)
        sweep.count += 1
        stands = marker(sweep.place, sweep.place.file)
        if life.status != 0 or b"[asked]" not in life.output or stands != max(life.made):
            sweep.bad.append((call, error, "for good", life.status, stands, life.output[-300:]))


def control_fault(sweep):
    sweep.live("control", WITHOUT_JOURNAL, 0)


def power(sweep, disk):
    def cut(unrelated):
        if unrelated:
            # Another program's fsync may put names on the disk before our data.
            with open(os.path.join(sweep.place.base, "unrelated"), "wb") as file:
                file.write(b"x")
                os.fsync(file.fileno())
        disk.cut()

    for call in sweep.calls()[::sweep.every]:
        sweep.live(
            call, {"FAULTS_AT": str(call.number), "FAULTS_DO": "kill"}, POWER_BOUND, synced,
            lambda: cut(call.number % 2))
    # What an fsync has refused once is written anew: in the end all is on the disk.
    syncs = [call for call in sweep.calls(FAULTS_NAME="recovery") if call.name == "fsync"]
    for call in syncs[::sweep.every]:
        settings = {
            "FAULTS_NAME": "recovery", "FAULTS_AT": str(call.number),
            "FAULTS_DO": str(errno.EIO)}
        sweep.live(("EIO", call), settings, 0, None, disk.cut)
    sweep.live("the end", {}, 0, synced, lambda: cut(True))


def control_power(sweep, disk):
    sweep.live("control", {"FAULTS_LIE": "fsync"}, POWER_BOUND, synced, disk.cut)


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
        folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-journal-", dir=options.folder))
        try:
            run(mode, folder, options, tally)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (tally.passed, tally.failed))
    return 1 if tally.failed else 0


def run(mode, folder, options, tally):
    name, _, detail = mode.partition(":")
    disk = None
    base = os.path.join(folder, "place")
    try:
        faults = Faults(folder)
        if name == "power":
            disk = Disk(folder, detail)
            disk.mount()
            base = disk.mount_point
        else:
            os.mkdir(base)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        print("SKIP %s: %s" % (mode, error), flush=True)
        return
    place = Place(base, options.program)
    body, control = {
        "kill": (kill, control_kill), "fault": (fault, control_fault),
        "power": (lambda sweep: power(sweep, disk), lambda sweep: control_power(sweep, disk)),
    }[name]
    try:
        for editing in editings():
            if options.operation not in (None, editing.name):
                continue
            started = time.time()
            sweep = Sweep(place, faults, editing, options.every)
            body(sweep)
            tally.report("%s %s" % (mode, editing.name), *sweep.result(), started)
        started = time.time()
        sweep = Sweep(place, faults, editings()[0], 1)
        control(sweep)
        tally.report("%s control" % mode, *sweep.result(), started, expects_bad=True)
    finally:
        if disk:
            disk.unmount()


sys.exit(main())
