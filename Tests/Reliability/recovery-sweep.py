#!/usr/bin/env python3
"""Ends recovery at every system call that writes, and looks at what was touched.

    python3 Tests/Reliability/recovery-sweep.py .build/release/portolan

Needs strace. Until the work is saved or discarded, neither the document nor its journal may change,
whatever ends the recovery; and everything that is made must be ours alone from the beginning.
"""
import hashlib, os, re, shutil, subprocess, sys, tempfile

from editor import Editor

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
CALLS = ["write", "renameat2", "renameat", "unlinkat", "fsync", "ftruncate", "openat"]
SOURCE = (
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"m0"},'
    '"geometry":{"type":"Point","coordinates":[10,50]}}]}')


def environment(folder):
    return dict(
        os.environ, HOME=folder, XDG_STATE_HOME=folder + "/state", SWIFT_BACKTRACE="enable=no",
        TERM="xterm-256color", LANG="C.UTF-8")


def run(folder, *command):
    return subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=120)


def edit(folder, *prefix):
    """Edits t.doc and is killed; answers what strace wrote."""
    editor = Editor([*prefix, PROGRAM, "t.doc"], environment(folder), folder)
    editor.wait(b"1 layer")
    editor.type(":select all\r:set name=m7\r")
    editor.read(2)
    editor.kill(others=editor.children())


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    folder = tempfile.mkdtemp(prefix="portolan-sweep-")
    problems, points = [], 0
    try:
        with open(folder + "/a.geojson", "w") as file:
            file.write(SOURCE)
        run(folder, PROGRAM, "import", "a.geojson", "-o", "t.doc")
        trace = folder + "/trace"
        edit(folder, "strace", "-f", "-o", trace, "-e", "trace=openat,mkdir,mkdirat")
        for line in open(trace):
            made = re.search(r'openat\([^,]*, "([^"]*)", ([A-Z_|]*O_CREAT[A-Z_|]*), (0\d+)\) = \d', line)
            # A lock file is shared on purpose; its lock is the kernel's.
            if made and not made.group(1).startswith("/dev/") and not made.group(1).endswith(".lock"):
                flags, mode = made.group(2), made.group(3)
                for flag in ("O_EXCL", "O_NOFOLLOW", "O_CLOEXEC"):
                    if flag not in flags:
                        problems.append("%s is made without %s" % (made.group(1), flag))
                if mode != "0600":
                    problems.append("%s is made with mode %s" % (made.group(1), mode))
                points += 1
        recovery = folder + "/state/portolan/recovery"
        for path in (folder + "/state/portolan", recovery):
            if os.stat(path).st_mode & 0o777 != 0o700:
                problems.append("%s can be entered by others" % path)
        journals = [name for name in os.listdir(recovery) if name.endswith(".journal")]
        if len(journals) != 1:
            problems.append("%d journals" % len(journals))
            return finish(points, problems)
        journal = os.path.join(recovery, journals[0])
        before = digest(journal), digest(folder + "/t.doc")
        for call in CALLS:
            when = 1
            while when < 400:
                result = run(
                    folder, "strace", "-f", "-o", "/dev/null", "-e", "trace=" + call, "-e",
                    "inject=%s:signal=SIGKILL:when=%d" % (call, when), PROGRAM, "recover", "t.doc",
                    "-o", "r.doc")
                if os.path.exists(folder + "/r.doc"):
                    os.remove(folder + "/r.doc")
                points += 1
                if (digest(journal), digest(folder + "/t.doc")) != before:
                    problems.append("killed at %s %d: something changed" % (call, when))
                if result.returncode == 0:
                    break
                when += 1 if call != "openat" else 5
        result = run(folder, PROGRAM, "recover", "t.doc", "-o", "r.doc")
        text = run(folder, PROGRAM, "export", "r.doc", "-o", "-").stdout
        if result.returncode != 0 or '"m7"' not in text:
            problems.append("the work is not there any more: " + result.stderr)
        run(folder, PROGRAM, "recover", "t.doc", "-o", "t.doc", "--force")
        if '"m7"' not in run(folder, PROGRAM, "export", "t.doc", "-o", "-").stdout:
            problems.append("saving the work into the document failed")
        if os.path.exists(journal):
            problems.append("the journal stays after its document was saved")
        return finish(points, problems)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def finish(points, problems):
    for problem in problems:
        print(problem)
    print("%d passed, %d failed" % (points - len(problems), len(problems)))
    return 1 if problems else 0


sys.exit(main())
