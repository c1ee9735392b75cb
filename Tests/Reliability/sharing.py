#!/usr/bin/env python3
"""One document in several terminals: nothing is lost, pictures converge, and how long all takes.

    python3 Tests/Reliability/sharing.py .build/release/portolan              the short form
    python3 Tests/Reliability/sharing.py PROGRAM --seconds 60 --drops 500     the long one
    python3 Tests/Reliability/sharing.py PROGRAM edits --map FILE --limit 100

A served map, and real processes on pseudo-terminals that are attached to it. The parts: `edits`
(eight terminals rename a layer of their own 50 times a second each, and every screen is read),
`drops` (a terminal goes in one of three ways while a line is typed, and comes back), `keys` (from a
key to its picture, beside a second terminal), `slow` (a line of 300 ms and 20 kB/s that stalls and
breaks), `idle`, `kill` (the host is killed), `stopped` (the host is stopped, and `list` asked),
`leave` (the terminal of the editor that others have joined goes, in five ways), `stalled` (it takes
nothing for a while), `jobs` (an editor is suspended in its shell), `question` (one stands in a
question, and another one types), `pixels` (kitty's pictures), `scope` (a stand-in for systemd),
`python` (a client that knows the pages about the protocol alone), `attacks` (files made to break
servers), `fuzz` (guests that send broken messages) and `liars` (hosts that do).
Times are of this machine and its load; `--limit` makes the 99th percentile of an edit's way to the
other screens, in milliseconds, a bar.
"""
import argparse
import json
import os
import random
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time

import mutations
from editor import Editor
from harness import MAP
from screen import TextScreen

LETTERS = "abcdefgh"
# Room for the names of all layers.
COLUMNS, ROWS = 100, 40


class Terminal(Editor):
    """A program on a pseudo-terminal whose screen is read."""

    def __init__(self, command, environment, folder):
        self.screen = TextScreen(COLUMNS, ROWS)
        self.bytes = 0
        super().__init__(command, environment, folder, size=(ROWS, COLUMNS, 0, 0))

    def take(self):
        """Takes what is there; whether it was anything."""
        try:
            data = os.read(self.terminal, 1 << 16)
        except OSError:
            return False
        self.bytes += len(data)
        self.screen.feed(data)
        return True

    def until(self, holds, seconds=30):
        """Reads until the screen satisfies a condition; whether it did."""
        end = time.monotonic() + seconds
        while not holds(self.screen.text()):
            left = end - time.monotonic()
            if left <= 0:
                return False
            if select.select([self.terminal], [], [], min(left, 0.1))[0] and not self.take():
                return holds(self.screen.text())
        return True


