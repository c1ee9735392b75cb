"""What `journals.py` has typed into the editor, and what must be left of it.

An editing is one life of the editor with one or several sheets: files, each with a document of its
own in a pane of its own. Each edit of a sheet says its number, so that what is left tells how much
of it is there, and of which sheet it is.
"""
import collections
import json
import os
import random
import re
import shutil
import signal
import time

from editor import Editor

Call = collections.namedtuple("Call", "number name error kind path")
Life = collections.namedtuple("Life", "made ended saved log reached status output")
# Kinds of records of a journal: an edit, and what was put into a draft.
STEPS = (1, 9)


class Sheet:
    """A file whose features are all given a name that says the number of the edit."""

    start = ":select all\r"
    # What makes of the work something that a save can keep.
    end = ""

    def __init__(self, file, letter="m", features=1, filler=0):
        self.file = file
        self.letter = letter
        self.features = features
        self.filler = filler
        self.content = None

    @property
    def journal(self):
        """How the name of its journal begins."""
        return "/" + self.file.replace(".", "-")

    @property
    def saved_words(self):
        """The end of `saved NAME`: what is on the screen already is not sent again."""
        return b"aved " + self.file.encode()

    def path(self, place):
        return os.path.join(place.folder, self.file)

    def learn(self, place):
        """Makes the content of the file."""
        text = "\n".join(
            '{"type":"Feature","properties":{"name":"%s0"},"geometry":{"type":"Point",'
            '"coordinates":[%d,%d]}}' % (self.letter, n % 180, n % 80)
            for n in range(self.features)) + "\n"
        if self.file.endswith(".csv"):
            text = "name;lon;lat\r\n%s0;10;50\r\n" % self.letter
        if self.file.endswith((".csv", ".geojsonl")):
            self.content = text.encode()
            return
        source = os.path.join(place.base, "source.geojsonl")
        with open(source, "w") as out:
            out.write(text)
        if self.file.endswith(".geojson"):
            made = place.run([place.program, "export", source, "-o", self.path(place)])
        else:
            made = place.run([place.program, "import", source, "-o", self.path(place)])
        assert made.returncode == 0, made.stderr
        with open(self.path(place), "rb") as file:
            self.content = file.read()

    def keys(self, edit, generator):
        text = "".join(generator.choices("abcdefghijklmnop", k=self.filler))
        return ":set name=%s%dx%s\r" % (self.letter, edit, text)

    def marker(self, place, path):
        """The number of the edit that a document is; None if it cannot be read or is none whole."""
        result = place.run([place.program, "export", path, "--format", "geojson", "-o", "-"])
        found = set(re.findall(rb'"name":"([a-z])(\d+)', result.stdout))
        if result.returncode != 0 or len(found) != 1:
            return None
        letter, number = found.pop()
        return int(number) if letter.decode() == self.letter else None

    def final(self, place):
        """The number of the edit that stands in the file after all was saved."""
        return self.marker(place, self.path(place))

    def recovered(self, place, stands):
        """The number of the edit that recovery gives, and what is wrong."""
        result = place.run(
            [place.program, "recover", self.path(place), "-o", place.base + "/r.doc", "--force"])
        if result.returncode == 1:
            return stands, None
        if result.returncode != 0:
            return None, "recover: %s" % result.stderr
        found = self.marker(place, place.base + "/r.doc")
        return found, None if found is not None else "what was recovered cannot be read"


class Drawn(Sheet):
    """A file in which a line is being drawn: each edit puts a vertex, whose x is its number."""

    start = ":draw line\r"
    end = ":finish\r"
    # Put by the one that recovers, so that the line can be finished.
    END = [[100.5, 60.5], [101.5, 60.5]]

    @property
    def y(self):
        return 30.25 + ord(self.letter) % 16

    def keys(self, edit, generator):
        return ":put %d %s\r" % (edit, self.y)

    def marker(self, place, path):
        """A draft stands in no file: 0 if it can be read."""
        result = place.run([place.program, "export", path, "--format", "geojson", "-o", "-"])
        is_whole = result.returncode == 0 and b'"%s0"' % self.letter.encode() in result.stdout
        return 0 if is_whole and b"LineString" not in result.stdout else None

    def recovered(self, place, stands):
        """Recovers in the editor, goes on drawing, finishes the line and saves."""
        result = place.run([place.program, "recover", self.path(place)])
        if result.returncode == 1:
            return stands, None
        drawn = os.path.join(place.base, "drawn.doc")
        if os.path.exists(drawn):
            os.remove(drawn)
        editor = Editor([place.program, self.file], place.environment(), place.folder)
        try:
            if not editor.wait(b"Unsaved"):
                return None, "nothing is offered: %s %s" % (result.stdout, editor.output[-300:])
            editor.type("r")
            editor.wait(b"recovered")
            editor.type(":draw line\r")
            for x, y in self.END:
                editor.type(":put %s %s\r" % (x, y))
            editor.type(":finish\r:w ../drawn.doc\r")
            editor.wait(b"aved ../drawn.doc")
            editor.type(":q\r")
            editor.wait_for_end(10)
        finally:
            editor.kill()
        lines = self.lines(place, drawn)
        count = len(lines[0]) - len(self.END) if len(lines) == 1 else -1
        if count < 0 or lines != [self.line(count) + self.END]:
            return None, "another line was recovered: %s" % lines
        return count, None

    def final(self, place):
        lines = self.lines(place, self.path(place))
        return len(lines[0]) if lines and lines == [self.line(len(lines[0]))] else None

    def line(self, count):
        return [[number + 1, self.y] for number in range(count)]

    @staticmethod
    def lines(place, path):
        """The lines that stand in a file; none if it cannot be read."""
        result = place.run([place.program, "export", path, "--format", "ndjson", "-o", "-"])
        if result.returncode != 0:
            return []
        shapes = [json.loads(line)["geometry"] for line in result.stdout.splitlines()]
        return [shape["coordinates"] for shape in shapes if shape["type"] == "LineString"]


