"""Values as expressions have them, computed by Python: see oracle.py.

A function returns None for null, and raises OverflowError where a whole number becomes a double.
"""
import datetime
import math
import re
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

GREAT = 2**127


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def kind_of(value):
    return "truth" if isinstance(value, bool) else "number" if is_number(value) else "text"


def order(left, right):
    """-1, 0, 1; None where null or another type is compared."""
    if left is None or right is None or kind_of(left) != kind_of(right):
        return None
    return (left > right) - (left < right)


COMPARE = {"==": lambda o: o == 0, "=": lambda o: o == 0, "!=": lambda o: o != 0,
           "<>": lambda o: o != 0, "<": lambda o: o < 0, "<=": lambda o: o <= 0,
           ">": lambda o: o > 0, ">=": lambda o: o >= 0}


def both(left, right):
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def opposite(value):
    return None if value is None else not value


def finite(value):
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and not -GREAT <= value < GREAT:
        raise OverflowError
    return value


def arithmetic(sign, left, right):
    if isinstance(left, str) and isinstance(right, str) and sign == "+":
        return left + right
    if not is_number(left) or not is_number(right):
        return None
    if sign == "+":
        return finite(left + right)
    if sign == "-":
        return finite(left - right)
    if sign == "*":
        return finite(left * right)
    if right == 0:
        return None
    if isinstance(left, int) and isinstance(right, int):
        if sign == "%":
            return int(math.copysign(1, left)) * (abs(left) % abs(right))
        return left // right if left % right == 0 else left / right
    return finite(math.fmod(left, right) if sign == "%" else left / right)


def floor(value):
    if isinstance(value, float) and abs(value) < GREAT:
        return math.floor(value)
    return value


def half_up(value, unit):
    """A fraction rounded to a multiple of a unit, halves away from zero."""
    count = abs(Fraction(value)) / unit
    whole = math.floor(count + Fraction(1, 2)) * unit
    return -whole if value < 0 else whole


def rounded(value, places=0):
    places = int(places)
    if isinstance(value, int):
        return value if places >= 0 else finite(int(half_up(value, 10**-places)))
    if places <= 0:
        found = half_up(value, 10**-places)
        return int(found) if abs(value) < GREAT else float(found)
    # By the shortest decimal text: 1.005 to two decimals is 1.01.
    text = Decimal(repr(value))
    if -text.as_tuple().exponent <= places:
        return value
    with localcontext() as context:
        context.prec = 400
        return float(text.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def number_of(value):
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        text = value.strip()
        if re.fullmatch(r"-?[0-9]+", text):
            return finite(int(text))
        return float(text) if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][0-9]+)?", text) else None
    return value


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        # Both write the shortest digits, but not from the same power of ten on with an exponent.
        if 1e15 < abs(value) < 1e17:
            raise OverflowError
        return re.sub(r"\.0$", "", repr(value))
    return None if value is None else str(value)


DATE = re.compile(r" *(\d{4})[-/](\d\d)[-/](\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?"
                  r"(?:[Zz]|([-+])(\d\d):?(\d\d)?)?)? *", re.ASCII)


def date_of(value):
    found = DATE.fullmatch(value)
    if not found:
        return None
    year, month, day, hour, minute, second, part, sign, east, minutes = found.groups()
    try:
        time = datetime.datetime(int(year), int(month), int(day), int(hour or 0), int(minute or 0),
                                 min(int(second or 0), 59))
    except ValueError:
        return None
    if hour is None:
        return time.strftime("%Y-%m-%d")
    if sign:
        shift = datetime.timedelta(hours=int(east), minutes=int(minutes or 0))
        time = time - shift if sign == "+" else time + shift
    part = (part or "").rstrip("0")
    return time.strftime("%Y-%m-%dT%H:%M:%S") + ("." + part if part else "") + "Z"


def extreme(values, is_least):
    found = None
    for value in values:
        if value is None:
            continue
        if found is None:
            found = value
            continue
        which = order(value, found)
        if which is None:
            return None
        if which < 0 if is_least else which > 0:
            found = value
    return found


def split(text, mark, place):
    if isinstance(place, float) and place != int(place):
        return None
    pieces = text.split(mark) if mark else [text]
    index = int(place) - 1 if place > 0 else len(pieces) + int(place)
    return pieces[index] if place != 0 and 0 <= index < len(pieces) else None


def like(text, pattern, ignores_case):
    if ignores_case:
        text, pattern = text.lower(), pattern.lower()
    made, escaped = "", False
    for letter in pattern:
        if escaped:
            made, escaped = made + re.escape(letter), False
        elif letter == "\\":
            escaped = True
        else:
            made += ".*" if letter == "%" else "." if letter == "_" else re.escape(letter)
    if escaped:
        made += r"\\"
    return re.fullmatch(made, text, re.DOTALL) is not None


def figure(kind, values):
    """A figure of many values; null is passed over, and so is what is no number where one is
    needed."""
    values = [value for value in values if value is not None]
    if kind == "count":
        return len(values)
    if kind in ("min", "max"):
        found = values[0] if values else None
        for value in values:
            which = order(value, found)
            if which is not None and (which < 0 if kind == "min" else which > 0):
                found = value
        return found
    numbers = [value for value in values if is_number(value)]
    if not numbers:
        return None
    if kind == "median":
        ordered = sorted(numbers)
        middle = len(ordered) // 2
        if len(ordered) % 2:
            return ordered[middle]
        return arithmetic("/", arithmetic("+", ordered[middle - 1], ordered[middle]), 2)
    if all(isinstance(value, int) for value in numbers):
        total = finite(sum(numbers))
    else:
        total = float(sum(Fraction(value) for value in numbers))
    return total if kind == "sum" else arithmetic("/", total, len(numbers))