class Room:
    """A served map, and the terminals that show it."""

    def __init__(self, program, source):
        self.program = os.path.realpath(program)
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-shared-"))
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8",
            "XDG_STATE_HOME": self.folder + "/state", "PORTOLAN_ASK": "no"}
        self.map = self.folder + "/map" + os.path.splitext(source or ".geojson")[1]
        if source:
            shutil.copy(source, self.map)
        else:
            with open(self.map, "w") as out:
                out.write(MAP)
        self.terminals = []
        answer = self.run("serve", self.map)
        found = re.match(r"process (\d+),", answer.stdout)
        assert found, answer.stderr
        self.host = int(found[1])

    def run(self, *words, limit=120):
        return subprocess.run(
            [self.program, *words], env=self.environment, cwd=self.folder, capture_output=True,
            text=True, timeout=limit)

    def remote(self, *words):
        return self.run("remote", str(self.host), *words)

    def attach(self):
        return self.open("attach", str(self.host), "--no-ask")

    def open(self, *words):
        terminal = Terminal([self.program, *words], self.environment, self.folder)
        self.terminals.append(terminal)
        assert terminal.until(lambda text: "NORMAL" in text or ":" in text.split("\n")[-1]), (
            terminal.screen.text())
        return terminal

    def end(self):
        for terminal in self.terminals:
            terminal.kill()
        for signal_number in (signal.SIGCONT, signal.SIGKILL):
            try:
                os.kill(self.host, signal_number)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def edits(room, options):
    """Eight people at 50 edits a second each; every screen shows every edit, and none is lost."""
    terminals = [room.attach() for _ in LETTERS]
    for letter, terminal in zip(LETTERS, terminals):
        terminal.type(":new-layer %s0\r" % letter)
        name = letter + "0"
        assert terminal.until(lambda text: name in text), terminal.screen.text()
    shown = [dict.fromkeys(LETTERS, 0) for _ in terminals]
    sent = {letter: [] for letter in LETTERS}
    delays = []
    pattern = re.compile(r"\b([a-h])(\d+)\b")

    def look(place):
        """Notes what a screen shows; the newest number of each person."""
        now = time.monotonic()
        for letter, number in pattern.findall(panel(terminals[place].screen)):
            number = int(number)
            former = shown[place][letter]
            if former < number <= len(sent[letter]):
                if LETTERS[place] != letter:
                    delays.extend(
                        1000 * (now - sent[letter][n]) for n in range(former, number))
                shown[place][letter] = number

    def read(seconds):
        ready, _, _ = select.select([t.terminal for t in terminals], [], [], seconds)
        for place, terminal in enumerate(terminals):
            if terminal.terminal in ready and terminal.take():
                look(place)

    def spending():
        """Processor time in milliseconds: of the host, of all clients, of this program."""
        return [10 * ticks(room.host), 10 * sum(ticks(t.child) for t in terminals),
                1000 * time.process_time()]

    step = 1 / options.rate
    count = int(options.seconds * options.rate)
    before = spending()
    bytes_before = sum(t.bytes for t in terminals)
    start = time.monotonic()
    for round_number in range(count):
        for place, letter in enumerate(LETTERS):
            due = start + (round_number + place / len(LETTERS)) * step
            while time.monotonic() < due:
                read(max(0, due - time.monotonic()))
            sent[letter].append(time.monotonic())
            terminals[place].type(":rename %s%d\r" % (letter, round_number + 1))
            read(0)
    spent = time.monotonic() - start
    end = time.monotonic() + 60
    while time.monotonic() < end and not all(
            number == count for screen in shown for number in screen.values()):
        read(0.05)
    missing = [
        "%s sees %s at %d" % (LETTERS[place], letter, number)
        for place, screen in enumerate(shown) for letter, number in screen.items()
        if number != count]
    history = room.remote("history").stdout
    more = re.search(r" and (\d+) before", history)
    made = (int(more[1]) if more else 0) + min(8, history.count(", ") + 1)
    lost = len(LETTERS) * (count + 1) - made
    p99 = percentile(delays, 0.99)
    print("edits: %d terminals, %d edits in %.1f s (%.0f a second), %d lost, %d screens unlike; "
          "on the others' screens after %.0f ms (median), %.0f ms (99 %%), %.0f ms (most)" % (
              len(terminals), count * len(LETTERS), spent, count * len(LETTERS) / spent, lost,
              len(missing), percentile(delays, 0.5), p99, max(delays or [0])))
    costs = [(after - former) / (count * len(LETTERS))
             for after, former in zip(spending(), before)]
    print("       an edit costs the host %.1f ms of processor time, the clients %.1f ms, this program "
          "%.1f ms, and %.0f bytes to terminals" % (
              *costs, (sum(t.bytes for t in terminals) - bytes_before) / (count * len(LETTERS))))
    for line in missing[:5]:
        print("      ", line)
    return not lost and not missing and (not options.limit or p99 <= options.limit)


def panel(screen):
    """The part of a screen with the names of layers, and not the line being typed."""
    return "\n".join("".join(line) for line in screen.cells[:-2])


def drops(room, options):
    """A terminal goes while its person works: the next one shows the same."""
    rng = random.Random(options.seed)
    other = room.attach()
    wrong = 0
    for number in range(options.drops):
        terminal = room.attach()
        name = "drop%d" % number
        terminal.type("l" * rng.randint(0, 5) + ":new-layer " + name)
        typed = ":new-layer " + name
        if not terminal.until(lambda text: typed in text):
            wrong += 1
            print("      the line %s is not shown" % name)
        before = terminal.screen.text()
        time.sleep(rng.random() * 0.02)
        way = rng.choice(["kill", "close", "hang-up"])
        if way == "kill":
            terminal.kill()
        elif way == "close":
            terminal.close()
        else:
            os.kill(terminal.child, signal.SIGHUP)
        terminal.wait_for_end(5)
        if not other.until(lambda text: "with " not in text.split("\n")[0], 10):
            wrong += 1
            print("      %s: the host does not notice the end of the terminal" % way)
        again = room.attach()
        if not again.until(lambda text: typed in text, 10):
            wrong += 1
            print("      %s: the line is gone\n%s\nbefore:\n%s" % (
                way, again.screen.text(), before))
        again.type("\r")
        if not other.until(lambda text: name in panel(other.screen) or name in text, 10):
            wrong += 1
            print("      %s: the layer %s is not made" % (way, name))
        other.type(":delete-layer %s\r" % name)
        other.until(lambda text: name not in panel(other.screen), 10)
        again.kill()
        other.until(lambda text: "with " not in text.split("\n")[0], 10)
    print("drops: %d terminals dropped, %d wrong" % (options.drops, wrong))
    return not wrong