class Editing:
    """What is typed into the editor, and how the place is before it.

    saves_after: after so many edits the first sheet is saved, while the edits go on.
    """

    def __init__(self, name, sheets, edits=10, saves_after=0, resumes=False):
        self.name = name
        self.sheets = sheets
        self.edits = edits
        self.saves_after = saves_after
        self.resumes = resumes
        self.first = 0

    def learn(self, place, faults):
        """Makes the documents and, to be resumed, what a killed editor leaves."""
        place.clear()
        for sheet in self.sheets:
            sheet.learn(place)
        if self.resumes:
            self.resumes = False
            life = self.live(place, faults, {})
            assert life.status == -signal.SIGKILL, life
            self.first = self.edits
            shutil.rmtree(self.template(place), ignore_errors=True)
            # A socket is of a process, and no file to copy.
            shutil.copytree(place.state, self.template(place),
                            ignore=shutil.ignore_patterns("sockets"))
            self.resumes = True

    def template(self, place):
        return os.path.join(place.base, "left")

    def prepare(self, place):
        place.clear()
        for sheet in self.sheets:
            with open(sheet.path(place), "wb") as out:
                out.write(sheet.content)
        if self.resumes:
            shutil.copytree(self.template(place), place.state)

    def live(self, place, faults, settings, then=None, hang_up=None):
        """One life of the editor, to its own end or to ours.

        then: what is done when all that was typed is on the disk.
        hang_up: how it is asked to end, at once when all was typed.
        """
        self.prepare(place)
        place.synchronize()
        log = os.path.join(faults.folder, "log")
        if os.path.exists(log):
            os.remove(log)
        environment = dict(
            place.environment(), LD_PRELOAD=faults.library, FAULTS_LOG=log,
            FAULTS_UNDER=place.folder + ":" + place.state, **settings)
        # By a short name: what is said of it fits the line.
        editor = Editor([place.program, self.sheets[0].file], environment, place.folder)
        made, saved = {sheet.file: {} for sheet in self.sheets}, {}
        try:
            self.open(editor, place)
            generator = random.Random(1)
            for edit in range(self.first + 1, self.first + self.edits + 1):
                for sheet in self.sheets:
                    if not editor.is_alive():
                        break
                    if len(self.sheets) > 1:
                        editor.type(":pane next\r")
                    made[sheet.file][edit] = time.monotonic()
                    editor.type(sheet.keys(edit, generator))
                    editor.read(0.12)
                    if sheet is self.sheets[0] and edit == self.first + self.saves_after:
                        editor.type(":w\r")
                        saved[sheet.file] = edit
            if hang_up:
                hang_up(editor)
            if saved and not editor.wait(self.sheets[0].saved_words):
                saved = {}
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

    def open(self, editor, place):
        """Each sheet in a pane of its own, the first one in the pane before the one with the keys."""
        for number, sheet in enumerate(self.sheets):
            editor.output = b""
            if number:
                editor.type(":split right %s\r" % sheet.file)
            if self.resumes:
                editor.wait(b"Unsaved")
                editor.type("r")
                editor.wait(b"recovered")
            elif not number:
                editor.wait(b"1 layer")
            if number and not self.resumes:
                # What it says of this file is what it said of the one before, and is not sent again.
                end = time.monotonic() + 10
                lock = os.path.join(place.folder, ".%s.lock" % sheet.file)
                while editor.is_alive() and not os.path.exists(lock) and time.monotonic() < end:
                    editor.read(0.02)
                editor.read(0.3)
            editor.type(sheet.start)

    def save_all_and_quit(self, editor):
        for sheet in self.sheets:
            editor.output = b""
            if len(self.sheets) > 1:
                editor.type(":pane next\r")
            editor.type(sheet.end + ":w\r")
            editor.wait(sheet.saved_words)
        editor.type(":q\r")
        editor.wait_for_end(10)

    def settle(self, editor, log, seconds):
        """Until all that was written is on the disk, and nothing comes after."""
        end = time.monotonic() + seconds
        quiet = 0
        former = None
        while editor.is_alive() and time.monotonic() < end and quiet < 4:
            editor.read(0.1)
            calls = read_log(log)
            is_done = True
            for sheet in self.sheets:
                journal = [
                    "fault" if call.error else call.name
                    for call in calls if "/recovery" + sheet.journal in call.path]
                open_ends = [name in ("write", "fault") for name in journal]
                is_done &= True not in open_ends or "fsync" in journal[last(open_ends, True):]
            quiet = quiet + 1 if is_done and len(calls) == former else 0
            former = len(calls)

    @staticmethod
    def journalled(sheet, calls):
        """The calls that are about the journal of a sheet."""
        return [
            call for call in calls
            if "/recovery" + sheet.journal in call.path or call.path.endswith("/recovery")]

    # MARK: What must be there

    def trouble(self, place, life, floor, bound):
        """What is wrong with what is left of a life, and the seconds of typing that are lost.

        floor: of a log and the first edit, the last edit that must be there; None for no such.
        """
        worst = 0
        for sheet in self.sheets:
            least = floor(self.journalled(sheet, life.log), self.first) if floor else 0
            wrong, seconds = self.trouble_with(sheet, place, life, least, bound)
            worst = max(worst, seconds)
            if wrong:
                return "%s: %s" % (sheet.file, wrong), worst
        return None, worst

    def trouble_with(self, sheet, place, life, least, bound):
        stands = sheet.marker(place, sheet.path(place))
        if stands is None:
            return "the document cannot be read, or is another's", 0
        if sheet is not self.sheets[0] or not self.saves_after:
            with open(sheet.path(place), "rb") as file:
                if file.read() != sheet.content:
                    return "the document was touched", 0
        saved = 0 if isinstance(sheet, Drawn) else life.saved.get(sheet.file, 0)
        if stands < saved:
            return "save %d is lost, %d stands" % (saved, stands), 0
        found, wrong = sheet.recovered(place, stands)
        if wrong:
            return wrong, 0
        lost = [at for edit, at in life.made[sheet.file].items() if edit > found]
        seconds = life.ended - min(lost) if lost else 0
        if found < least:
            return "%d was kept, %d is found" % (least, found), seconds
        if found < self.first or seconds > bound:
            return "%d is found, %.3f s of work lost" % (found, seconds), seconds
        return None, seconds


