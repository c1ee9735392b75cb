#!/usr/bin/env python3
"""Stands for ssh on a slow line: runs the command here, its bytes go late, slowly, or not at all.

    PORTOLAN_SSH="python3 slow-line.py" portolan ssh://there/FILE

SLOW_DELAY is the time of one way in seconds, SLOW_RATE the bytes a second; while the file
SLOW_STALL is there, nothing goes.
"""
import os
import queue
import subprocess
import sys
import threading
import time

DELAY = float(os.environ.get("SLOW_DELAY", "0.15"))
RATE = float(os.environ.get("SLOW_RATE", "20000"))
STALL = os.environ.get("SLOW_STALL", "")


def carry(source, target):
    waiting = queue.Queue()

    def read():
        while True:
            data = os.read(source, 4096)
            waiting.put((time.monotonic() + DELAY, data))
            if not data:
                return

    threading.Thread(target=read, daemon=True).start()
    while True:
        due, data = waiting.get()
        time.sleep(max(0, due - time.monotonic()))
        while STALL and os.path.exists(STALL):
            time.sleep(0.02)
        if not data:
            os.close(target)
            return
        while data:
            count = os.write(target, data[:1024])
            data = data[count:]
            time.sleep(count / RATE)


def main():
    # The first argument is the machine.
    child = subprocess.Popen(
        ["sh", "-c", " ".join(sys.argv[2:])], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    threading.Thread(target=carry, args=(0, child.stdin.fileno()), daemon=True).start()
    carry(child.stdout.fileno(), 1)
    sys.exit(child.wait())


main()
