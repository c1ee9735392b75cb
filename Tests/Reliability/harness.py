"""What the reliability sweeps share: documents, scripted saves, points of a trace, states of a file.

A save is a script that the program runs; exit code 0 is its word that the document is on the disk.
Everything happens below one folder, the state folder included, so that a trace shows every call
that matters.
"""
import collections
import contextlib
import fcntl
import json
import os
import re
import shutil
import struct
import subprocess
import time

from editor import Editor

CALLS = (
    "openat,write,pwrite64,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,"
    "fsync,fdatasync,fchmod,fchown,fsetxattr,fremovexattr,mkdir,fcntl,close,read"
)
# Calls whose failure or whose last moment can make a difference on the disk.
MUTATING = set(CALLS.split(",")) - {"fcntl", "close", "read"}
ERRORS = {
    "openat": ["EACCES", "EROFS", "ENOSPC", "EMFILE", "EDQUOT"],
    "write": ["ENOSPC", "EIO", "EDQUOT", "EFBIG", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT"],
    "renameat2": ["EIO", "EACCES", "ENOSPC", "EINVAL"],
    "rename": ["EIO", "EACCES", "ENOSPC"],
    "renameat": ["EIO", "EACCES", "ENOSPC"],
    "ftruncate": ["EIO"],
    "unlinkat": ["EIO", "EPERM"],
    "fchmod": ["EPERM"],
    "fchown": ["EPERM"],
    "fsetxattr": ["ENOTSUP", "ENOSPC"],
    "read": ["EIO"],
    "close": ["EIO"],
    "mkdir": ["EACCES", "ENOSPC"],
}

FEATURES = [
    '{"type":"Feature","properties":{"name":"p%d"},"geometry":'
    '{"type":"Point","coordinates":[%d,%d]}}' % (n, n % 180, n % 80)
    for n in range(300)
]
POINTS = '{"type":"FeatureCollection","features":[%s]}' % ",".join(FEATURES)
# The same as map data that is saved back: a line for each feature.
MAP = '{ "type": "FeatureCollection", "features": [\n%s\n] }\n' % ",\n".join(FEATURES)
LINES = "\n".join(FEATURES) + "\n"


def table(separator):
    rows = ["p%d%s%d%s%d" % (n, separator, n % 180, separator, n % 80) for n in range(300)]
    return "\n".join([separator.join(("name", "lon", "lat")), *rows, ""])


SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN; flag 2: what is not in the journal's log is lost.


class Tally:
    def __init__(self):
        self.passed = self.failed = 0

    def report(self, name, count, states, bad, started, expects_bad=False):
        good = bool(bad) == expects_bad and count > 0
        self.passed += good
        self.failed += not good
        print("%s %s: %d points, %s, %d violations%s, %.1f s" % (
            "ok  " if good else "FAIL", name, count, dict(states), len(bad),
            " (wanted)" if expects_bad else "", time.time() - started), flush=True)
        if not good:
            for line in bad[:8]:
                print("      ", line, flush=True)


class Disk:
    """A file system in a file, whose power can be cut."""

    def __init__(self, folder, kind):
        self.kind, _, self.options = kind.partition(",")
        self.image = os.path.join(folder, "image")
        self.mount_point = os.path.join(folder, "mnt")
        os.makedirs(self.mount_point, exist_ok=True)
        with open(self.image, "wb") as image:
            image.truncate(400 << 20)
        subprocess.run(["mkfs." + self.kind, "-q", self.image], check=True, capture_output=True)

    def mount(self):
        options = "loop" + ("," + self.options if self.options else "")
        subprocess.run(
            ["mount", "-o", options, self.image, self.mount_point], check=True,
            capture_output=True)

    def unmount(self):
        while subprocess.run(["umount", self.mount_point], capture_output=True).returncode:
            time.sleep(0.05)

    def cut(self):
        """The power goes and comes back."""
        folder = os.open(self.mount_point, os.O_RDONLY)
        fcntl.ioctl(folder, SHUTDOWN, struct.pack("I", 2))
        os.close(folder)
        self.unmount()
        self.mount()


def remove(folder, seconds=5):
    """Removes a folder, even if a call that was under way still puts something there."""
    end = time.monotonic() + seconds
    while os.path.lexists(folder):
        try:
            shutil.rmtree(folder)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Place:
    """A folder with a document in it, made anew for every run."""

    def __init__(self, base, program):
        self.base = base
        self.program = os.path.abspath(program)
        self.folder = os.path.join(base, "docs")
        self.state = os.path.join(base, "state")
        self.use("f.doc")

    def use(self, name):
        """The file that is saved from now on."""
        self.file = os.path.join(self.folder, name)

    def environment(self):
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": self.base,
            "XDG_STATE_HOME": self.state,
            "SWIFT_BACKTRACE": "enable=no",
            "LC_ALL": "C.UTF-8",
        }

    def run(self, command, prefix=(), **options):
        options.setdefault("timeout", 120)
        return subprocess.run(
            list(prefix) + list(command), env=self.environment(), cwd=self.base,
            stdin=subprocess.DEVNULL, capture_output=True, **options)

    def script(self, text, *files, prefix=(), **options):
        path = os.path.join(self.base, "script")
        with open(path, "w") as out:
            out.write(text)
        return self.run([self.program, "run", path, *files], prefix=prefix, **options)

    def clear(self):
        for folder in (self.folder, self.state):
            remove(folder)
        os.makedirs(self.folder)

    def synchronize(self):
        """What was prepared is on the disk; of other disks, whose power others may cut, nothing is."""
        subprocess.run(["sync", "-f", self.base], check=True)

    def layers(self, path=None):
        """The names of a document's layers; None if it cannot be opened."""
        result = self.run([self.program, "info", "--json", path or self.file])
        if result.returncode != 0:
            return None
        return [layer["name"] for layer in json.loads(result.stdout)["layers"]]