def keys(room, options):
    """From a key to the end of its picture, beside a second terminal: of the terminal of an editor,
    and of one through its socket."""
    good = True
    path = "%s/own%s" % (room.folder, os.path.splitext(room.map)[1])
    shutil.copy(room.map, path)
    own = room.open(path, "--no-ask")
    guests = [room.open("attach", path, "--no-ask"), room.attach(), room.attach()]
    for name, terminal, host in (
            ("of an editor's own terminal", own, own.child),
            ("of a guest", guests[0], own.child), ("of a served map", guests[1], room.host)):
        settle([own, *guests])
        # One process or two.
        processes = {host, terminal.child}
        before = sum(ticks(process) for process in processes)
        delays = key_delays(terminal, "lh" * 20, [own, *guests])
        spent = 10 * (sum(ticks(process) for process in processes) - before) / 40
        print("keys: %d of 40 keys %s drawn, after %.1f ms (median), %.1f ms (90 %%); %.1f ms of "
              "processor time a key" % (
                  len(delays), name, percentile(delays, 0.5), percentile(delays, 0.9), spent))
        good = good and len(delays) == 40
    return good


def key_delays(terminal, keys, others):
    """The milliseconds from each key to the last byte of its picture, of those that have one."""
    delays = []
    for key in keys:
        terminal.type(key)
        start = time.monotonic()
        last = None
        while True:
            ready, _, _ = select.select([terminal.terminal], [], [], 0.05 if last else 2)
            if not ready or not terminal.take():
                break
            last = time.monotonic()
        if last:
            delays.append(1000 * (last - start))
        settle(others, 0.02)
    return delays


def question(room, options):
    """One person stands in a question; another one's keys are drawn as ever, and edit."""
    asked, other = room.attach(), room.attach()
    other.type(":new-layer unsaved\r")
    good = other.until(lambda text: "unsaved" in panel(other.screen), 5)
    settle([asked, other])
    alone = key_delays(other, "lh" * 10, [asked])
    # Many names of the map begin so.
    asked.type(":go name p\r")
    good = asked.until(lambda text: " QUESTION " in text, 5) and good
    end = time.monotonic() + options.question
    delays = []
    typed = 0
    while time.monotonic() < end or not typed:
        delays += key_delays(other, "lh" * 10, [asked])
        typed += 20
    other.type(":new-layer beside\r")
    good = other.until(lambda text: "beside" in panel(other.screen), 5) and good
    settle([asked])
    good = " QUESTION " in asked.screen.text() and good
    asked.type("\x1b")
    good = asked.until(lambda text: "beside" in panel(asked.screen), 5) and good
    if not alone or not delays:
        print("question: no key was drawn")
        return False
    print("question: %d keys beside it drawn after %.1f ms (median), %.1f ms (90 %%), %.1f ms (most); "
          "before it %.1f ms (median)" % (
              len(delays), percentile(delays, 0.5), percentile(delays, 0.9), max(delays),
              percentile(alone, 0.5)))
    return good and len(delays) == typed


def time_until(terminal, keys, holds, seconds=3.0):
    """The milliseconds from keys until the screen satisfies a condition; `None` for never."""
    start = time.monotonic()
    terminal.type(keys)
    return 1000 * (time.monotonic() - start) if terminal.until(holds, seconds) else None


def slow(room, options):
    """A line of 300 ms and 20 kB/s that stalls and breaks: keys are seen at once, none is lost."""
    stall = room.folder + "/stall"
    here = os.path.dirname(os.path.realpath(__file__))
    # The far end starts the program by its name, whatever that of the tested file is.
    names = room.folder + "/names"
    os.makedirs(names, exist_ok=True)
    os.symlink(room.program, names + "/portolan")
    room.environment.update(
        PORTOLAN_SSH="%s %s/slow-line.py" % (sys.executable, here), SLOW_STALL=stall,
        PATH=names + ":" + os.environ["PATH"])
    address = "ssh://there" + room.map
    terminal = room.open("attach", address, "--no-ask")
    settle([terminal])
    moves = []
    for key in "lhlhlhlhlh":
        column = terminal.screen.column + (1 if key == "l" else -1)
        moves.append(time_until(terminal, key, lambda _: terminal.screen.column == column))
        settle([terminal], 0.4)
    # The first key finds out that the line is slow.
    moves = [delay for delay in moves[1:] if delay is not None]
    start = last = time.monotonic()
    terminal.type("L")
    select.select([terminal.terminal], [], [], 3)
    while select.select([terminal.terminal], [], [], 0.15)[0]:
        terminal.take()
        last = time.monotonic()
    pan = 1000 * (last - start)
    settle([terminal])
    line = ":new-layer slow"
    typed = [
        time_until(
            terminal, line[n],
            # Blanks at the end of a row are not seen.
            lambda text: text.split("\n")[-1].startswith(line[:n + 1].rstrip()))
        for n in range(len(line))]
    good = None not in typed and len(moves) == 9
    typed = [delay for delay in typed if delay is not None]
    terminal.type("\r")
    good = terminal.until(lambda text: "slow" in panel(terminal.screen), 5) and good
    # Nothing goes for a while; what is typed stands there, and that it waits.
    open(stall, "w").close()
    for number in range(10):
        terminal.type(":new-layer n%d\r" % number)
    good = terminal.until(lambda text: " pending" in text.split("\n")[-1], 3) and good
    settle([terminal], options.stall)
    os.remove(stall)
    good = terminal.until(lambda text: "n9" in panel(terminal.screen), 20) and good
    layers = room.remote("info").stdout
    lost = [n for n in range(10) if "n%d" % n not in layers]
    # The line breaks within a word.
    terminal.type(":new-layer broken")
    good = terminal.until(lambda text: ":new-layer broken" in text, 3) and good
    settle([terminal])
    for process in terminal.children():
        os.kill(process, signal.SIGKILL)
    terminal.wait_for_end(10)
    broken = terminal.status
    good = b"the same command takes up the session again" in terminal.output and good
    again = room.open("attach", address, "--no-ask")
    good = again.until(lambda text: ":new-layer broken" in text, 10) and good
    print("slow: a key's cursor after %.0f ms (most %.0f), a prompt's letter after %.0f ms (most "
          "%.0f), a pan after %.0f ms; %d of 10 edits of a stall lost; exit code %s of a broken "
          "line" % (percentile(moves, 0.5), max(moves or [0]), percentile(typed, 0.5),
                    max(typed or [0]), pan, len(lost), broken))
    return good and not lost and broken == 254


