"""Conversations between a host and its guests with something wrong in them, from a seed.

They are made of real messages: of the Python client in Tests/PortsTests, with the packed values of
Docs/formats/shared-workspace.md. What is changed is a byte, a count, a frame, a value of the archive
within, or of the packed values within that, so that each layer of the reader gets what the layers
around it let through.
"""
import os
import plistlib
import struct
import sys
import weakref
from plistlib import UID

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "PortsTests"))
from ports import ALIVE, CANCEL, END, MAGIC, MESSAGE, SIZE_MAX, Archive, Connection, Message  # noqa: E402
from guest import VERSION, Terminal, number, parcel, text  # noqa: E402

NUMBERS = [0, 1, 2, 5, 31, 32, 127, 128, 255, 4096, 65_535, (1 << 20) + 1, (1 << 31) - 1, 1 << 31,
           (1 << 32) - 1, 1 << 40, (1 << 63) - 1]
NAMES = ["", "\0", "\x1b]52;c;aGk=\x07", "\u202e", "e\u0301" * 40, "x" * 70_000, "attach", "events",
         "request", "reply", "failure", "release", "NSDistantObject", "PortolanParcel", "deinit"]
GREETING = MAGIC + struct.pack("<HHIII", 1, 1, 0, SIZE_MAX, 7) + b"mutants"
# A host that promises no signs of life is none for a client.
HOST_GREETING = MAGIC + struct.pack("<HHIII", 1, 1, 10_000, SIZE_MAX, 7) + b"mutants"


class Recorder(Connection):
    """An end of a connection that keeps its frames instead of sending them."""

    def __init__(self):
        self.vended, self.numbers, self.counts = {0: None}, {}, {}
        self.distants, self.released = weakref.WeakValueDictionary(), {}
        self.sequence, self.within, self.frames = 0, 0, []
        self.root = self.distant(0)

    def send_frame(self, kind, number=0, payload=b""):
        self.frames.append((kind, number, payload))

    def vend(self, value):
        # The same numbers each time.
        self.numbers.setdefault(id(value), 1_000 + len(self.numbers))
        self.vended[self.numbers[id(value)]] = value
        return self.numbers[id(value)]


def key(character):
    return number(0) + number(0) + text(character) + number(0)


def guest(columns, rows):
    """A guest that only looks: whatever it sends changes no document."""
    capabilities = number(3) + number(1) + number(0) * 5 + number(0) + number(2) + number(0)
    return parcel(
        number(VERSION) + number(2) + text("mutant") + number(columns) + number(rows) + capabilities)


def events(rng):
    """Keys that move the view, the mouse, a paste, another size."""
    kinds = [
        lambda: key(rng.choice("hjklHJKL+-0")),
        lambda: number(0) + number(rng.randint(2, 15)) + number(rng.randrange(8)),
        lambda: number(1) + b"".join(number(n) for n in (
            rng.randrange(6), rng.randrange(3), rng.randrange(80), rng.randrange(24), 0)),
        lambda: number(2) + text("where"),
        lambda: number(4) + number(rng.randint(1, 200)) + number(rng.randint(1, 60)),
        lambda: number(6)]
    return [rng.choice(kinds)() for _ in range(rng.randint(1, 8))]


def guest_frames(rng):
    """What a guest sends: it attaches, types, asks for commands, and goes."""
    script, terminal = Recorder(), Terminal()
    root = script.root
    steps = [
        lambda: script.send_request(
            0, "run", (parcel(text(rng.choice(["where\n", "info\n", "history\n"])) + number(0)),)),
        lambda: script.send_request(0, "state", ()),
        lambda: root.send("shown"),
        lambda: script.send_frame(ALIVE),
        lambda: script.send_frame(CANCEL, rng.randrange(4))]

    def type_keys():
        typed = events(rng)
        root.send("events", parcel(number(len(typed)) + b"".join(typed)))

    if rng.random() < 0.9:
        script.send_request(0, "attach", (guest(rng.randint(20, 120), rng.randint(5, 50)), terminal))
    for _ in range(rng.randint(1, 6)):
        rng.choice(steps + [type_keys] * 3)()
    if rng.random() < 0.2:
        script.send_frame(END, 0, b"bye")
    return script.frames


def host_frames(rng, terminal, pictures):
    """What a host sends to a terminal: pictures that were sent to a real one, echoes and notices."""
    script = Recorder()
    there = script.distant(terminal)
    echo = number(3) + number(1) + b"".join(number(n) for n in (0, 23, 80, 1)) + text(":w") + number(1)
    notices = [number(0), number(1), number(2) + text("clip"), number(4) + number(0) + text("over")]
    for change in pictures[:rng.randint(1, len(pictures))]:
        there.send("present", parcel(change), parcel(echo))
    for _ in range(rng.randrange(3)):
        there.send("echo", parcel(echo))
        there.send("notice", parcel(rng.choice(notices[:3])))
    if rng.random() < 0.5:
        there.send("notice", parcel(notices[3]))
    return script.frames


