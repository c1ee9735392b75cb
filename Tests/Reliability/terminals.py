#!/usr/bin/env python3
"""Signals while two documents are edited and a line is being drawn: the terminal and the work stay.

    python3 Tests/Reliability/terminals.py .build/release/portolan

The editor runs under a shell that tells afterwards how it ended and how the terminal is. One document
has edits, in a pane beside it a line is drawn in another one. After each signal the terminal must be
as a shell wants it, on its main screen, without mouse and paste modes; each work must be recovered in
its own document. Stopped, continued at another size and resized, the editor goes on with all of it. Then the same in a
terminal that replies to all questions: the keyboard protocol is on and maps at rest are pictures.
"""
import argparse
import fcntl
import os
import re
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

from editings import Drawn, Sheet
from editor import Editor
from harness import Place

# What tells how it ended, and the terminal as it is then.
WRAP = '"$@"; code=$?; echo; echo "ENDED code=$code $(stty -a | tr "\\n" " ") THEN"'
# A shell with job control: the editor stops, and is continued by a line.
JOBS = (
    'set -m; "$@"; echo; echo "STOPPED code=$? $(stty -a | tr "\\n" " ") THEN"; read line; '
    'fg > /dev/null; code=$?; echo; echo "ENDED code=$code $(stty -a | tr "\\n" " ") THEN"')
MODES = (1000, 1002, 1003, 1006, 2004, 1004, 2026, 2031)
# A terminal that can everything; beside it a silent one.
REPLIES = (
    (b"\x1b[>q", b"\x1bP>|kitty(0.26.5)\x1b\\"), (b"\x1b[c", b"\x1b[?62;c"),
    (b"\x1b[?u", b"\x1b[?0u"), (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b]11;?\x1b\\", b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\"),
    (b"\x1b[?2031$p", b"\x1b[?2031;2$y"), (b"\x1b_Gi=31,", b"\x1b_Gi=31;OK\x1b\\"), (b"\x1bP$qm\x1b\\", b"\x1bP1$r48:2:1:2:3m\x1b\\"))
EDITS = 3