def settle(terminals, seconds=1.0):
    """Reads until nothing has come for some time."""
    last = time.monotonic()
    while time.monotonic() - last < seconds:
        ready, _, _ = select.select([t.terminal for t in terminals], [], [], 0.1)
        for terminal in terminals:
            if terminal.terminal in ready and terminal.take():
                last = time.monotonic()


def ticks(process):
    with open("/proc/%d/stat" % process) as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def idle(room, options):
    """Terminals at which nothing happens are sent nothing."""
    terminals = [room.attach(), room.attach()]
    settle(terminals, 2)
    processes = [room.host] + [t.child for t in terminals]
    before = [ticks(process) for process in processes]
    counts = [t.bytes for t in terminals]
    settle(terminals, 3)
    sent = sum(t.bytes for t in terminals) - sum(counts)
    spent = sum(ticks(p) for p in processes) - sum(before)
    print("idle: %d bytes to two terminals in 3 s, %d ms of processor time in three processes" % (
        sent, 10 * spent))
    return sent == 0


def kill(room, options):
    """The host is killed: its clients say so, and give their terminals back as they were."""
    terminals = []
    for _ in range(3):
        terminals.append(room.attach())
    terminals[0].type(":new-layer kept\r")
    for terminal in terminals:
        assert terminal.until(lambda text: "kept" in text)
    # The journal has an edit within a second.
    time.sleep(1)
    start = time.monotonic()
    os.kill(room.host, signal.SIGKILL)
    good = True
    slowest = 0.0
    for terminal in terminals:
        terminal.wait_for_end(5)
        slowest = max(slowest, (terminal.ended or start + 5) - start)
        text = terminal.output.decode("utf-8", "replace")
        if terminal.status != 254 or "the host has ended" not in text:
            good = False
            print("       a client ended with %s: %r" % (terminal.status, text[-200:]))
        if not text.rstrip().endswith("the host has ended") or "\x1b[?1049l" not in text:
            good = False
            print("       the terminal was not given back: %r" % text[-200:])
    left = room.run("recover", "--list").stdout
    if room.map not in left:
        good = False
        print("       no work is left: %r" % left)
    print("kill: three clients ended within %.0f ms of the host's end" % (1000 * slowest))
    return good and slowest < 1


def stopped(room, options):
    """A stopped host holds up nobody who asks for editors, and is named."""
    os.kill(room.host, signal.SIGSTOP)
    good = True
    times = []
    for words, code, wanted in (
            (("list",), 0, "%d\t(does not answer)" % room.host),
            (("list", "--json"), 0, '"answers":false'),
            (("attach", room.map), 255, "%d does not answer" % room.host),
            (("remote", room.map, "where"), 3, "%d does not answer" % room.host),
            (("remote", str(room.host), "where"), 3, "does not answer")):
        start = time.monotonic()
        answer = room.run(*words)
        times.append(time.monotonic() - start)
        if answer.returncode != code or wanted not in answer.stdout + answer.stderr:
            good = False
            print("       %s: %d %r" % (words, answer.returncode, answer.stdout + answer.stderr))
    os.kill(room.host, signal.SIGCONT)
    listed = json.loads(room.run("list", "--json").stdout)
    print("stopped: list, attach and remote answer within %.2f s" % max(times))
    return good and max(times) < 2 and listed["process"] == room.host


