#!/usr/bin/env python3
"""Kills the editor while it is typed into, and asks what is left of the work.

    RELIABILITY_N=1000 python3 Tests/Reliability/recovery-loop.py .build/release/portolan

Each run opens a document on a pseudo-terminal, makes an edit every 100 ms that says its own number,
saves now and then, and is ended by SIGKILL at a random moment. Then the document must open, hold at
least what was saved, and `portolan recover` must give back all edits but those of the last second.
"""
import os, pty, random, re, select, shutil, signal, struct, subprocess, sys, tempfile, time
import fcntl, termios

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
COUNT = int(os.environ.get("RELIABILITY_N", "5"))
SEED = int(os.environ.get("RELIABILITY_SEED", "1"))
BOUND = 1.0
SOURCE = (
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"m0"},'
    '"geometry":{"type":"Point","coordinates":[10,50]}}]}')


class Editor:
    """The editor on a pseudo-terminal of 80x24."""

    def __init__(self, folder, name):
        env = {
            "PATH": os.environ["PATH"], "HOME": folder, "XDG_STATE_HOME": folder + "/state",
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execve(PROGRAM, [PROGRAM, name], env)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.output = b""

    def read(self, seconds):
        """Takes what the editor draws, so that it never waits for us."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            ready, _, _ = select.select([self.terminal], [], [], max(0, left))
            if not ready:
                return
            try:
                self.output += os.read(self.terminal, 65536)
            except OSError:
                return
            if left <= 0:
                return

    def wait(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.output and time.monotonic() < end:
            self.read(0.02)
        return text in self.output

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def kill(self):
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


def run(folder, *arguments):
    env = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder + "/state", SWIFT_BACKTRACE="enable=no")
    return subprocess.run(
        [PROGRAM, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60)


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
        editor = Editor(folder, "t.doc")
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
        end = time.monotonic()
        editor.kill()
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
