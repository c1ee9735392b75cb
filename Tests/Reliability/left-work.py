#!/usr/bin/env python3
"""Kills editors and asks for what they left: several documents without a name, a torn copy.

    python3 Tests/Reliability/left-work.py .build/release/portolan

Every piece of work must be listed and can be had by its name; a large document whose copy in the
journal was cut off, and whose file is another one by now, is found among the earlier versions, and
where it is nowhere, that is said.
"""
import os, shutil, subprocess, sys, tempfile

from editor import Editor

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
SOURCE = (
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"m0"},'
    '"geometry":{"type":"Point","coordinates":[10,50]}}]}')


class Checks:
    """A folder of its own, and what was found in it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="portolan-left-")
        self.environment = dict(
            os.environ, HOME=self.folder, XDG_STATE_HOME=self.folder + "/state",
            SWIFT_BACKTRACE="enable=no", TERM="xterm-256color", LANG="C.UTF-8")
        self.passed, self.failed = 0, 0

    def edit(self, files, keys):
        """Edits in the editor, which is killed then."""
        editor = Editor([PROGRAM, *files], self.environment, self.folder)
        editor.wait(b"1 layer" if files else b"Layers")
        editor.read(0.5)
        for key in keys:
            editor.type(key)
            editor.read(0.5)
        editor.read(1.5)
        editor.kill()

    def run(self, *arguments):
        return subprocess.run(
            [PROGRAM, *arguments], cwd=self.folder, env=self.environment, capture_output=True,
            text=True, timeout=120)

    def expect(self, what, words, *arguments, code=0):
        """Runs the program; its output must hold the words."""
        result = self.run(*arguments)
        text = result.stdout + result.stderr
        missing = [word for word in words if word not in text]
        self.judge(what, not missing and result.returncode == code,
                   "code %d, no %s in: %s" % (result.returncode, missing, text[:2000]))

    def judge(self, what, is_right, detail=""):
        self.passed += is_right
        self.failed += not is_right
        if not is_right:
            print("%s: %s" % (what, detail))


def several(checks):
    checks.edit([], [":new-layer first\r"])
    # Escape leaves what is offered for later.
    checks.edit([], ["\x1b", ":new-layer second\r"])
    checks.expect("list", ["untitled.journal", "untitled.2.journal", "left over"], "recover", "--list")
    checks.expect("the newest", ["untitled: 1 edit", "this is untitled.2; 1 more: portolan recover --list"], "recover")
    for name, layer in (("untitled", "first"), ("untitled.2", "second")):
        checks.expect(name, [], "recover", "--journal", name, "-o", name + ".doc")
        checks.expect(name, [layer], "info", name + ".doc")
    checks.expect("discard", [], "recover", "--journal", "untitled", "--discard")
    checks.expect("what is left", ["second"], "recover", "--journal", "untitled.2")
    checks.expect("what is gone", [], "recover", "--journal", "untitled", code=3)
    checks.expect("discard the last", [], "recover", "--discard")
    checks.expect("nothing", ["no unsaved work"], "recover", code=1)


def torn(checks):
    folder = checks.folder
    big = SOURCE.replace('"m0"', '"m0","text":"%s"' % ("note " * (2 << 20)))
    for name, text in (("a.geojson", SOURCE), ("big.geojson", big)):
        with open(folder + "/" + name, "w") as file:
            file.write(text)
    checks.run("import", "big.geojson", "-o", "big.doc")
    checks.edit(["big.doc"], [":select all\r", ":set name=m7\r"])
    recovery = folder + "/state/portolan/recovery/"
    names = [name for name in os.listdir(recovery) if name.startswith("big-doc")]
    checks.judge("a journal", len(names) == 1, str(names))
    journal = recovery + names[0]
    # Its last record ends the copy.
    os.truncate(journal, os.path.getsize(journal) - 1)
    checks.run("import", "a.geojson", "-o", "big.doc", "--force")
    checks.expect("the version", ["what it was then is version"], "recover", "big.doc")
    checks.expect("the work", [], "recover", "big.doc", "-o", "mine.doc")
    checks.expect("what it holds", ['"m7"'], "export", "mine.doc", "-o", "-")
    shutil.rmtree(folder + "/state/portolan/versions")
    told = ["cannot be recovered now", "neither in the journal nor", "big.doc.before"]
    checks.expect("what is missing", told, "recover", "big.doc")
    checks.expect("no output", told, "recover", "big.doc", "-o", "gone.doc", code=1)
    checks.expect("discard", [], "recover", "big.doc", "--discard")
    checks.judge("the journal", not os.path.exists(journal), "stays after it was discarded")


def main():
    checks = Checks()
    try:
        several(checks)
        torn(checks)
    finally:
        shutil.rmtree(checks.folder, ignore_errors=True)
    print("%d passed, %d failed" % (checks.passed, checks.failed))
    return 1 if checks.failed else 0


sys.exit(main())