def leave(room, options):
    """The editor that others have joined loses its own terminal: they notice nothing but a mark.

    Suspending it while another one is there (Kakoune's issues 1690, 2847 and 4957), a hang-up
    (4960) and a closed terminal froze or ended other editors of this kind.
    """
    good = True
    delays = []

    def check(way, what, holds):
        nonlocal good
        if not holds:
            good = False
            print("       %s: %s" % (way, what))

    for way in ("quit", "suspend", "hang-up", "close", "detach"):
        path = "%s/%s.geojson" % (room.folder, way)
        shutil.copy(room.map, path)
        first = room.open(path, "--no-ask")
        guest = room.open("attach", path, "--no-ask")
        check(way, "they see each other", first.until(lambda text: "with " in text, 5))
        guest.type(":new-layer before\r")
        check(way, "an edit before", first.until(lambda text: "before" in panel(first.screen), 5))
        first.type("lll")
        settle([first], 0.3)
        start = time.monotonic()
        if way == "hang-up":
            os.kill(first.child, signal.SIGHUP)
        elif way == "close":
            first.close()
        else:
            first.type({"quit": ":q\r", "suspend": "\x1a", "detach": ":detach\r"}[way])
        guest.type(":new-layer after\r")
        check(way, "the guest goes on", guest.until(
            lambda text: "after" in panel(guest.screen), 5))
        delays.append(1000 * (time.monotonic() - start))
        # Another one still finds the way in.
        third = room.open("attach", path, "--new", "--no-ask")
        check(way, "a third one joins", third.until(lambda text: "after" in panel(third.screen), 5))
        third.type(":q\r")
        check(way, "the third one goes", third.wait_for_end(5))
        # Who was cut off finds their session again; who left on purpose even after all others.
        if way in ("hang-up", "close"):
            again = room.open("attach", path, "--no-ask")
            check(way, "who was cut off comes back", again.until(
                lambda text: "after" in panel(again.screen), 5))
            again.type(":q\r")
            check(way, "and goes", again.wait_for_end(5))
        stays = way in ("suspend", "detach")
        guest.type(":q\r" if stays else ":q!\r")
        check(way, "the guest ends", guest.wait_for_end(5) and guest.status == 0)
        if stays:
            again = room.open("attach", path, "--no-ask")
            check(way, "who left comes back", again.until(
                lambda text: "after" in panel(again.screen), 5))
            again.type(":q!\r")
            check(way, "and ends it", again.wait_for_end(5))
        # The host ends after its last guest.
        end = time.monotonic() + 5
        listed = room.run("list").stdout
        while path in listed and time.monotonic() < end:
            time.sleep(0.1)
            listed = room.run("list").stdout
        check(way, "no editor is left", room.map in listed and path not in listed)
        first.kill()
    print("leave: five ways, the guest's next edit shown after %.0f ms at most" % max(delays))
    return good


def stalled(room, options):
    """The terminal of the editor that others have joined takes nothing for a while: they notice
    nothing, and it shows the newest then."""
    path = room.folder + "/stalled.geojson"
    shutil.copy(room.map, path)
    first = room.open(path, "--no-ask")
    guest = room.open("attach", path, "--no-ask")
    guest.type(":new-layer s\r")
    settle([first, guest])
    delays = []
    for number in range(60):
        # Many bytes for a terminal that nobody reads.
        first.type("L" if number % 2 == 0 else "H")
        name = "s%d" % number
        delays.append(time_until(
            guest, ":rename %s\r" % name, lambda text: name in panel(guest.screen)))
    lost = delays.count(None)
    settle([first])
    newest = "s59" in panel(first.screen)
    print("stalled: beside a terminal that takes nothing, 60 edits of a guest shown after %.0f ms "
          "(most), %d not; it %s the newest then" % (
              max(delay or 0 for delay in delays), lost, "shows" if newest else "does not show"))
    return not lost and newest


def jobs(room, options):
    """An editor is suspended in its shell: whoever asks for it is told so at once, a guest goes on
    without it, and `fg` shows it again.

    Connecting to a suspended one froze (Kakoune's issue 866), also in its own terminal (4957); `fg`
    after the last guest's end found nobody (1690).
    """
    path = room.folder + "/jobs.geojson"
    shutil.copy(room.map, path)
    shell = Terminal(
        ["bash", "--norc", "--noprofile", "-i"], dict(room.environment, PS1="ready> "), room.folder)
    room.terminals.append(shell)
    good = True

    def check(what, holds):
        nonlocal good
        if not holds:
            good = False
            print("       %s\n%s" % (what, shell.screen.text()))

    def is_ready(text):
        return text.rstrip().endswith("ready>")

    def suspend(what, words):
        shell.type("\x1a")
        check(what, shell.until(lambda text: words in text and is_ready(text), 5))
        shell.type("clear\r")
        shell.until(lambda text: words not in text, 5)

    def foreground(what, name):
        shell.type("fg\r")
        check(what, shell.until(lambda text: "NORMAL" in text and name in panel(shell.screen), 5))

    shell.type("%s %s --no-ask\r" % (room.program, path))
    check("it begins", shell.until(lambda text: "NORMAL" in text, 10))
    shell.type(":new-layer alone\r")
    check("an edit", shell.until(lambda text: "alone" in panel(shell.screen), 5))
    suspend("it stops", "Stopped")
    start = time.monotonic()
    shell.type("%s attach %s; echo code $?\r" % (room.program, path))
    check("a client in its terminal is told", shell.until(
        lambda text: "code 255" in text and "not answer" in text, 5))
    told = time.monotonic() - start
    foreground("it goes on", "alone")
    for number in range(2):
        guest = room.open("attach", path, "--new", "--no-ask")
        suspend("it leaves its guest", "Stopped" if number else "detached")
        guest.type(":new-layer guest%d\r" % number)
        check("the guest goes on", guest.until(
            lambda text: "guest%d" % number in panel(guest.screen), 5))
        guest.type(":q\r")
        check("the guest goes", guest.wait_for_end(5))
        foreground("the edit of the guest is there", "guest%d" % number)
    # What the shell shows now is a client; it stops as any program does.
    suspend("the client stops", "Stopped")
    foreground("the client goes on", "guest1")
    shell.type(":q!\r")
    check("it ends", shell.until(is_ready, 5))
    check("it has left the alternate screen", shell.screen.main is None)
    shell.type("clear; jobs; echo none\r")
    check("no job is left", shell.until(lambda text: text.startswith("none\nready>"), 5))
    check("no editor is left", path not in room.run("list").stdout)
    print("jobs: a suspended editor is told of within %.2f s, and comes back by fg" % told)
    return good and told < 2