class Operation:
    """A save under test: how the place is before it, the script, what may be there afterwards."""

    file_name = "f.doc"

    def __init__(self, name, script, links=1, exists=True):
        self.name = name
        self.script = script
        self.links = links
        self.exists = exists
        self.old = None
        self.new = None

    def prepare(self, place):
        place.clear()
        place.use(self.file_name)
        if self.exists:
            with open(place.file, "wb") as out:
                out.write(self.old)
        if self.links > 1:
            os.link(place.file, os.path.join(place.folder, "other-" + self.file_name))
        with open(os.path.join(place.base, "script"), "w") as out:
            out.write(self.script)

    def command(self, place):
        return [place.program, "run", os.path.join(place.base, "script")]

    def learn(self, place):
        """The contents before and after, from a run that nothing disturbs."""
        self.old = self.make_old(place)
        self.learn_new(place)

    def make_old(self, place):
        place.clear()
        data = os.path.join(place.base, "points.geojson")
        with open(data, "w") as out:
            out.write(POINTS)
        made = place.script("import %s --as points\nsave old.doc --force\n" % data)
        assert made.returncode == 0, made.stderr
        with open(os.path.join(place.base, "old.doc"), "rb") as source:
            return source.read()

    def learn_new(self, place):
        self.prepare(place)
        result = place.run(self.command(place))
        assert result.returncode == 0, result.stderr
        with open(place.file, "rb") as source:
            self.new = source.read()
        assert self.new != self.old

    def state(self, place):
        """`old`, `new`, `none`, or what is wrong."""
        if self.links > 1:
            # A save in place that was cut off is finished by whoever opens the document next.
            place.run([place.program, "info", place.file])
        try:
            with open(place.file, "rb") as source:
                found = source.read()
        except FileNotFoundError:
            return "MISSING" if self.exists else "none"
        if found == self.new:
            return "new"
        if found == self.old and self.exists:
            return "old"
        return "EMPTY" if not found else "TORN"

    def litter(self, place):
        known = {self.file_name}
        if self.links > 1:
            known.add("other-" + self.file_name)
        return [name for name in os.listdir(place.folder) if name not in known]

    def loss(self, place, state, said):
        """What is lost though the document is whole; None if nothing is."""
        return None


