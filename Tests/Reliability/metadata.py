#!/usr/bin/env python3
"""What a save keeps of a file, and what it never does with names that others planted.

usage: metadata.py PROGRAM [--user UID] [--file NAME]... [--folder DIR]

Each case makes a file, a document or map data by its name, saves it by a script and compares. As
root, with --user the saves are made by that user.
"""
import argparse
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

from editor import Editor
from harness import LINES, MAP, Place, operations, table


class Cases:
    def __init__(self, place, user, file_name):
        self.place = place
        self.user = user
        self.file_name = file_name
        place.use(file_name)
        self.is_document = file_name.endswith(".doc")
        self.edit = "new-layer added" if self.is_document else "select all\nset added=yes"
        self.passed = self.failed = self.skipped = 0

    def as_user(self):
        if self.user is None or os.geteuid() != 0:
            return {}
        return {"user": self.user, "group": self.user, "extra_groups": []}

    def fresh(self, content):
        self.place.clear()
        with open(self.place.file, "wb") as out:
            out.write(content)
        if self.as_user():
            for folder in (self.place.base, self.place.folder, self.place.file):
                os.chown(folder, self.user, self.user)
            os.makedirs(self.place.state, exist_ok=True)
            os.chown(self.place.state, self.user, self.user)

    def save(self, path=None, umask=0o022, prefix=()):
        return self.place.script(
            "open %s\n%s\nsave\n" % (path or self.place.file, self.edit), umask=umask,
            prefix=prefix, **self.as_user())

    def other(self, name):
        """Another file of the same kind in the folder."""
        return os.path.join(self.place.folder, "%s-%s" % (name, self.file_name))

    def check(self, name, good, detail=""):
        self.passed += bool(good)
        self.failed += not good
        print("%s %s %s%s" % (
            "ok  " if good else "FAIL", self.file_name, name, "" if good else ": %s" % (detail,)))

    def skip(self, name, why):
        self.skipped += 1
        print("SKIP %s %s: %s" % (self.file_name, name, why))

    def saved(self, name, result, good, detail=""):
        if self.is_document:
            has = "added" in (self.place.layers() or [])
        else:
            with open(self.place.file, "rb") as file:
                has = b"added" in file.read()
        self.check(name, result.returncode == 0 and has and good, (result.stderr, detail))


def tool(*words):
    if shutil.which(words[0]) is None:
        return subprocess.CompletedProcess(words, 127)
    return subprocess.run(words, capture_output=True)


def run(cases, content):
    place, file = cases.place, cases.place.file
    for mode in (0o600, 0o640, 0o664, 0o666, 0o755):
        cases.fresh(content)
        os.chmod(file, mode)
        result = cases.save(umask=0o077 if mode == 0o666 else 0)
        found = stat.S_IMODE(os.stat(file).st_mode)
        cases.saved("mode %o" % mode, result, found == mode, oct(found))

    cases.fresh(content)
    os.chmod(file, 0o6755)
    result = cases.save()
    found = stat.S_IMODE(os.stat(file).st_mode)
    cases.saved("suid and sgid are dropped", result, found == 0o755, oct(found))

    if os.geteuid() == 0 and not cases.as_user():
        cases.fresh(content)
        os.chown(file, 1234, 5678)
        os.chmod(file, 0o640)
        result = cases.save()
        status = os.stat(file)
        cases.saved("owner and group", result, (status.st_uid, status.st_gid) == (1234, 5678))

    cases.fresh(content)
    os.setxattr(file, "user.note", b"keep")
    os.setxattr(file, "user.big", b"x" * 500)
    result = cases.save()
    found = {name: os.getxattr(file, name) for name in os.listxattr(file)}
    cases.saved(
        "extended attributes", result,
        found.get("user.note") == b"keep" and found.get("user.big") == b"x" * 500, found)

    access_lists(cases, content)

    cases.fresh(content)
    link = cases.other("link")
    os.symlink(cases.file_name, link)
    result = cases.save(link)
    cases.saved("a symbolic link stays one", result, os.readlink(link) == cases.file_name)

    cases.fresh(content)
    os.link(file, cases.other("second"))
    inode = os.stat(file).st_ino
    result = cases.save()
    other = os.stat(cases.other("second"))
    cases.saved("both names of one file", result, other.st_ino == inode == os.stat(file).st_ino)

    cases.fresh(content)
    os.chmod(place.folder, 0o2775)
    target = cases.other("new")
    result = cases.place.script(
        "open %s\nsave %s\n" % (file, target), umask=0o027, **cases.as_user())
    status = os.stat(target)
    cases.check(
        "a new file takes umask and the folder's group",
        result.returncode == 0 and stat.S_IMODE(status.st_mode) == 0o640
        and status.st_gid == os.stat(place.folder).st_gid, oct(status.st_mode))

    cases.fresh(content)
    os.chmod(file, 0o444)
    result = cases.save()
    with open(file, "rb") as source:
        same = source.read() == content
    cases.check(
        "a read-only file is left alone and named",
        result.returncode == 4 and same and cases.file_name.encode() in result.stderr,
        result.stderr)

    names(cases, content)
    planted(cases, content)
    created(cases, content)
    closed_folder(cases, content)
    full_disk(cases, content)


