#!/usr/bin/env python3
"""Kills, failing calls and power cuts while the editor keeps a journal of what is typed into it.

usage: journals.py PROGRAM MODE... [--every N] [--operation NAME,...] [--folder DIR]
  MODE  kill | fault | hang-up | power:ext4[,mount options] | power:xfs

The editor runs on a pseudo-terminal with `faults.c` between it and the system. Each edit gives all
features a name that says its number, or puts a vertex of a line that says it. At each call that
changes a file (journal, document, versions, lock) it is killed, a write is torn, a call fails, or
the power goes. Then each document must open, and what it and `portolan recover` give must be one
whole edit of this document: at least the last that was called saved, at least the last that was
written (power: synced) before, and none older than the bound may be missing. After a failed call all
must be there. After a hang-up (SIGHUP, SIGTERM, a terminal that goes) the editor must be gone within
a second, and all that it wrote must be synced.

  append        edits, one journal record each
  saving        edits go on while `:w` is under way
  compaction    edits so long that the journal is written anew, twice
  resume        the editor brings back what a killed one left, is edited on and killed as well
  draft         a line is drawn vertex by vertex, saved amid it; draft-resume: brought back first
  two           two documents in two panes are edited in turn, the first one is saved amid it
  two-drafts    a line is drawn in each of two documents
  two-resume    the work on two documents is brought back, the second one's a draft
  data          a table is edited and saved back; data-resume: lines of features, brought back first
  data-draft    a line is drawn in a GeoJSON file, which is saved amid it
  two-data      a table beside a GeoJSON file

The negative controls are the same program without a journal, and with an fsync that does nothing.
Prints a line for each sweep; the last line is `N passed, N failed`.
"""
import argparse
import collections
import errno
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from editings import editings, synced, written
from harness import ERRORS, Disk, Place, Tally

# Seconds of typing that may be lost.
KILL_BOUND = 1.0
POWER_BOUND = 2.0


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


class Sweep:
    """The lives of one editing, and what was found."""

    def __init__(self, place, faults, editing, every):
        self.place, self.faults, self.editing, self.every = place, faults, editing, every
        self.states = collections.Counter()
        self.bad = []
        self.count = 0
        self.worst = 0
        editing.learn(place, faults)

    def live(self, what, settings, bound, floor=None, cut=None, hang_up=None):
        life = self.editing.live(self.place, self.faults, settings, hang_up=hang_up)
        if cut:
            cut()
        wrong, seconds = self.editing.trouble(self.place, life, floor, bound)
        self.count += 1
        self.worst = max(self.worst, seconds)
        self.states["reached" if life.reached else "ran to its end"] += 1
        if wrong:
            self.bad.append((what, wrong))
        return life

    def calls(self, **settings):
        life = self.editing.live(self.place, self.faults, settings)
        assert life.log, "the program does not let itself be watched"
        # What the editor knows to be its own save is no change of the file.
        for sheet in self.editing.sheets:
            result = self.place.run([self.place.program, "recover", sheet.path(self.place)])
            if b"changed since" in result.stdout:
                self.bad.append(("undisturbed", sheet.file, result.stdout))
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

        is_told = []

        def save(editor):
            editor.read(1)
            is_told.append(b"NOT autosaved" in editor.output)
            sweep.editing.save_all_and_quit(editor)

        settings = dict(
            name, FAULTS_CALL=call, FAULTS_AT="0", FAULTS_DO=str(getattr(errno, error)))
        life = sweep.editing.live(sweep.place, sweep.faults, settings, save)
        sweep.count += 1
        stands = [sheet.final(sweep.place) for sheet in sweep.editing.sheets]
        wanted = [max(life.made[sheet.file]) for sheet in sweep.editing.sheets]
        if life.status != 0 or True not in is_told or stands != wanted:
            sweep.bad.append((call, error, "for good", life.status, stands, life.output[-300:]))


def control_fault(sweep):
    sweep.live("control", WITHOUT_JOURNAL, 0)


def asked_to_end(how):
    """Asks by a signal, or takes the terminal away; gives also when that was."""
    asked = []

    def act(editor):
        asked.append(time.monotonic())
        if how == "closed":
            editor.close()
        else:
            os.kill(editor.child, how)
        editor.wait_for_end(5)

    return act, asked


def hang_up(sweep):
    """All that was written is on the disk when the program ends, which is within a second."""
    for how in (signal.SIGHUP, signal.SIGTERM, "closed"):
        act, asked = asked_to_end(how)
        life = sweep.live(how, {}, KILL_BOUND, synced, hang_up=act)
        seconds = life.ended - asked[0]
        sweep.states["ms to end at most"] = max(
            sweep.states["ms to end at most"], int(seconds * 1000))
        if life.status == -signal.SIGKILL or seconds > 1:
            sweep.bad.append((how, "is gone after %.3f s: %s" % (seconds, life.status)))
        for sheet in sweep.editing.sheets:
            log = sweep.editing.journalled(sheet, life.log)
            first = sweep.editing.first
            if not log or synced(log, first) != written(log, first):
                sweep.bad.append((how, sheet.file, "is not on the disk", log[-4:]))


def control_hang_up(sweep):
    act, _ = asked_to_end(signal.SIGHUP)
    sweep.live("control", WITHOUT_JOURNAL, KILL_BOUND, hang_up=act)


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
    act, _ = asked_to_end(signal.SIGHUP)
    sweep.live("hang-up", {}, KILL_BOUND, written, lambda: cut(True), act)


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
        "hang-up": (hang_up, control_hang_up),
        "power": (lambda sweep: power(sweep, disk), lambda sweep: control_power(sweep, disk)),
    }[name]
    try:
        for editing in editings():
            if options.operation and editing.name not in options.operation.split(","):
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