class Recovery(Operation):
    """Work that a killed editor left is written into its document, which ends the journal."""

    def __init__(self, name, file):
        super().__init__(name, "")
        self.words = ["recover", file, "-o", file, "--force"]
        self.left = None

    def learn(self, place):
        self.old = self.make_old(place)
        self.left = None
        self.prepare(place)
        editor = Editor([place.program, place.file], place.environment(), place.base)
        editor.wait(b"1 layer")
        editor.type(":new-layer added\r:select all\r:set note=kept\r")
        editor.wait(b"autosaved")
        editor.kill()
        self.left = os.path.join(place.base, "left")
        shutil.rmtree(self.left, ignore_errors=True)
        # A socket is of a process, and no file to copy.
        shutil.copytree(place.state, self.left,
                        ignore=shutil.ignore_patterns("sockets"))
        self.learn_new(place)

    def prepare(self, place):
        super().prepare(place)
        if self.left:
            shutil.copytree(self.left, place.state)

    def command(self, place):
        return [place.program, *self.words]

    def loss(self, place, state, said):
        """The work must be in the document or still be recovered, not both and not neither."""
        # Beside the document: the sources of its layers have the same names there.
        path = os.path.join(os.path.dirname(place.file), "recovered.doc")
        result = place.run([place.program, "recover", place.file, "-o", path, "--force"])
        is_kept = False
        if result.returncode == 0 and os.path.exists(path):
            with open(path, "rb") as file:
                is_kept = file.read() == self.new
        # It would hide later that nothing is recovered.
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        if state == "new":
            return None if result.returncode == 1 else "recovered twice: %s" % result.stderr
        return None if is_kept else "the work is gone: %s" % result.stderr


class DataSave(Operation):
    """A file of map data: features are changed, moved, removed and added, and it is saved back."""

    EDITS = (
        "go name p7\nset name=kept\ngo name p8\nmove --by 0.5,0.25\ngo name p9\ndelete\n"
        "draw point --layer f\nput 10.5 50.25\nfinish\n")

    def __init__(self, base, name, file_name, content, links=1, target=None):
        path = os.path.join(base, "docs", file_name)
        opened = os.path.join(base, "f." + file_name) if target else path
        super().__init__(
            name, "open %s\n%ssave%s\n" % (opened, self.EDITS, " " + path if target else ""),
            links=links, exists=not target)
        self.file_name = file_name
        self.content = content.encode()

    def make_old(self, place):
        with open(os.path.join(place.base, "f." + self.file_name), "wb") as out:
            out.write(self.content)
        return self.content

    def learn_new(self, place):
        super().learn_new(place)
        # All that was done, and nothing else: the records of the other features are as they were.
        old, new = ([line.rstrip(b",") for line in text.split(b"\n")] for text in (self.old, self.new))
        gone = [line for line in old if line not in new]
        names = [b"p7", b"p8", b"p9"]
        assert len(gone) == 3 and all(name in line for name, line in zip(names, gone)), gone
        assert b"kept" in self.new and b"10.5" in self.new and b"p9," not in self.new, self.new


class Migration(Operation):
    """A document of the first version of the format is lifted; the old one is kept beside it."""

    SOURCE = os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "../Fixtures/documents/v1-everything.doc")

    def __init__(self, name, file):
        super().__init__(name, "")
        self.words = ["migrate", file]

    def learn(self, place):
        with open(self.SOURCE, "rb") as file:
            self.old = file.read()
        self.learn_new(place)

    def command(self, place):
        return [place.program, *self.words]

    def litter(self, place):
        return [name for name in super().litter(place) if not name.startswith("f.doc.v1")]

    def loss(self, place, state, said):
        if state != "new":
            return None
        holders = []
        for entry in os.scandir(place.folder):
            if entry.is_file():
                with open(entry.path, "rb") as file:
                    if file.read() == self.old:
                        holders.append(entry.name)
        # Killed before it could be named, it is found by the next open.
        named = [name for name in holders if name.startswith("f.doc.v1")]
        return None if named or holders and not said else "the old version is gone: %s" % holders