def names(cases, content):
    """Who opens the file by another of its names finds it in use, and saves nothing over it."""
    for kind, make in (("symbolic link", os.symlink), ("hard link", os.link)):
        cases.fresh(content)
        file, other = cases.place.file, cases.other("second")
        make(file, other)
        if cases.as_user():
            os.chown(other, cases.user, cases.user, follow_symlinks=False)
        user = cases.as_user()
        prefix = [
            "setpriv", "--reuid=%d" % user["user"], "--regid=%d" % user["group"], "--clear-groups",
        ] if user else []
        editor = Editor(
            [*prefix, cases.place.program, cases.file_name], cases.place.environment(),
            cases.place.folder)
        try:
            editor.wait(b"1 layer")
            editor.read(0.3)
            result = cases.save(other)
        finally:
            editor.kill()
        with open(file, "rb") as source:
            same = source.read() == content
        cases.check(
            "a second name (%s) of a file that is open elsewhere" % kind,
            result.returncode == 4 and same, (result.returncode, result.stderr))


def access_list(*entries):
    """An access list as the kernel stores it: tag, permissions, who."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOBODY = 0xFFFFFFFF
LIST = access_list(
    (1, 6, NOBODY), (2, 4, 4321), (4, 4, NOBODY), (16, 4, NOBODY), (32, 0, NOBODY))
WIDE = access_list(
    (1, 7, NOBODY), (2, 7, 4321), (4, 5, NOBODY), (16, 7, NOBODY), (32, 5, NOBODY))


def access_lists(cases, content):
    """The file's own list stays; what the folder hands to new files does not come in."""
    cases.fresh(content)
    file, name = cases.place.file, "system.posix_acl_access"
    try:
        os.setxattr(file, name, LIST)
    except OSError as error:
        cases.skip("access lists", error)
        return
    result = cases.save()
    cases.saved("access list", result, os.getxattr(file, name) == LIST)
    cases.fresh(content)
    os.setxattr(cases.place.folder, "system.posix_acl_default", WIDE)
    result = cases.save()
    cases.saved(
        "no rights out of the folder's default list", result, name not in os.listxattr(file),
        os.listxattr(file))


def planted(cases, content):
    """Names that somebody put in a shared folder before us."""
    cases.fresh(content)
    folder = cases.place.folder
    victim = os.path.join(folder, "victim")
    with open(victim, "w") as out:
        out.write("precious")
    for name in (".%s.lock", ".%s.tmp", ".%s.1.tmp", "%s.theirs", ".%s.intent"):
        os.symlink(victim, os.path.join(folder, name % cases.file_name))
    if cases.as_user():
        tool("chown", "-Rh", "%d" % cases.user, folder)
    result = cases.save()
    with open(victim) as source:
        cases.saved("planted links are not followed", result, source.read() == "precious")