# What a terminal with kitty's graphics replies: name, keyboard, pictures, background, end.
KITTY = (
    (b"\x1b[>q", b"\x1bP>|kitty(0.26.5)\x1b\\"), (b"\x1b[?u", b"\x1b[?0u"),
    (b"a=q", b"\x1b_Gi=31;OK\x1b\\"), (b"\x1b]11;?", b"\x1b]11;rgb:0000/0000/0000\x1b\\"),
    (b"\x1b[c", b"\x1b[?62;c"))


def pixels(room, options):
    """An attached terminal that shows pictures gets one of the map at rest, and a new one of each
    other map; a cursor that moves sends none."""
    environment = {key: value for key, value in room.environment.items() if key != "PORTOLAN_ASK"}
    counts = []
    for words in ((), ("--pictures", "off")):
        terminal = Editor(
            [room.program, "attach", str(room.host), *words],
            dict(environment, COLORTERM="truecolor"), room.folder, replies=KITTY)
        room.terminals.append(terminal)
        for keys in ("", "l", "L"):
            terminal.type(keys)
            before = terminal.output.count(b"\x1b_Ga=T")
            end = time.monotonic() + (10 if keys != "l" and not words else 1)
            while time.monotonic() < end and terminal.output.count(b"\x1b_Ga=T") == before:
                terminal.read(0.1)
            counts.append(terminal.output.count(b"\x1b_Ga=T") - before)
        terminal.type(":detach\r")
        terminal.wait_for_end(5)
    print("pixels: at rest, after a move of the cursor, after a pan: %s pictures; none wanted: %s" % (
        counts[:3], counts[3:]))
    return counts == [1, 0, 1, 0, 0, 0]


def scope(room, options):
    """`serve` asks systemd for a scope of its own, and says where it gets none."""
    folder = room.folder + "/bin"
    os.mkdir(folder)
    path = folder + ":" + room.environment["PATH"]
    good = True
    for name, script, is_scoped in (
            ("obeys", 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"', True),
            ("fails", "echo no bus >&2; exit 1", False), ("hangs", "exec sleep 60", False)):
        with open(folder + "/systemd-run", "w") as out:
            out.write("#!/bin/sh\n%s\n" % script)
        os.chmod(folder + "/systemd-run", 0o700)
        source = "%s/%s.geojson" % (room.folder, name)
        shutil.copy(room.map, source)
        answer = subprocess.run(
            [room.program, "serve", source], env=dict(room.environment, PATH=path),
            cwd=room.folder, capture_output=True, text=True, timeout=60)
        line = [line for line in room.run("list").stdout.split("\n") if source in line]
        # Without systemd no logout ends the process.
        may_end = not is_scoped and os.path.isdir("/run/systemd/system")
        if (len(line) != 1 or ("may end at logout" in line[0]) != may_end
                or ("no scope of its own" in answer.stderr) != may_end):
            good = False
            print("       %s: %r %r" % (name, answer.stderr, line))
        room.run("remote", source, "quit", "--everyone", "--force")
    print("scope: served in a scope, and without one where systemd fails or hangs")
    return good


def python(room, options):
    """A second implementation attaches, runs commands, is shown edits and loses what it held."""
    here = os.path.dirname(os.path.realpath(__file__))
    socket = json.loads(room.run("list", "--json").stdout)["socket"]
    answer = subprocess.run(
        [sys.executable, here + "/guest.py", socket], capture_output=True, text=True, timeout=30)
    told = {}
    for line in answer.stdout.splitlines():
        told.update(json.loads(line))
    wanted = {
        "session": True, "code": 0, "sees": "theirs", "types": "mine", "layers": True,
        "lost": True}
    features = told.get("features") or []
    good = (
        all(told.get(key) == value for key, value in wanted.items()) and len(features) > 0
        and "°" in told.get("where", "") and "ended" in told.get("notice", ""))
    if not good:
        print("      ", answer.stdout, answer.stderr[-2000:])
    print("python: a guest read %d features, and was told the end: %s" % (
        len(features), told.get("notice")))
    return good


def resident(process):
    """The megabytes of memory that a process has."""
    with open("/proc/%d/statm" % process) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20


def converse(path, data, rng):
    """Sends bytes to a host in pieces, and reads a little; the line, where it stays open."""
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(2)
    try:
        line.connect(path)
        cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(4)))
        for start, end in zip([0, *cuts], [*cuts, len(data)]):
            line.sendall(data[start:end])
        way = rng.randrange(10)
        if way == 0:
            # It reads nothing any more.
            return line
        if way == 1:
            line.shutdown(socket.SHUT_WR)
        line.settimeout(0.005)
        while line.recv(1 << 16):
            pass
    except OSError:
        pass
    if rng.randrange(4):
        line.close()
        return None
    return line


