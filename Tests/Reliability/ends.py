#!/usr/bin/env python3
"""Ends by a signal at random moments: nothing reaches the terminal after it was given back.

    python3 Tests/Reliability/ends.py .build/release/portolan --rounds 600 --seed 1

The editor starts on a pseudo-terminal that replies to its questions: at once, late, or in pieces. At
a random moment, some replies still due, a signal ends the program. The terminal must have the modes of
before, every private mode off, each keyboard mode popped that was pushed, and no control after that.
A terminal that takes no output at all must not hold the end up for ever. With strace a hang-up comes
while the program sets its handlers.
"""
import argparse
import collections
import ctypes
import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from editor import Editor
from harness import MAP, Place
from terminals import MODES, REPLIES, Checks

SIGNALS = (signal.SIGQUIT, signal.SIGSEGV, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
TIOCGPTPEER = 0x5441  # Opens the other end of a pseudo-terminal.
SLOW_HANDLERS = [
    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=rt_sigaction", "-e",
    "inject=rt_sigaction:delay_exit=2000"]
PUSH, POP = rb"\x1b\[>\d*u", rb"\x1b\[<u"


class Replying(Editor):
    """A terminal whose replies come when `plan` says: pairs of a delay and a piece of the reply."""

    def __init__(self, command, environment, folder, plan):
        self.plan = plan
        self.due = []
        super().__init__(command, environment, folder, REPLIES)
        # Held open: the modes of a terminal that nobody has open are set back by the kernel.
        self.line = fcntl.ioctl(self.terminal, TIOCGPTPEER, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)

    def send(self, reply):
        now = time.monotonic()
        self.due += [(now + delay, piece) for delay, piece in self.plan(reply)]

    def read(self, seconds):
        end = time.monotonic() + seconds
        while self.is_alive():
            now = time.monotonic()
            for place in [place for place in self.due if place[0] <= now]:
                self.due.remove(place)
                os.write(self.terminal, place[1])
            if now >= end:
                return
            if select.select([self.terminal], [], [], min(end - now, 0.002))[0]:
                self.output += os.read(self.terminal, 65536)
                self.reply()


def can_trace():
    words = ["strace", "-o", "/dev/null", "true"]
    return shutil.which("strace") and subprocess.run(words, capture_output=True).returncode == 0


def plan_of(generator):
    """How this terminal replies: at once, late, or in two pieces with a rest between them."""
    kind = generator.choice(("at once", "late", "in pieces", "silent"))
    lateness = generator.uniform(0, 0.15)

    def plan(reply):
        if kind == "silent":
            return []
        if kind == "at once":
            return [(0, reply)]
        if kind == "late":
            return [(lateness, reply)]
        cut = generator.randrange(1, len(reply))
        return [(lateness / 2, reply[:cut]), (lateness, reply[cut:])]

    return kind, plan


def faults(output, modes, former):
    """What is not as it was before; `output` is all that the program has written."""
    found = []
    if modes != former:
        found.append("the modes of the line")
    found += ["mode %d is on" % mode for mode in MODES if Checks.is_on(output, mode)]
    if Checks.pictures(output):
        found.append("a picture is left")
    end = output.rfind(b"\x1b[?1049l")
    if output.rfind(b"\x1b[?1049h") > end:
        return found + ["the other screen"]
    if end < 0:
        return found
    # Besides, xterm's description restores the title, and curses ends the keypad's mode.
    rest = output[end + len(b"\x1b[?1049l"):]
    for part in (b"\x1b[23;0;0t", b"\r\x1b[?1l\x1b>"):
        rest = rest.removeprefix(part)
    if re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", rest):
        found.append("%d bytes after it was given back" % len(rest))
    # The stack is the other screen's: what is pushed is popped before that goes.
    pushed, popped = (len(re.findall(form, output[:end])) for form in (PUSH, POP))
    if pushed > popped or re.search(POP, rest):
        found.append("keyboard modes: %d pushed, %d popped" % (pushed, popped))
    return found


class Trial:
    def __init__(self, place, seed, dump):
        self.place = place
        self.seed = seed
        self.dump = dump
        ends = pty.openpty()
        self.former = termios.tcgetattr(ends[1])
        for end in ends:
            os.close(end)
        self.seen = collections.Counter()
        self.failed = 0

    def round(self, number):
        generator = random.Random("%d %d" % (self.seed, number))
        how = generator.choice(SIGNALS)
        kind, plan = plan_of(generator)
        words = ["--pictures", "on"] if number % 2 else []
        editor = Replying(
            [self.place.program, *words, self.place.file], self.place.environment(),
            self.place.folder, plan)
        try:
            own = os.readlink("/proc/self/exe")
            while os.readlink("/proc/%d/exe" % editor.child) == own:
                time.sleep(0.001)
            # Half of them amid the first pictures, whenever these come on this machine.
            if generator.random() < 0.5:
                editor.wait(b"\x1b[?1049h")
            editor.read(generator.uniform(0, 0.35))
            if generator.random() < 0.5:
                editor.type("LLLhh:put 1")
                editor.read(generator.uniform(0, 0.03))
            if editor.is_alive():
                self.signal(editor.child, how, generator)
            end = time.monotonic() + 10
            while editor.is_alive() and time.monotonic() < end:
                editor.read(0.05)
            editor.drain()
            found = faults(editor.output, termios.tcgetattr(editor.line), self.former)
            if editor.status != -how:
                found.append("ended with %s" % editor.status)
        finally:
            editor.kill()
            os.close(editor.line)
        self.note(how.name, kind, number, found, editor.output)

    @staticmethod
    def signal(process, how, generator):
        """Sends a signal: the kernel chooses the thread that handles it, or the round does."""
        threads = []
        for name in os.listdir("/proc/%d/task" % process):
            try:
                with open("/proc/%d/task/%s/status" % (process, name)) as status:
                    held = int(re.search(r"SigBlk:\s*(\w+)", status.read())[1], 16)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if not held >> how - 1 & 1:
                threads.append(int(name))
        thread = generator.choice([None, *threads])
        # That thread may have ended meanwhile.
        if thread is None or ctypes.CDLL(None).tgkill(process, thread, int(how)):
            os.kill(process, how)

    def stuck(self, number, how):
        """The terminal takes nothing more, as that of a connection which has broken down."""
        editor = Replying(
            [self.place.program, self.place.file], self.place.environment(), self.place.folder,
            lambda reply: [])
        try:
            editor.wait(b"1 layer")
            # Each of these draws the whole map, which nobody takes.
            waiting, idle = 0, 0
            for number in range(1000):
                editor.type("+-LH"[number % 4])
                time.sleep(0.03)
                former, waiting = waiting, self.waiting(editor)
                idle = idle + 1 if waiting == former else 0
                if waiting > 4000 and idle == 20:
                    break
            os.kill(editor.child, how)
            end = time.monotonic() + 15
            while not (gone := self.is_gone(editor)) and time.monotonic() < end:
                time.sleep(0.05)
            found = [] if gone else ["goes on"]
            if gone and termios.tcgetattr(editor.line) != self.former:
                found.append("the modes of the line")
            if gone and not editor.is_alive() and editor.status != -how:
                found.append("ended with %s" % editor.status)
        finally:
            editor.kill()
            os.close(editor.line)
        self.note(how.name, "stuck", number, found, editor.output)

    def traced(self, tracer):
        """The process of the program that strace has started; strace has others before."""
        with open("/proc/%d/task/%d/children" % (tracer, tracer)) as children:
            for child in children.read().split():
                try:
                    if os.path.samefile("/proc/%s/exe" % child, self.place.program):
                        return int(child)
                except FileNotFoundError:
                    continue
        return None

    def early(self, number):
        """A hang-up while the program sets its handlers: strace draws each such call out."""
        editor = Replying(
            [*SLOW_HANDLERS, self.place.program, self.place.file], self.place.environment(),
            self.place.folder, lambda reply: [(0, reply)])
        try:
            while (program := self.traced(editor.child)) is None:
                time.sleep(0.001)
            editor.read(0.02 * number)
            if editor.is_alive():
                os.kill(program, signal.SIGHUP)
            end = time.monotonic() + 10
            while editor.is_alive() and time.monotonic() < end:
                editor.read(0.05)
            editor.drain()
            found = faults(editor.output, termios.tcgetattr(editor.line), self.former)
            if editor.is_alive():
                found.append("goes on")
        finally:
            editor.kill()
            os.close(editor.line)
        self.note("SIGHUP", "early", number, found, editor.output)

    @staticmethod
    def waiting(editor):
        """The bytes of output that nobody has taken."""
        return struct.unpack("i", fcntl.ioctl(editor.terminal, termios.FIONREAD, bytes(4)))[0]

    @staticmethod
    def is_gone(editor):
        """Whether the program has ended; its output is not taken."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, editor.child, flags) is not None

    def note(self, signal_name, kind, number, found, output):
        self.seen[signal_name, kind] += 1
        if not found:
            return
        self.failed += 1
        print("FAIL %s, %s, round %d: %s" % (signal_name, kind, number, "; ".join(found)), flush=True)
        if self.dump:
            with open(os.path.join(self.dump, "end-%d.bin" % number), "wb") as out:
                out.write(output)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default="/var/tmp")
    parser.add_argument("--dump", help="a folder for the output of rounds that failed")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-ends-", dir=options.folder))
    try:
        place = Place(folder, options.program)
        place.clear()
        place.use("f.geojson")
        with open(place.file, "w") as out:
            out.write(MAP)
        trial = Trial(place, options.seed, options.dump)
        for number in range(options.rounds):
            trial.round(number)
        for number, how in enumerate((signal.SIGQUIT, signal.SIGTERM)):
            trial.stuck(number, how)
        if can_trace():
            for number in range(20):
                trial.early(number)
        else:
            print("skipped hang-ups at the start: no strace, or it may not trace here")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for (name, kind), count in sorted(trial.seen.items()):
        print("%4d %s, %s" % (count, name, kind))
    print("%d ends, %d failed" % (sum(trial.seen.values()), trial.failed))
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
