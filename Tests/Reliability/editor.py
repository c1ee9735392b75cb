"""The editor on a pseudo-terminal, for the loops and sweeps that type into it."""
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time


class Editor:
    """A command on a pseudo-terminal; what it draws is taken in, so that it never waits.

    With `replies`, pairs of a question and its reply, the terminal replies; else it is a silent one.
    """

    def __init__(self, command, environment, folder, replies=(), size=(24, 80, 640, 384)):
        self.replies = replies
        self.searched = 0
        child, self.terminal = pty.fork()
        if child == 0:
            try:
                # As on a terminal: in a script's background, or by nohup, these are ignored.
                for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_DFL)
                # Before anything is drawn.
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size))
                os.chdir(folder)
                os.execvpe(command[0], command, dict(environment, TERM="xterm-256color"))
            finally:
                os._exit(127)
        self.child = child
        self.output = b""
        # Once it is over: how it ended, and when that was seen.
        self.status = None
        self.ended = None

    def read(self, seconds):
        """Takes what is drawn in some seconds; less if the program ends."""
        end = time.monotonic() + seconds
        while self.is_alive():
            left = end - time.monotonic()
            if self.terminal is None:
                self.wait_for_end(left)
                return
            ready, _, _ = select.select([self.terminal], [], [], min(max(0, left), 0.02))
            if ready:
                try:
                    self.output += os.read(self.terminal, 65536)
                    self.reply()
                except OSError:
                    self.wait_for_end(5)
                    return
            if left <= 0:
                return

    def reply(self):
        """Replies to the questions printed since the last time."""
        while True:
            places = [
                (self.output.find(question, self.searched), question, reply)
                for question, reply in self.replies]
            found = [place for place in places if place[0] >= 0]
            if not found:
                return
            start, question, reply = min(found)
            self.searched = start + len(question)
            self.send(reply)

    def send(self, reply):
        os.write(self.terminal, reply)

    def wait(self, text, seconds=20):
        end = time.monotonic() + seconds
        while text not in self.output and time.monotonic() < end and self.is_alive():
            self.read(0.02)
        return text in self.output

    def type(self, keys):
        try:
            os.write(self.terminal, keys.encode())
        except OSError:
            self.wait_for_end(5)

    def is_alive(self):
        if self.status is None:
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                self.ended = time.monotonic()
                self.status = os.waitstatus_to_exitcode(status)
                self.drain()
        return self.status is None

    def drain(self):
        """Takes what was drawn before the end."""
        try:
            while self.terminal is not None and select.select([self.terminal], [], [], 0)[0]:
                self.output += os.read(self.terminal, 65536)
        except OSError:
            pass

    def wait_for_end(self, seconds):
        end = time.monotonic() + seconds
        while self.is_alive() and time.monotonic() < end:
            time.sleep(0.005)
        return not self.is_alive()

    def kill(self, others=()):
        """Ends it, and its children that are named, by SIGKILL."""
        if self.is_alive():
            for pid in (*others, self.child):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.ended = time.monotonic()
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        self.close()

    def close(self):
        """Takes the terminal away."""
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def children(self):
        try:
            with open("/proc/%d/task/%d/children" % (self.child, self.child)) as file:
                return [int(word) for word in file.read().split()]
        except FileNotFoundError:
            return []