def fuzz(room, options):
    """Guests send broken messages; a person at the same host notices nothing, and nothing is left.

    Conversation N of a seed is the same each time: `--seed S --first N`.
    """
    person = room.attach()
    person.type(":new-layer w0\r")
    good = person.until(lambda text: "w0" in panel(person.screen), 5)
    facts = json.loads(room.run("list", "--json").stdout)
    descriptors = "/proc/%d/fd" % room.host
    opened, memory = len(os.listdir(descriptors)), resident(room.host)
    files = list(attack_files(options).values())
    number, edits, lines, delays = options.first, 0, [], []
    end = time.monotonic() + options.fuzz
    while good and time.monotonic() < end:
        for _ in range(20):
            rng = random.Random("%d/%d" % (options.seed, number))
            data = mutations.spoiled(rng, mutations.guest_frames(rng))
            if files and rng.random() < 0.1:
                data = rng.choice([b"", mutations.GREETING]) + rng.choice(files)
            line = converse(facts["socket"], data, rng)
            lines += [line] if line else []
            number += 1
        for line in lines[:-16]:
            line.close()
        del lines[:-16]
        edits += 1
        name = "w%d" % edits
        delay = time_until(
            person, ":rename %s\r" % name, lambda text: name in panel(person.screen), 10)
        good = delay is not None
        delays.append(delay or 10_000)
    if not good:
        print("       seed %d, first %d: the edit after it was not shown\n%s" % (
            options.seed, number - 20, person.screen.text()))
    for line in lines:
        line.close()
    # Those who were cut off or have gone leave nobody and nothing.
    end = time.monotonic() + 15
    while True:
        state = json.loads(room.run("list", "--json").stdout or '{"people":[]}')
        # Sessions whose terminal has gone are kept, as those of honest people.
        people = sum(someone["present"] for someone in state["people"])
        left = len(os.listdir(descriptors)) - opened
        if people == 1 and left <= 0 or time.monotonic() > end:
            break
        settle([person], 0.2)
    grown = resident(room.host) - memory
    print("fuzz: %d broken conversations, %d edits beside them shown after %.0f ms (median), %.0f ms "
          "(99 %%), %.0f ms (most); %d people and %d descriptors left, %d MB more" % (
              number - options.first, edits, percentile(delays, 0.5), percentile(delays, 0.99),
              max(delays or [0]), people - 1, left, grown))
    return good and people == 1 and left <= 0 and grown < 100


def attack_files(options):
    """The files made to break servers, by their names."""
    files = {}
    for name in sorted(os.listdir(options.attacks)) if options.attacks else []:
        with open(os.path.join(options.attacks, name), "rb") as file:
            files[name] = file.read()
    return files


def attacks(room, options):
    """Files made to break servers, each in place of the greeting and after it: a person at the same
    host is told, and notices nothing else."""
    files = attack_files(options)
    if not files:
        print("attacks: SKIP, there is no folder of them")
        return True
    person = room.attach()
    person.type(":new-layer w0\r")
    good = person.until(lambda text: "w0" in panel(person.screen), 5)
    path = json.loads(room.run("list", "--json").stdout)["socket"]
    descriptors = "/proc/%d/fd" % room.host
    opened, memory = len(os.listdir(descriptors)), resident(room.host)
    lines, delays = [], []
    for name, data in files.items():
        for head in (b"", mutations.GREETING):
            for is_ended in (True, False):
                line = socket.socket(socket.AF_UNIX)
                line.settimeout(2)
                line.connect(path)
                try:
                    line.sendall(head + data)
                    if is_ended:
                        line.shutdown(socket.SHUT_WR)
                        while line.recv(1 << 16):
                            pass
                except OSError:
                    # It was cut off.
                    pass
                lines.append(line)
                layer = "w%d" % len(lines)
                delay = time_until(
                    person, ":rename %s\r" % layer, lambda text: layer in panel(person.screen), 10)
                if delay is None:
                    good = False
                    print("       after %s: no edit is shown\n%s" % (name, person.screen.text()))
                delays.append(delay or 10_000)
    person.type(":say\r")
    told = person.until(lambda text: " was cut off: " in text, 5)
    for line in lines:
        line.close()
    end = time.monotonic() + 10
    while len(os.listdir(descriptors)) > opened and time.monotonic() < end:
        settle([person], 0.2)
    left, grown = len(os.listdir(descriptors)) - opened, resident(room.host) - memory
    print("attacks: %d files, %d connections, edits beside them shown after %.0f ms (median), %.0f ms "
          "(most); %d descriptors left, %d MB more%s" % (
              len(files), len(lines), percentile(delays, 0.5), max(delays), left, grown,
              "" if told else "; nobody is told"))
    return good and told and left <= 0 and grown < 100


