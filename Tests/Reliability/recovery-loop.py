#!/usr/bin/env python3
"""Kills the editor while it is typed into, and asks what is left of the work.

    RELIABILITY_N=1000 python3 Tests/Reliability/recovery-loop.py .build/release/portolan

Each run opens a document, a file of map data or two of them in two panes, on a pseudo-terminal, makes
an edit every 100 ms that says its own number, or puts a vertex that does, saves now and then, and is
ended by SIGKILL at a random moment. Then each file must open, hold at least what was saved, and
`portolan recover` must give back all edits of this file but those of the last second.
"""
import os
import random
import shutil
import sys
import tempfile
import time

from editings import Drawn, Editing, Sheet
from editor import Editor
from harness import Place

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
COUNT = int(os.environ.get("RELIABILITY_N", "6"))
SEED = int(os.environ.get("RELIABILITY_SEED", "1"))
BOUND = 1.0


def kinds():
    """What is open, in turn."""
    return [
        [Sheet("f.doc", "a")],
        [Sheet("f.doc", "a"), Drawn("g.doc", "b")],
        [Sheet("f.csv", "a"), Sheet("g.doc", "b")],
        [Drawn("f.geojson", "a")],
        [Sheet("f.doc", "a"), Sheet("g.doc", "b")],
        [Sheet("f.geojsonl", "a")],
    ]


def once(sheets, random):
    """One life of the editor; gives the seconds of work lost, and what went wrong."""
    base = os.path.realpath(tempfile.mkdtemp(prefix="portolan-loop-"))
    try:
        place = Place(base, PROGRAM)
        place.clear()
        for sheet in sheets:
            sheet.learn(place)
        editing = Editing("loop", sheets)
        editing.prepare(place)
        editor = Editor([PROGRAM, sheets[0].file], place.environment(), place.folder)
        made, saved = live(editing, place, editor, random)
        worst = 0
        for sheet in sheets:
            stands = sheet.marker(place, sheet.path(place))
            if stands is None:
                return None, "%s cannot be read, or is another's" % sheet.file
            if not isinstance(sheet, Drawn) and stands < saved.get(sheet.file, 0):
                return None, "%s: save %d is lost, %d stands" % (
                    sheet.file, saved[sheet.file], stands)
            found, wrong = sheet.recovered(place, stands)
            if wrong:
                return None, "%s: %s" % (sheet.file, wrong)
            if found < stands:
                return None, "%s: recovered %d but %d was saved" % (sheet.file, found, stands)
            lost = [time for edit, time in made[sheet.file].items() if edit > found]
            worst = max(worst, editor.ended - min(lost) if lost else 0)
        return worst, None
    finally:
        shutil.rmtree(base, ignore_errors=True)


def live(editing, place, editor, random):
    """Types until a random moment; gives when each edit was made, and the last one that was saved."""
    made, saved = {sheet.file: {} for sheet in editing.sheets}, {}
    editing.open(editor, place)
    life = random.uniform(0.05, 3)
    start = time.monotonic()
    edit = 0
    while time.monotonic() - start < life:
        edit += 1
        for sheet in editing.sheets:
            if len(editing.sheets) > 1:
                editor.type(":pane next\r")
            made[sheet.file][edit] = time.monotonic()
            editor.type(sheet.keys(edit, random))
            if random.random() < 0.1:
                path = sheet.path(place)
                before = os.stat(path).st_ino
                editor.type(":w\r")
                until = time.monotonic() + 2
                while time.monotonic() < until and os.stat(path).st_ino == before:
                    editor.read(0.01)
                if os.stat(path).st_ino != before:
                    saved[sheet.file] = edit
        editor.read(min(0.1, max(0, life - (time.monotonic() - start))))
    editor.kill()
    return made, saved


def main():
    passed, failed, worst, total = 0, 0, 0, 0
    for number in range(COUNT):
        sheets = kinds()[number % len(kinds())]
        lost, problem = once(sheets, random.Random(SEED * 1000003 + number))
        if problem is None and lost > BOUND:
            problem = "%.3f s of work lost" % lost
        if problem:
            failed += 1
            print("run %d, %s: %s" % (
                number, ", ".join(sheet.file for sheet in sheets), problem), flush=True)
        else:
            passed += 1
        worst = max(worst, lost or 0)
        total += lost or 0
    print("work lost: at most %.3f s, %.3f s on average" % (worst, total / max(1, COUNT)))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