def created(cases, content):
    """Nothing that is written is ever open to others before the document is whole."""
    if tool("strace", "-o", "/dev/null", "true").returncode != 0:
        cases.skip("modes of new files", "no strace, or it may not trace here")
        return
    cases.fresh(content)
    os.chmod(cases.place.file, 0o666)
    trace = os.path.join(cases.place.base, "trace")
    result = cases.save(
        umask=0, prefix=["strace", "-f", "-qq", "-o", trace, "-e", "trace=openat,mkdir"])
    with open(trace) as lines:
        made = [line for line in lines if "O_CREAT" in line or "mkdir(" in line]
    wide = [
        line for line in made
        if not re.search(r"0[67]00\)? *=|, 0[67]00\)", line)
        or ("O_CREAT" in line and not ("O_NOFOLLOW" in line and "O_CLOEXEC" in line))
    ]
    cases.saved("new files are 0600 and never through links", result, made and not wide, wide)
    os.unlink(trace)


def closed_folder(cases, content):
    """A file that may be written in a folder that takes no new ones: in place, from a copy."""
    if not cases.as_user():
        return
    cases.fresh(content)
    os.chown(cases.place.folder, 0, 0)
    os.chmod(cases.place.folder, 0o755)
    inode = os.stat(cases.place.file).st_ino
    result = cases.save()
    cases.saved(
        "a file in a folder that takes no new ones", result,
        os.stat(cases.place.file).st_ino == inode
        and os.listdir(cases.place.folder) == [cases.file_name], os.listdir(cases.place.folder))
    cases.fresh(content)
    os.chown(cases.place.file, 0, 0)
    os.chown(cases.place.folder, 0, 0)
    result = cases.save()
    cases.check(
        "somebody else's file is refused and named",
        result.returncode == 4 and cases.file_name.encode() in result.stderr, result.stderr)


def full_disk(cases, content):
    """A disk without room: the old file stays and the call is named."""
    if os.geteuid() != 0 or cases.as_user():
        return
    cases.fresh(content)
    folder = cases.place.folder
    if tool("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder).returncode != 0:
        cases.skip("a full disk", "no mount")
        return
    try:
        with open(cases.place.file, "wb") as out:
            out.write(content)
        with open(os.path.join(folder, "fill"), "wb") as out:
            try:
                out.write(b"\0" * (1 << 20))
                out.flush()
            except OSError:
                pass
        result = cases.save()
        with open(cases.place.file, "rb") as source:
            same = source.read() == content
        names = sorted(os.listdir(folder))
        cases.check(
            "a full disk leaves the old file, names call and path, and no litter",
            result.returncode == 4 and same and b"write" in result.stderr
            and cases.file_name.encode() in result.stderr and names == [cases.file_name, "fill"],
            (result.stderr, names))
    finally:
        tool("umount", folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--user", type=int)
    parser.add_argument("--file", action="append")
    parser.add_argument("--folder", default="/var/tmp")
    options = parser.parse_args()
    folder = os.path.realpath(tempfile.mkdtemp(prefix="portolan-meta-", dir=options.folder))
    os.chmod(folder, 0o755)
    passed = failed = skipped = 0
    try:
        place = Place(folder, options.program)
        program = os.path.join(folder, "portolan")
        shutil.copy(options.program, program)
        os.chmod(program, 0o755)
        place.program = program
        document = operations(folder)[0].make_old(place)
        contents = {
            "f.doc": document, "f.geojson": MAP.encode(), "f.geojsonl": LINES.encode(),
            "f.csv": table(";").encode(), "f.tsv": table("\t").encode()}
        for name in options.file or contents:
            cases = Cases(place, options.user, name)
            run(cases, contents[name])
            passed += cases.passed
            failed += cases.failed
            skipped += cases.skipped
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("%d passed, %d failed, %d skipped" % (passed, failed, skipped))
    return 1 if failed else 0


sys.exit(main())