def last(items, item):
    return len(items) - 1 - items[::-1].index(item)


def read_log(path):
    """The calls in the order in which they began; a synchronisation runs beside other calls."""
    try:
        with open(path, errors="replace") as file:
            rows = [line.rstrip("\n").split(" ", 4) for line in file]
    except FileNotFoundError:
        return []
    return sorted(
        Call(int(row[0]), row[1], int(row[2]), int(row[3]), row[4])
        for row in rows if len(row) == 5)


def written(log, first):
    """The last edit whose record was written."""
    return first + sum(
        call.name == "write" and call.kind in STEPS and call.error == 0
        and call.path.endswith(".journal") for call in log)


def synced(log, first):
    """The last edit whose record was on the disk, its journal's name among it."""
    steps = pending = kept = first
    is_loose = True
    for call in log:
        if call.error:
            continue
        is_journal = call.path.endswith(".journal")
        if is_journal and call.name == "write" and call.kind in STEPS:
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


def editings():
    return [
        Editing("append", [Sheet("f.doc")]),
        Editing("saving", [Sheet("f.doc")], edits=8, saves_after=4),
        Editing("compaction", [Sheet("f.doc", features=300, filler=400)], edits=12),
        Editing("resume", [Sheet("f.doc")], edits=6, resumes=True),
        Editing("draft", [Drawn("f.doc")], edits=8, saves_after=4),
        Editing("draft-resume", [Drawn("f.doc")], edits=5, resumes=True),
        Editing("two", [Sheet("f.doc", "a"), Sheet("g.doc", "b")], edits=5, saves_after=3),
        Editing("two-drafts", [Drawn("f.doc", "a"), Drawn("g.doc", "b")], edits=4, saves_after=2),
        Editing("two-resume", [Sheet("f.doc", "a"), Drawn("g.doc", "b")], edits=4, resumes=True),
        Editing("data", [Sheet("f.csv")], edits=6, saves_after=3),
        Editing("data-draft", [Drawn("f.geojson")], edits=6, saves_after=3),
        Editing("data-resume", [Sheet("f.geojsonl")], edits=5, resumes=True),
        Editing("two-data", [Sheet("f.csv", "a"), Sheet("g.geojson", "b")], edits=4, saves_after=2),
    ]
