#!/usr/bin/env python3
"""A guest in Python: a client of Docs/formats/shared-workspace.md, from that page alone.

    guest.py SOCKET    attaches, runs commands, reads a feature, sees an edit of another person,
                       types one of its own, ends the host, and loses its objects

Prints a line of JSON for each of these.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "PortsTests"))
from ports import Connection, Copy, Ended  # noqa: E402

VERSION = 3


def number(value):
    """A whole number: seven bits a byte, the lowest first."""
    data = b""
    while value > 0x7F:
        data += bytes([value & 0x7F | 0x80])
        value >>= 7
    return data + bytes([value])


def text(value):
    return number(len(value.encode())) + value.encode()


class Reader:
    """Reads packed values."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def bytes(self):
        count = self.number()
        self.place += count
        return self.data[self.place - count:self.place]

    def text(self):
        return self.bytes().decode()

    def list(self, read):
        return [read() for _ in range(self.number())]


def parcel(data):
    return Copy("PortolanParcel", bytes=data)


class Terminal:
    """What the guest vends: cells are kept as rows of text."""

    vended = ["present", "echo", "notice"]

    def __init__(self):
        self.rows, self.frames, self.notices, self.root = [], 0, [], None

    def present(self, change, _):
        reader = Reader(change.fields["bytes"])
        columns, rows, whole = reader.number(), reader.number(), reader.number()
        if whole:
            self.rows = [[" "] * columns for _ in range(rows)]
        if reader.number():
            reader.number(), reader.number()
        reader.list(lambda: (reader.number(), reader.number(), reader.number()))
        clusters = reader.list(reader.text)
        for _ in range(reader.number()):
            row, column, length = reader.number(), reader.number(), reader.number()
            reader.number()
            glyph = None
            for place in range(length >> 1):
                if glyph is None or not length & 1:
                    glyph = reader.number()
                self.rows[row][column + place] = (
                    clusters[glyph - 0x110000] if glyph >= 0x110000 else chr(glyph or 0x20))
        assert reader.number() == 0 and reader.place == len(reader.data), "bytes behind a change"
        self.frames += 1
        self.root.send("shown")

    def echo(self, _):
        pass

    def notice(self, notice):
        reader = Reader(notice.fields["bytes"])
        kind = reader.number()
        self.notices.append((kind, reader.number(), reader.text()) if kind == 4 else (kind,))

    def shows(self, words):
        return any(words in "".join(row) for row in self.rows)


def say(**facts):
    print(json.dumps(facts), flush=True)


def main(path):
    connection = Connection(path)
    root, terminal = connection.root, Terminal()
    terminal.root = root

    def run(line):
        answer = Reader(root.call("run", parcel(text(line + "\n") + number(0))).fields["bytes"])
        code, output = answer.number(), answer.bytes().decode()
        return code, output, answer.list(answer.text)

    def wait(holds):
        while not holds():
            connection.take()

    capabilities = number(3) + number(1) + number(0) * 3 + number(0) + number(0)
    capabilities += number(0) + number(2) + number(0)
    session = root.call(
        "attach", parcel(
            number(VERSION) + number(1) + text("python") + number(80) + number(24) + capabilities),
        terminal)
    wait(lambda: terminal.shows("NORMAL"))
    say(session=session > 0)
    code, output, _ = run("where")
    say(where=output.strip(), code=code)
    code, output, _ = run("query --format json")
    say(features=json.loads(output), code=code)
    run("new-layer theirs")
    wait(lambda: terminal.shows("theirs"))
    say(sees="theirs")
    keys = ":new-layer mine"
    events = b"".join(number(0) + number(0) + text(key) + number(0) for key in keys)
    root.send("events", parcel(number(len(keys) + 1) + events + number(0) + number(2) + number(0)))
    wait(lambda: any("mine" in "".join(row) for row in terminal.rows[:-2]))
    say(types="mine", layers="mine" in run("info")[1])
    root.send("run", parcel(text("quit --everyone --force\n") + number(0)))
    try:
        while True:
            connection.take()
    except Ended as end:
        say(ended=str(end), notice=terminal.notices[-1][2])
    try:
        root.call("state")
    except Ended:
        say(lost=True)


if __name__ == "__main__":
    main(sys.argv[1])