def operations(base):
    docs = os.path.join(base, "docs")
    file = os.path.join(docs, "f.doc")
    other = os.path.join(base, "old.doc")
    return [
        Operation("save", "open %s\nnew-layer added\nsave\n" % file),
        Operation("save-as", "open %s\nnew-layer added\nsave %s --force\n" % (other, file)),
        Operation("save-new", "open %s\nnew-layer added\nsave %s\n" % (other, file), exists=False),
        Operation("save-in-place", "open %s\nnew-layer added\nsave\n" % file, links=2),
        Recovery("recovery", file),
        Migration("migration", file),
        DataSave(base, "data-map", "f.geojson", MAP),
        DataSave(base, "data-lines", "f.geojsonl", LINES),
        DataSave(base, "data-table", "f.csv", table(";")),
        DataSave(base, "data-tabs", "f.tsv", table("\t")),
        DataSave(base, "data-new", "new.geojson", MAP, target=True),
        DataSave(base, "data-in-place", "f.csv", table(","), links=2),
    ]


class Control:
    """A save that does it wrong, in the place of the program: a sweep must find that out."""

    WRITER = r"""
import glob, os, sys
how, path, new, state = sys.argv[1:5]
data = open(new, 'rb').read()
if how == 'forgetful':
    for journal in glob.glob(state + '/portolan/recovery/*.journal'): os.unlink(journal)
if how == 'in-place':
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    for at in range(0, len(data), 4096): os.write(fd, data[at:at + 4096])
    os.fsync(fd); os.close(fd)
else:
    fd = os.open(path + '.tmp', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.write(fd, data)
    if how != 'no-fsync': os.fsync(fd)
    os.close(fd)
    os.rename(path + '.tmp', path)
    if how == 'forgetful':
        fd = os.open(os.path.dirname(path), os.O_RDONLY); os.fsync(fd); os.close(fd)
        os.mkdir(path + '.done')
"""

    def __init__(self, how, like):
        self.name = "%s %s" % (how, like.name)
        self.how = how
        self.like = like
        self.exists = like.exists
        self.state, self.loss = like.state, like.loss

    def litter(self, place):
        return []

    def prepare(self, place):
        self.like.prepare(place)
        with open(os.path.join(place.base, "new"), "wb") as out:
            out.write(self.like.new)

    def command(self, place):
        return [
            "/usr/bin/python3", "-S", "-c", self.WRITER, self.how, place.file,
            os.path.join(place.base, "new"), place.state]


Point = collections.namedtuple("Point", "call number text")


def points(place, operation, calls=MUTATING):
    """The calls of an undisturbed run that touch the place, numbered as strace counts them."""
    operation.prepare(place)
    trace = os.path.join(place.base, "trace")
    place.run(
        operation.command(place),
        prefix=["strace", "-f", "-qq", "-y", "-o", trace, "-e", "trace=" + CALLS])
    counts = collections.Counter()
    found = []
    with open(trace, errors="replace") as lines:
        for line in lines:
            match = re.match(r"(\d+ +)?(\w+)\((.*)", line)
            if not match:
                continue
            call, rest = match[2], match[3]
            # strace counts for each thread.
            counts[match[1], call] += 1
            touches = place.folder in rest or place.state in rest
            reads = call == "openat" and "O_CREAT" not in rest and "O_RDWR" not in rest
            if call in calls and touches and not reads:
                found.append(Point(call, counts[match[1], call], rest.strip()[:90]))
    return found


def inject(place, operation, point, action):
    """Runs the operation with something happening at a point."""
    return place.run(
        operation.command(place),
        prefix=[
            "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + point.call, "-e",
            "inject=%s:%s:when=%d" % (point.call, action, point.number)])
