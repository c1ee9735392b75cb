"""What stands on a terminal after the bytes that curses has sent to it: characters alone.

What is not known here is an error: a sequence that is passed over leaves other cells than a terminal
shows.
"""
import re
import unicodedata

SEQUENCE = re.compile(
    rb"\x1b(?:\[([0-9;?>=!]*)([ -/]*[@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[P_^X][^\x1b]*\x1b\\"
    rb"|[()*+][0-9A-Za-z]|\\|(?:\[[0-9;?]*)?\x18|([=>78DEM]))")
# The beginning of a sequence whose end has not come.
OPEN = re.compile(
    rb"\x1b(?:\[[0-9;?>=!]*[ -/]*|\][^\x07\x1b]*\x1b?|[P_^X][^\x1b]*\x1b?|[()*+])?\Z")
# Of colours, modes, and questions to the terminal: they change no cell.
HARMLESS = {b"m", b"h", b"l", b"t", b"n", b"c", b"q", b" q", b"$p", b"u"}


class TextScreen:
    """The cells of a terminal of some columns and rows."""

    def __init__(self, columns=80, rows=24):
        self.columns, self.rows = columns, rows
        self.cells = self.blank()
        # The rows of the main screen, while the other one is shown.
        self.main = None
        self.column = self.row = 0
        self.top, self.bottom = 0, rows - 1
        self.saved = (0, 0)
        self.rest = b""

    def blank(self):
        return [[" "] * self.columns for _ in range(self.rows)]

    def feed(self, data):
        data = self.rest + data
        cut = OPEN.search(data)
        self.rest = data[cut.start():] if cut else b""
        data = data[:cut.start()] if cut else data
        # A character that is cut in two waits for its end.
        for back in range(1, min(4, len(data) + 1)):
            byte = data[-back]
            if byte >= 0xC0:
                if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4):
                    data, self.rest = data[:-back], data[-back:] + self.rest
                break
            if byte < 0x80:
                break
        place = 0
        for match in SEQUENCE.finditer(data):
            self.write(data[place:match.start()])
            place = match.end()
            if match[2]:
                self.control(match[1], match[2])
            elif match[3]:
                self.escape(match[3])
        self.write(data[place:])

    def write(self, data):
        for character in data.decode("utf-8", "replace"):
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.down()
            elif character == "\b":
                self.column = max(0, self.column - 1)
            elif character == "\t":
                self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
            elif character >= " ":
                self.put(character)
            # A cancellation may come behind a sequence that is whole.
            elif character not in "\a\x18":
                raise ValueError("unknown character: %r in %r" % (character, data))

    def put(self, character):
        if unicodedata.category(character) in ("Mn", "Me", "Cf"):
            if self.column > 0:
                self.cells[self.row][self.column - 1] += character
            return
        width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if self.column + width > self.columns:
            self.column = 0
            self.down()
        self.cells[self.row][self.column:self.column + width] = [character, ""][:width]
        self.column += width

    def escape(self, final):
        if final == b"M":
            self.up()
        elif final in (b"D", b"E"):
            self.down()
            self.column = 0 if final == b"E" else self.column
        elif final == b"7":
            self.saved = (self.row, self.column)
        elif final == b"8":
            self.row, self.column = self.saved

    def scroll(self, is_up):
        """Moves the rows of the region by one; a blank one comes in."""
        leaves, comes = (self.top, self.bottom) if is_up else (self.bottom, self.top)
        del self.cells[leaves]
        self.cells.insert(comes, [" "] * self.columns)

    def down(self):
        if self.row == self.bottom:
            self.scroll(True)
        elif self.row < self.rows - 1:
            self.row += 1

    def up(self):
        if self.row == self.top:
            self.scroll(False)
        elif self.row > 0:
            self.row -= 1

    def control(self, parameters, final):
        if parameters == b"?1049":
            if final == b"h" and self.main is None:
                self.main, self.cells = self.cells, self.blank()
            elif final == b"l" and self.main is not None:
                self.main, self.cells = None, self.main
        if parameters[:1] in (b"?", b">", b"=", b"!") or final in HARMLESS:
            return
        numbers = [int(part) if part else 0 for part in parameters.split(b";")]
        first = max(1, numbers[0])
        line = self.cells[self.row]
        self.column = min(self.column, self.columns - 1)
        if final in (b"H", b"f"):
            self.row = min(first, self.rows) - 1
            second = numbers[1] if len(numbers) > 1 else 1
            self.column = min(max(1, second), self.columns) - 1
        elif final == b"A":
            self.row = max(0, self.row - first)
        elif final == b"B":
            self.row = min(self.rows - 1, self.row + first)
        elif final == b"C":
            self.column = min(self.columns - 1, self.column + first)
        elif final == b"D":
            self.column = max(0, self.column - first)
        elif final in (b"G", b"`"):
            self.column = min(first, self.columns) - 1
        elif final == b"d":
            self.row = min(first, self.rows) - 1
        elif final == b"J":
            if numbers[0] == 2:
                self.cells = self.blank()
            elif numbers[0] == 0:
                self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
                for row in range(self.row + 1, self.rows):
                    self.cells[row] = [" "] * self.columns
            elif numbers[0] != 3:
                raise ValueError("unknown sequence: %r %r" % (parameters, final))
        elif final == b"K":
            start, end = [(self.column, self.columns), (0, self.column + 1), (0, self.columns)][
                min(numbers[0], 2)]
            line[start:end] = [" "] * (end - start)
        elif final == b"X":
            end = min(self.columns, self.column + first)
            line[self.column:end] = [" "] * (end - self.column)
        elif final == b"P":
            del line[self.column:self.column + first]
            line += [" "] * (self.columns - len(line))
        elif final == b"@":
            line[self.column:self.column] = [" "] * first
            del line[self.columns:]
        elif final == b"b":
            self.write((line[self.column - 1] * first).encode())
        elif final in (b"L", b"M"):
            for _ in range(min(first, self.rows)):
                if final == b"L":
                    del self.cells[self.bottom]
                    self.cells.insert(self.row, [" "] * self.columns)
                else:
                    del self.cells[self.row]
                    self.cells.insert(self.bottom, [" "] * self.columns)
        elif final in (b"S", b"T"):
            for _ in range(min(first, self.rows)):
                self.scroll(final == b"S")
        elif final == b"Z":
            self.column = max(0, (self.column - 1) // 8 * 8)
        elif final == b"r":
            second = numbers[1] if len(numbers) > 1 and numbers[1] else self.rows
            self.top, self.bottom = first - 1, min(second, self.rows) - 1
            self.row = self.column = 0
        else:
            raise ValueError("unknown sequence: %r %r" % (parameters, final))

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.cells)