def reply(sequence, value):
    """The frame of a reply."""
    archive = Archive(Recorder())
    return (MESSAGE, 0, archive.bytes({
        "kind": archive.encode("reply"), "sequence": sequence, "$0": archive.encode(value)}))


# What is changed


def spoil_bytes(rng, data):
    """Other bytes, at one place or a few."""
    data = bytearray(data)
    way = rng.randrange(5)
    place = rng.randrange(len(data) + 1)
    if way == 0 and data:
        for _ in range(rng.randint(1, 4)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == 1:
        data[place:place] = rng.randbytes(rng.randint(1, 9))
    elif way == 2:
        del data[place:place + rng.randint(1, 9)]
    elif way == 3:
        del data[place:]
    else:
        end = min(len(data), place + rng.randint(1, 16))
        data[place:end] = data[place:end] * rng.randint(0, 200)
    return bytes(data)


def spoil_packed(rng, data):
    """Another number somewhere in packed values."""
    place = rng.randrange(len(data) + 1)
    if rng.random() < 0.4:
        return spoil_bytes(rng, data)
    return data[:place] + number(rng.choice(NUMBERS)) + data[place + rng.randint(0, 1):]


def spoil_archive(rng, payload):
    """Another value, reference or class somewhere in the graph of a message."""
    try:
        return plistlib.dumps(other_archive(rng, payload), fmt=plistlib.FMT_BINARY)
    except Exception:
        # What was changed before is no archive.
        return spoil_bytes(rng, payload)


def other_archive(rng, payload):
    archive = plistlib.loads(payload, fmt=plistlib.FMT_BINARY)
    objects, top = archive["$objects"], archive["$top"]
    count = len(objects)
    parcels = [n for n in range(count) if isinstance(objects[n], bytes)]
    if parcels and rng.random() < 0.5:
        place = rng.choice(parcels)
        objects[place] = spoil_packed(rng, objects[place])
        return archive
    strange = [
        lambda: rng.choice(NUMBERS) * rng.choice([1, -1]), lambda: UID(rng.randrange(count + 2)),
        lambda: rng.choice(NAMES), lambda: rng.randbytes(rng.randrange(40)), lambda: True,
        lambda: rng.choice([0.5, float("nan"), float("inf"), -1e308]),
        lambda: [UID(rng.randrange(count)) for _ in range(rng.randrange(5))],
        lambda: {"$class": UID(rng.randrange(count)), "NS.objects": [UID(rng.randrange(count))]}]
    holder = rng.choice([top, objects] + [o for o in objects if isinstance(o, dict)])
    if isinstance(holder, list):
        holder[rng.randrange(count)] = rng.choice(strange)()
    elif holder and rng.random() < 0.8:
        name = rng.choice(sorted(holder))
        if rng.random() < 0.2:
            del holder[name]
        else:
            holder[name] = rng.choice(strange)()
    else:
        holder[rng.choice(NAMES)] = rng.choice(strange)()
    return archive


def spoil_frames(rng, frames):
    """Frames twice, in another order, of other kinds, or left out."""
    place = rng.randrange(len(frames))
    kind, of, payload = frames[place]
    way = rng.randrange(6)
    if way == 0:
        frames[place:place] = [frames[place]] * rng.choice([1, 2, 100])
    elif way == 1:
        del frames[place]
    elif way == 2:
        rng.shuffle(frames)
    elif way == 3:
        frames[place] = (rng.choice([0, 1, 2, 3, 4, 5, 255]), of, payload)
    elif way == 4:
        frames[place] = (kind, rng.choice(NUMBERS), payload)
    else:
        frames[place] = (kind, of, payload + rng.randbytes(rng.randrange(100)))


def spoiled(rng, frames, greeting=GREETING):
    """The bytes of frames, with one to three things wrong; now and then with none."""
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        way = rng.random()
        if way < 0.05:
            greeting = spoil_bytes(rng, greeting)
        elif way < 0.25:
            spoil_frames(rng, frames)
        elif frames:
            place = rng.randrange(len(frames))
            kind, of, payload = frames[place]
            spoil = spoil_bytes if way < 0.4 else spoil_archive
            frames[place] = (kind, of, spoil(rng, payload))
        if not frames:
            break
    data = greeting
    for kind, of, payload in frames:
        # A count that is not that of the bytes.
        count = rng.choice(NUMBERS) & 0xFFFFFFFF if rng.random() < 0.01 else len(payload)
        data += struct.pack("<IB3xQ", count, kind, of) + payload
    return spoil_bytes(rng, data) if rng.random() < 0.1 else data
