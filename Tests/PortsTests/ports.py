#!/usr/bin/env python3
"""The protocol of Ports in Python, from Docs/formats/port-connection.md and port-message.md alone.

    connection = Connection("/run/user/1000/maps/editor")
    title = connection.root.call("title")
    place = connection.root.call("place", "Oslo")     # a Distant
    place.call("name")
    connection.root.call("visit", Visitor())          # called back: methods named in `vended`

Run as a program it plays one of the parts that the tests ask for:

    ports.py PART SOCKET
"""
import json
import plistlib
import secrets
import socket
import struct
import sys
import weakref
from plistlib import UID

MAGIC, VERSION = b"PORTOLAN", 1
MESSAGE, ALIVE, CANCEL, END = 1, 2, 3, 4
SIZE_MAX = 64 << 20


class Ended(Exception):
    """The connection has ended."""


class Failure(Exception):
    """The other program's method failed."""

    def __init__(self, name, reason, details):
        super().__init__(f"{name}: {reason}")
        self.name, self.reason, self.details = name, reason, details


class Copy:
    """A copied object of any class: its name and its fields."""

    def __init__(self, name, **fields):
        self.name, self.fields = name, fields


class Distant:
    """An object of the other program."""

    def __init__(self, connection, number):
        self.connection, self.number, self.received = connection, number, 0

    def call(self, method, *arguments):
        return self.connection.call(self.number, method, arguments)

    def send(self, method, *arguments):
        self.connection.send_request(self.number, method, arguments, oneway=True)

    def __del__(self):
        self.connection.forget(self.number, self.received)


class Archive:
    """Makes the graph of one message."""

    def __init__(self, connection):
        self.connection, self.objects, self.classes, self.sent = connection, ["$null"], {}, {}

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def class_of(self, *names):
        if names not in self.classes:
            self.classes[names] = self.add({"$classname": names[0], "$classes": list(names)})
        return self.classes[names]

    def reference(self, tag, number):
        key = (tag, number)
        if key not in self.sent:
            if tag == 1 and number:
                self.connection.counts[number] = self.connection.counts.get(number, 0) + 1
            self.sent[key] = self.add({
                "$class": self.class_of("NSDistantObject", "NSProxy", "NSObject"),
                "tag": tag, "number": number})
        return self.sent[key]

    def encode(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, (bool, int, float, str, bytes)):
            return self.add(value)
        if isinstance(value, (list, tuple)):
            place = self.add({})
            elements = [self.encode(element) for element in value]
            self.objects[place.data] = {
                "$class": self.class_of("NSArray", "NSObject"), "NS.objects": elements}
            return place
        if isinstance(value, dict):
            place = self.add({})
            keys = [self.encode(key) for key in value]
            values = [self.encode(element) for element in value.values()]
            self.objects[place.data] = {
                "$class": self.class_of("NSDictionary", "NSObject"),
                "NS.keys": keys, "NS.objects": values}
            return place
        if isinstance(value, Copy):
            place = self.add({})
            fields = {
                key: field if isinstance(field, (bool, int, float)) else self.encode(field)
                for key, field in value.fields.items()}
            self.objects[place.data] = fields | {"$class": self.class_of(value.name, "NSObject")}
            return place
        if isinstance(value, Distant):
            return self.reference(0, value.number)
        return self.reference(1, self.connection.vend(value))

    def bytes(self, top):
        return plistlib.dumps(
            {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": top,
             "$objects": self.objects}, fmt=plistlib.FMT_BINARY)