class Checks:
    def __init__(self, folder, program):
        self.place = Place(folder, program)
        self.edited = Sheet("f.doc", "a")
        self.drawn = Drawn("g.doc", "b")
        self.passed = self.failed = 0
        self.replies = ()
        self.place.clear()
        for sheet in (self.edited, self.drawn):
            sheet.learn(self.place)

    def check(self, name, is_good, detail=""):
        self.passed += bool(is_good)
        self.failed += not is_good
        if not is_good:
            print("FAIL %s: %s" % (name, detail), flush=True)

    def start(self, *shell):
        """An editor amid its work, which is on the disk."""
        self.place.clear()
        for sheet in (self.edited, self.drawn):
            with open(sheet.path(self.place), "wb") as out:
                out.write(sheet.content)
        editor = Editor(
            [*shell, "-", self.place.program, "f.doc"], self.place.environment(),
            self.place.folder, self.replies)
        editor.wait(b"1 layer")
        if self.replies:
            self.check("the keyboard protocol", editor.wait(b"\x1b[>1u", 3))
        editor.type(self.edited.start)
        for edit in range(1, EDITS + 1):
            editor.type(":set name=a%d\r" % edit)
        editor.type(":split right g.doc\r")
        lock = os.path.join(self.place.folder, ".g.doc.lock")
        end = time.monotonic() + 10
        while not os.path.exists(lock) and time.monotonic() < end:
            editor.read(0.02)
        editor.read(0.3)
        editor.type(self.drawn.start)
        for edit in range(1, EDITS + 1):
            editor.type(self.drawn.keys(edit, None))
        editor.read(1)
        if self.replies:
            self.check("pictures are shown", editor.wait(b"\x1b_Ga=T,", 5))
            self.check("the pictures are on the screen", self.pictures(editor.output))
        return editor

    @staticmethod
    def pictures(output):
        """The numbers of the pictures that were shown and not removed."""
        shown = set()
        for match in re.finditer(rb"\x1b_Ga=(T|d),[^;\x1b]*?i=(\d+)", output):
            (shown.add if match[1] == b"T" else shown.discard)(match[2])
        return shown

    def program(self, editor):
        return editor.children()[0]

    def judge(self, name, editor, word):
        """How the terminal is after the editor has said a word; gives its exit code."""
        said = word in editor.output or editor.wait(word + b" code=", 10)
        editor.wait(b"THEN", 3)
        self.check(name + " ends it", said, editor.output[-300:])
        told = editor.output.rpartition(word)[2].replace(b"\r\n", b" ")
        settings = b" " + told.replace(b";", b" ") + b" "
        cooked = all(b" %s " % mode in settings for mode in (b"icanon", b"echo", b"isig", b"opost"))
        self.check(name + ": the terminal is cooked", cooked, told)
        on, off = (editor.output.rfind(b"\x1b[?1049%s" % letter) for letter in (b"h", b"l"))
        self.check(name + ": the main screen is back", off > on, (on, off))
        left = [mode for mode in MODES if self.is_on(editor.output, mode)]
        self.check(name + ": modes are off", not left, left)
        on, off = (editor.output.rfind(word) for word in (b"\x1b[>1u", b"\x1b[<u"))
        self.check(name + ": the keyboard is as it was", off >= on, (on, off))
        left = self.pictures(editor.output)
        self.check(name + ": no picture is left", not left, left)
        code = re.match(rb" code=(\d+)", told)
        return int(code[1]) if code else None

    @staticmethod
    def is_on(output, mode):
        last = None
        for match in re.finditer(rb"\x1b\[\?([\d;]+)([hl])", output):
            if b"%d" % mode in match[1].split(b";"):
                last = match[2]
        return last == b"h"

    def recovered(self, name):
        for sheet in (self.edited, self.drawn):
            found, wrong = sheet.recovered(self.place, 0)
            self.check(
                "%s: the work on %s" % (name, sheet.file), found == EDITS and not wrong,
                (found, wrong))

    def signal(self, number):
        name = signal.Signals(number).name
        editor = self.start("sh", "-c", WRAP)
        try:
            os.kill(self.program(editor), number)
            code = self.judge(name, editor, b"ENDED")
            if number in (signal.SIGSEGV, signal.SIGILL, signal.SIGABRT, signal.SIGBUS):
                self.check(name + ": the status is truthful", code == 128 + number, code)
        finally:
            editor.kill()
        self.recovered(name)

    def control(self):
        """What nobody can clean up after must be found out."""
        passed, failed = self.passed, self.failed
        print("control: SIGKILL, of which failures are wanted")
        self.signal(signal.SIGKILL)
        is_found = self.failed - failed >= 2
        self.passed, self.failed = passed, failed
        self.check("control: a terminal that is left as it was", is_found)

    def stop(self):
        editor = self.start("bash", "-c", JOBS)
        try:
            program = self.program(editor)
            os.kill(program, signal.SIGTSTP)
            self.judge("SIGTSTP", editor, b"STOPPED")
            self.resize(editor, 30, 100)
            former = len(editor.output)
            editor.type("\n")
            editor.read(1)
            drawn = editor.output[former:]
            self.check("fg draws anew", b"\x1b[?1049h" in drawn and len(drawn) > 500, len(drawn))
            for rows, columns in ((1, 1), (2, 3), (3, 500), (200, 2), (0, 0), (24, 80)):
                self.resize(editor, rows, columns)
                editor.read(0.1)
            for number in range(100):
                self.resize(editor, 5 + number % 40, 20 + number % 90)
            self.resize(editor, 24, 80)
            editor.read(0.5)
            self.check("resizing", os.path.exists("/proc/%d" % program))
            os.kill(program, signal.SIGTERM)
            self.judge("SIGTERM after fg", editor, b"ENDED")
        finally:
            editor.kill()
        self.recovered("SIGTERM after fg")

    @staticmethod
    def resize(editor, rows, columns):
        fcntl.ioctl(
            editor.terminal, termios.TIOCSWINSZ,
            struct.pack("HHHH", rows, columns, 8 * columns, 16 * rows))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-terminal-", dir=options.folder))
    try:
        checks = Checks(folder, options.program)
        for number in (
                signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT, signal.SIGSEGV, signal.SIGILL,
                signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGXCPU):
            checks.signal(number)
        checks.stop()
        checks.replies = REPLIES
        for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT):
            checks.signal(number)
        checks.stop()
        checks.replies = ()
        checks.control()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed" % (checks.passed, checks.failed))
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
