#!/usr/bin/env python3
"""Looks at what opening a document touches: nothing but the document and what belongs to it.

    python3 Tests/Reliability/inert.py .build/release/portolan

Needs strace. The document names files and addresses in its texts, and lies among files that other
programs would read by themselves; its own name, and the names of what belongs to it, are also tried
as pipes, devices and folders, which must not hold anything up.
"""
import os, pty, re, select, shutil, signal, socket, subprocess, sys, tempfile, time

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/debug/portolan")
PATIENCE = 10
SYSTEM = ("/usr/", "/lib", "/etc/", "/proc/", "/sys/", "/dev/", "/bin/", "/run/", "/var/run/")


class Desk:
    """A folder with a document among temptations, and a state folder."""

    def __init__(self):
        self.base = os.path.realpath(tempfile.mkdtemp(prefix="portolan-inert-"))
        self.folder = self.base + "/docs"
        self.state = self.base + "/state"
        os.mkdir(self.folder)
        self.write("secret", "not to be read")
        for name in (".exrc", ".portolanrc", "portolan.conf", "t.doc.geojson", "t.geojson", "t"):
            self.write(name, "not to be read")
        self.write(
            "source.geojson",
            '{"type":"FeatureCollection","crs":{"type":"link","properties":{"href":"file://%s/secret"}},'
            '"features":[{"type":"Feature","properties":{"name":"%s/secret","url":"file://%s/secret",'
            '"web":"http://127.0.0.1:9/","include":"include secret"},'
            '"geometry":{"type":"Point","coordinates":[10,50]}}]}' % ((self.folder,) * 3))
        subprocess.run(
            [PROGRAM, "import", "source.geojson", "-o", "t.doc"], cwd=self.folder,
            env=self.environment, check=True)
        os.remove(self.folder + "/source.geojson")

    def write(self, name, text):
        with open(self.folder + "/" + name, "w") as file:
            file.write(text)

    @property
    def environment(self):
        return {
            "PATH": os.environ["PATH"], "HOME": self.base, "XDG_STATE_HOME": self.state,
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}

    def remove(self):
        shutil.rmtree(self.base, ignore_errors=True)

    def run(self, *command):
        """Runs a command; answers its exit code, None if it hangs."""
        try:
            return subprocess.run(
                command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                capture_output=True, timeout=PATIENCE).returncode
        except subprocess.TimeoutExpired:
            return None

    def edit(self, *command):
        """Opens the document in the editor and leaves it; answers whether it could be left."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execvpe(command[0], command, self.environment)
        end = time.monotonic() + PATIENCE
        typed = time.monotonic() + 1.5
        status = None
        while time.monotonic() < end:
            if select.select([terminal], [], [], 0.05)[0]:
                try:
                    os.read(terminal, 65536)
                except OSError:
                    pass
            if typed is not None and time.monotonic() > typed:
                # Escape puts a question away.
                os.write(terminal, b"\x1b")
                time.sleep(0.3)
                os.write(terminal, b":q!\r")
                typed = None
            if os.waitpid(child, os.WNOHANG)[0]:
                status = 0
                break
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(terminal)
        return status == 0


def touched(desk, trace):
    """What a trace shows that reading a document must not do."""
    allowed = {desk.folder, desk.folder + "/t.doc", desk.folder + "/.t.doc.lock", desk.base,
               desk.base + "/.config/portolan/config"}
    wrong = []
    executed = 0
    is_opened = False
    for line in open(trace, errors="replace"):
        if re.search(r"\bexecve(at)?\(", line):
            executed += 1
        if "AF_INET" in line:
            wrong.append("speaks to the network: " + line.strip())
        mapped = re.search(r"\bmmap\(.*<([^>]*)>", line)
        if mapped and mapped.group(1).startswith(desk.folder):
            wrong.append("maps " + mapped.group(1))
        opened = re.search(r'\bopen(?:at2?)?\((?:AT_FDCWD)?(?:\d*<([^>]*)>, )?"([^"]*)"', line)
        if not opened:
            continue
        path = os.path.normpath(os.path.join(opened.group(1) or desk.folder, opened.group(2)))
        is_opened = is_opened or path == desk.folder + "/t.doc"
        if path in allowed or path.startswith((desk.state, desk.base + "/.terminfo")):
            continue
        # Libraries are wherever the loader looks for them.
        is_ours = path.startswith(desk.base + "/")
        if not is_ours and (path.startswith(SYSTEM) or re.search(r"\.so(\.|$)", path)):
            continue
        wrong.append("opens " + path)
    if not is_opened:
        wrong.append("does not open the document")
    if executed > 1:
        wrong.append("runs %d programs" % executed)
    return wrong


def traced(desk, *command, edits=False):
    trace = desk.base + "/trace"
    prefix = [
        "strace", "-f", "-y", "-qq", "-o", trace, "-e",
        "trace=open,openat,openat2,execve,execveat,socket,connect,mmap"]
    done = desk.edit(*prefix, *command) if edits else desk.run(*prefix, *command) is not None
    return ([] if done else ["hangs"]) + touched(desk, trace)


def plant(kind, path):
    if os.path.lexists(path):
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
    elif kind == "socket":
        # A name of its own length: addresses are short.
        here = os.getcwd()
        os.chdir(os.path.dirname(path))
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(os.path.basename(path))
        os.chdir(here)
    else:
        os.symlink(kind, path)


def main():
    passed, problems = 0, []

    def check(name, wrong):
        nonlocal passed
        if wrong:
            problems.extend("%s: %s" % (name, what) for what in sorted(set(wrong)))
        else:
            passed += 1

    desk = Desk()
    try:
        # A reader that looks around must be found out.
        if not traced(desk, "cat", "t.doc", "secret"):
            problems.append("control: nobody noticed that secret was read")
        for command in (["info", "t.doc"], ["export", "t.doc", "-o", "-"], ["render", "t.doc"]):
            check(command[0], traced(desk, PROGRAM, *command))
        check("the editor", traced(desk, PROGRAM, "t.doc", edits=True))
        # What belongs to a document is there now: versions, and a journal's folder.
        journal = desk.state + "/portolan/recovery/untitled.journal"
        version = desk.state + "/portolan/versions"
        kinds = ["pipe", "socket", "folder", "/dev/zero", "/dev/tty", "/proc/self/mem", "t.doc"]
        for kind in kinds:
            places = [journal, desk.folder + "/.t.doc.lock", version, desk.folder + "/t.doc"]
            for path in places:
                kept = desk.base + "/kept"
                if os.path.lexists(path):
                    os.rename(path, kept)
                plant(kind, path)
                name = "%s as %s" % (os.path.basename(path), kind)
                check(name, [] if desk.run(PROGRAM, "info", "t.doc") is not None else ["info hangs"])
                check(name, [] if desk.run(PROGRAM, "recover", "--list") is not None else ["hangs"])
                if kind in ("pipe", "/dev/zero"):
                    check(name, [] if desk.edit(PROGRAM, "t.doc") else ["the editor hangs"])
                plant("folder", path)
                os.rmdir(path)
                if os.path.lexists(kept):
                    os.rename(kept, path)
    finally:
        desk.remove()
    for problem in problems:
        print(problem)
    print("%d passed, %d failed" % (passed, len(problems)))
    return 1 if problems else 0


sys.exit(main())