class Message:
    """Reads the graph of one message."""

    def __init__(self, connection, payload):
        archive = plistlib.loads(payload, fmt=plistlib.FMT_BINARY)
        self.connection, self.objects, self.top = connection, archive["$objects"], archive["$top"]
        self.held = {}
        for node in self.objects:
            if self.class_name(node) == "NSDistantObject" and node["tag"] == 1:
                number = node["number"]
                if number not in self.held:
                    self.held[number] = connection.distant(number)
                    self.held[number].received += 1

    def class_name(self, node):
        if not isinstance(node, dict) or "$class" not in node:
            return None
        return self.objects[node["$class"].data]["$classname"]

    def value(self, field):
        if not isinstance(field, UID):
            return field
        node = self.objects[field.data]
        if field.data == 0:
            return None
        name = self.class_name(node)
        if name is None:
            return node
        if name in ("NSArray", "NSMutableArray", "NSSet", "NSMutableSet"):
            return [self.value(element) for element in node["NS.objects"]]
        if name in ("NSDictionary", "NSMutableDictionary"):
            return {self.value(key): self.value(element)
                    for key, element in zip(node["NS.keys"], node["NS.objects"])}
        if name == "NSDistantObject":
            number = node["number"]
            return self.held[number] if node["tag"] == 1 else self.connection.vended[number]
        return Copy(name, **{key: self.value(part) for key, part in node.items() if key != "$class"})

    def get(self, key):
        return self.value(self.top[key])

    def arguments(self):
        values = []
        while f"${len(values)}" in self.top:
            values.append(self.get(f"${len(values)}"))
        return values


class Connection:
    """One end of a connection; the thread that calls also reads."""

    def __init__(self, path, root=None, version=VERSION):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.vended, self.numbers, self.counts = {0: root}, {}, {}
        self.distants, self.released = weakref.WeakValueDictionary(), {}
        self.sequence, self.replies, self.within, self.error = 0, {}, 0, None
        program = b"ports.py 1.0"
        self.socket.sendall(
            MAGIC + struct.pack("<HHIII", version, version, 0, SIZE_MAX, len(program)) + program)
        head = self.receive(24)
        if head[:8] != MAGIC:
            raise Ended("the other end does not speak the protocol of Ports")
        other, oldest, self.keep_alive, self.size_max, count = struct.unpack("<HHIII", head[8:])
        self.program = self.receive(count).decode()
        if not oldest <= version <= other:
            raise Ended(f"{self.program} speaks version {other}")
        self.root = self.distant(0)

    # Bytes

    def receive(self, count):
        data = b""
        while len(data) < count:
            try:
                more = self.socket.recv(count - len(data))
            except OSError as error:
                raise Ended(str(error)) from error
            if not more:
                raise Ended("the other program has ended the connection")
            data += more
        return data

    def send_frame(self, kind, number=0, payload=b""):
        try:
            self.socket.sendall(struct.pack("<IB3xQ", len(payload), kind, number) + payload)
        except OSError as error:
            raise Ended(str(error)) from error

    # Objects

    def vend(self, value):
        if id(value) not in self.numbers:
            number = secrets.randbelow((1 << 63) - 1) + 1
            self.numbers[id(value)], self.vended[number] = number, value
        return self.numbers[id(value)]

    def distant(self, number):
        if number not in self.distants:
            known = Distant(self, number)
            self.distants[number] = known
            return known
        return self.distants[number]

    def forget(self, number, count):
        if number and count:
            self.released[number] = self.released.get(number, 0) + count

    def flush_releases(self):
        if not self.released:
            return
        released, self.released = self.released, {}
        self.sequence += 1
        archive = Archive(self)
        top = {
            "kind": archive.encode("release"), "sequence": self.sequence,
            "numbers": archive.encode(b"".join(struct.pack("<q", number) for number in released)),
            "counts": archive.encode(
                b"".join(struct.pack("<q", count) for count in released.values()))}
        self.send_frame(MESSAGE, 0, archive.bytes(top))

    # Calls

    def send_request(self, target, method, arguments, oneway=False):
        self.flush_releases()
        self.sequence += 1
        archive = Archive(self)
        top = {"kind": archive.encode("request"), "sequence": self.sequence, "target": target,
               "method": archive.encode(method)}
        if oneway:
            top["oneway"] = True
        for index, argument in enumerate(arguments):
            top[f"${index}"] = archive.encode(argument)
        self.send_frame(MESSAGE, self.within, archive.bytes(top))
        return self.sequence

    def call(self, target, method, arguments):
        sequence = self.send_request(target, method, arguments)
        while sequence not in self.replies:
            self.take()
        message = self.replies.pop(sequence)
        if message.get("kind") == "failure":
            failure = message.get("$0").fields
            raise Failure(
                failure["NS.name"], failure.get("NS.reason"), failure.get("NS.userinfo") or {})
        return message.get("$0") if "$0" in message.top else None

    def take(self):
        """Takes the next frame."""
        self.flush_releases()
        size, kind, number = struct.unpack("<IB3xQ", self.receive(16))
        payload = self.receive(size)
        if kind == END:
            raise Ended(payload.decode() or "the other program has ended the connection")
        if kind != MESSAGE:
            return
        message = Message(self, payload)
        what = message.get("kind")
        if what in ("reply", "failure"):
            self.replies[message.get("sequence")] = message
        elif what == "request":
            self.perform(message)
        elif what == "release":
            self.give_up(message)

    def give_up(self, message):
        numbers, counts = message.get("numbers"), message.get("counts")
        for (number,), (count,) in zip(
                struct.iter_unpack("<q", numbers), struct.iter_unpack("<q", counts)):
            self.counts[number] -= count
            if self.counts[number] == 0:
                del self.counts[number]
                del self.numbers[id(self.vended.pop(number))]

    def perform(self, message):
        sequence, method = message.get("sequence"), message.get("method")
        former, self.within = self.within, sequence + 1
        archive = Archive(self)
        try:
            target = self.vended[message.get("target")]
            if method not in target.vended:
                raise Failure("NoMethod", "no such method", {"method": method})
            result = getattr(target, method)(*message.arguments())
            top = {"kind": archive.encode("reply"), "sequence": sequence,
                   "$0": archive.encode(result)}
        except Failure as failure:
            archive = Archive(self)
            top = {"kind": archive.encode("failure"), "sequence": sequence,
                   "$0": archive.encode(Copy(
                       "NSException", **{
                           "NS.name": failure.name, "NS.reason": failure.reason,
                           "NS.userinfo": failure.details}))}
        finally:
            self.within = former
        if not message.top.get("oneway"):
            self.send_frame(MESSAGE, 0, archive.bytes(top))


