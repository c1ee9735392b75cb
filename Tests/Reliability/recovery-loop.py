#!/usr/bin/env python3
"""Kills the editor while it is typed into, and asks what is left of the work.

    RELIABILITY_N=1000 python3 Tests/Reliability/recovery-loop.py .build/release/portolan

Each run opens a document on a pseudo-terminal, makes an edit every 100 ms that says its own number,
saves now and then, and is ended by SIGKILL at a random moment. Then the document must open, hold at
least what was saved, and `portolan recover` must give back all edits but those of the last second.
"""
import os, random, re, shutil, subprocess, sys, tempfile, time

from editor import Editor

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
COUNT = int(os.environ.get("RELIABILITY_N", "5"))
SEED = int(os.environ.get("RELIABILITY_SEED", "1"))
BOUND = 1.0
SOURCE = (
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"m0"},'
    '"geometry":{"type":"Point","coordinates":[10,50]}}]}')


def environment(folder):
    return {
        "PATH": os.environ["PATH"], "HOME": folder, "XDG_STATE_HOME": folder + "/state",
        "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}


def run(folder, *arguments):
    return subprocess.run(
        [PROGRAM, *arguments], cwd=folder, env=environment(folder), capture_output=True,
        text=True, timeout=60)


def marker(folder, name):
    """The number of the last edit that a document holds; None if it cannot be read."""
    result = run(folder, "export", name, "-o", "-")
    found = re.search(r'"name":"m(\d+)"', result.stdout)
    return int(found.group(1)) if result.returncode == 0 and found else None


def once(number, random):
    """One life of the editor; answers the seconds of work lost, and what went wrong."""
    folder = tempfile.mkdtemp(prefix="portolan-loop-")
    try:
        with open(folder + "/a.geojson", "w") as file:
            file.write(SOURCE)
        run(folder, "import", "a.geojson", "-o", "t.doc")
        editor = Editor([PROGRAM, "t.doc"], environment(folder), folder)
        if not editor.wait(b"Layers"):
            editor.kill()
            return None, "the editor did not start"
        editor.type(":select all\r")
        made = {}
        saved = 0
        life = random.uniform(0.05, 3)
        start = time.monotonic()
        edit = 0
        while time.monotonic() - start < life:
            edit += 1
            editor.type(":set name=m%d\r" % edit)
            made[edit] = time.monotonic()
            editor.read(min(0.1, max(0, life - (time.monotonic() - start))))
            if random.random() < 0.1:
                before = os.stat(folder + "/t.doc").st_ino
                editor.type(":w\r")
                until = time.monotonic() + 2
                while time.monotonic() < until and os.stat(folder + "/t.doc").st_ino == before:
                    editor.read(0.01)
                if os.stat(folder + "/t.doc").st_ino != before:
                    saved = edit
        editor.kill()
        end = editor.ended
        stands = marker(folder, "t.doc")
        if stands is None:
            return None, "the document cannot be read"
        if stands < saved:
            return None, "save %d is lost, %d stands" % (saved, stands)
        result = run(folder, "recover", "t.doc", "-o", "r.doc")
        found = stands
        if result.returncode == 0:
            found = marker(folder, "r.doc")
            if found is None:
                return None, "what was recovered cannot be read"
        elif result.returncode != 1:
            return None, "recover: " + result.stderr
        if found < stands:
            return None, "recovered %d but %d was saved" % (found, stands)
        lost = [time for edit, time in made.items() if edit > found]
        return (end - min(lost) if lost else 0), None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    passed, failed, worst, total = 0, 0, 0, 0
    for number in range(COUNT):
        lost, problem = once(number, random.Random(SEED * 1000003 + number))
        if problem is None and lost > BOUND:
            problem = "%.3f s of work lost" % lost
        if problem:
            failed += 1
            print("run %d: %s" % (number, problem), flush=True)
        else:
            passed += 1
        worst = max(worst, lost or 0)
        total += lost or 0
    print("work lost: at most %.3f s, %.3f s on average" % (worst, total / max(1, COUNT)))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