class Keeper(mutations.Terminal):
    """A guest that keeps the pictures it is sent."""

    def __init__(self):
        super().__init__()
        self.changes = []

    def present(self, change, echo):
        self.changes.append(change.fields["bytes"])
        super().present(change, echo)


def liars(room, options):
    """Hosts send broken messages; their client goes on or ends, and gives its terminal back."""
    path = json.loads(room.run("list", "--json").stdout)["socket"]
    connection, keeper = mutations.Connection(path), Keeper()
    keeper.root = connection.root
    connection.root.call("attach", mutations.guest(80, 24), keeper)
    for letter in "lLlL":
        count = len(keeper.changes)
        connection.root.send("events", mutations.parcel(mutations.number(1) + mutations.key(letter)))
        while len(keeper.changes) == count:
            connection.take()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(room.folder + "/liar")
    listener.listen()
    listener.settimeout(20)
    number, wrong, codes = options.first, 0, {}
    end = time.monotonic() + options.fuzz
    while time.monotonic() < end:
        rng = random.Random("%d/%d" % (options.seed, number))
        terminal = Terminal(
            [room.program, "attach", room.folder + "/liar", "--no-ask"], room.environment,
            room.folder)
        modes = termios.tcgetattr(terminal.terminal)
        line, _ = listener.accept()
        line.settimeout(2)
        fault = ""
        try:
            line.sendall(mutations.HOST_GREETING)
            request = first_message(line)
            frames = [mutations.reply(request.get("sequence"), 1)]
            frames += mutations.host_frames(rng, request.arguments()[1].number, keeper.changes)
            line.sendall(mutations.spoiled(rng, frames, b""))
            settle([terminal], 0.03)
            terminal.type("l")
            settle([terminal], 0.02)
        except OSError:
            # It has gone.
            pass
        except ValueError as error:
            fault = str(error)
        line.close()
        ends = time.monotonic() + 5
        while terminal.is_alive() and time.monotonic() < ends:
            terminal.read(0.02)
        try:
            terminal.screen.feed(terminal.output)
        except ValueError as error:
            fault = str(error)
        codes[terminal.status] = codes.get(terminal.status, 0) + 1
        if terminal.status not in (0, 254, 255):
            fault = "it ended with %s" % terminal.status
        elif termios.tcgetattr(terminal.terminal) != modes or terminal.screen.main is not None:
            fault = fault or "the terminal was not given back"
        if fault:
            wrong += 1
            print("       seed %d, first %d: %s: %r" % (options.seed, number, fault, terminal.output[-200:]))
        terminal.kill()
        number += 1
    print("liars: %d hosts, %d wrong; exit codes %s" % (
        number - options.first, wrong, dict(sorted(codes.items(), key=str))))
    return not wrong


def first_message(line):
    """Reads a greeting and the frames up to the first message."""
    with line.makefile("rb") as stream:
        head = stream.read(24)
        stream.read(int.from_bytes(head[20:24], "little"))
        while True:
            size, kind = int.from_bytes(stream.read(4), "little"), stream.read(12)[0]
            payload = stream.read(size)
            if kind == mutations.MESSAGE:
                return mutations.Message(mutations.Recorder(), payload)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--map")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--rate", type=float, default=50)
    parser.add_argument("--drops", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stall", type=float, default=1)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--question", type=float, default=2, help="seconds in a question")
    parser.add_argument("--fuzz", type=float, default=4, help="seconds of broken messages")
    parser.add_argument("--first", type=int, default=0, help="the first broken conversation")
    shared = os.path.join(
        os.path.dirname(os.path.realpath(__file__)), "../../../shared/hostile/port")
    parser.add_argument(
        "--attacks", default=shared if os.path.isdir(shared) else None,
        help="a folder of files that are sent as they are, too")
    options = parser.parse_args()
    known = [
        edits, drops, keys, question, slow, idle, kill, stopped, leave, stalled, jobs, pixels, scope, python,
        attacks, fuzz, liars]
    parts = [part for part in known if not options.parts or part.__name__ in options.parts]
    failed = 0
    for part in parts:
        room = Room(options.program, options.map)
        try:
            if not part(room, options):
                failed += 1
                print("FAIL", part.__name__)
        finally:
            room.end()
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


main()