# Parts for the tests

class Visitor:
    vended = ["welcome"]

    def __init__(self):
        self.seen = []

    def welcome(self, chart):
        title = chart.call("title")
        self.seen.append(title)
        return f"hello {title}"


def say(**facts):
    print(json.dumps(facts), flush=True)


def talk(path):
    connection = Connection(path)
    root = connection.root
    say(title=root.call("title"), sum=root.call("add", 20, 22))
    root.call("rename", "Asia")
    say(title=root.call("title"), echo=root.call("echo", [1, 2, 3]))
    middle = root.call("middle", Copy("Position", x=0.0, y=0.0), Copy("Position", x=4.0, y=6.0))
    say(middle=[middle.fields["x"], middle.fields["y"]], none=root.call("none"))
    visitor = Visitor()
    say(visit=root.call("visit", visitor), seen=visitor.seen)
    try:
        root.call("fail", "no such map")
    except Failure as failure:
        say(name=failure.name, reason=failure.reason, path=failure.details.get("path"))
    try:
        root.call("deinit")
    except Failure as failure:
        say(name=failure.name)
    place = root.call("place", "Oslo")
    say(place=place.call("name"), home=root.call("nameOf", place), vended=len(connection.vended))
    del place
    connection.flush_releases()
    say(title=root.call("title"))


def hold(path):
    """Holds a distant object until it is told that the connection is over."""
    connection = Connection(path)
    place = connection.root.call("place", "Oslo")
    say(held=place.call("name"))
    try:
        while True:
            connection.take()
    except Ended as end:
        say(ended=str(end))
    try:
        place.call("name")
        say(lost=False)
    except Ended:
        say(lost=True)


def wait(path):
    """Waits for a reply that does not come."""
    connection = Connection(path)
    place = connection.root.call("place", "Oslo")
    say(ready=place.call("name"))
    connection.root.call("never")


def other_version(path):
    try:
        Connection(path, version=7).root.call("title")
    except Ended as end:
        say(refused=str(end))


if __name__ == "__main__":
    {"talk": talk, "hold": hold, "wait": wait, "version": other_version}[sys.argv[1]](sys.argv[2])
