internal import PortolanTerminals

/// Exact colours on a terminal whose description knows a palette of 256.
///
/// Each colour on the screen has a slot of the palette, by whose number curses knows it; in the
/// bytes that curses has written, `rewrite` replaces the numbers by the colours. The palette itself
/// stays as it is. Slots are stable: curses would not send a cell again whose slot has got another
/// colour.
struct ColourSlots {
  /// The first slot that is not a base colour: those have sequences of other forms.
  static let first = 16
  static let countMax = 240
  /// The frames between two recyclings, for frames that alone have more colours than slots.
  static let recyclingFrames = 32

  private var colours: [TerminalColour] = []
  /// The end of the sequence that selects each colour: `;2;R;G;Bm`.
  private var endings: [[UInt8]] = []
  private var slots: [TerminalColour: Int32] = [:]
  /// The nearest slots of colours that have none.
  private var nearest: [TerminalColour: Int32] = [:]
  private var framesSinceRecycling = ColourSlots.recyclingFrames
  private var hasOverflown = false

  /// Whether the frame lacked a slot, and slots of former frames may be free.
  var wantsRecycling: Bool { hasOverflown && framesSinceRecycling >= Self.recyclingFrames }

  mutating func beginFrame() {
    hasOverflown = false
    framesSinceRecycling = min(framesSinceRecycling + 1, Self.recyclingFrames)
  }

  /// Forgets all colours; the screen has to be drawn anew.
  mutating func recycle() {
    colours.removeAll(keepingCapacity: true)
    endings.removeAll(keepingCapacity: true)
    slots.removeAll(keepingCapacity: true)
    nearest.removeAll(keepingCapacity: true)
    framesSinceRecycling = 0
    hasOverflown = false
  }

  /// The slot of a colour; that of the most similar one if none is left.
  mutating func slot(of colour: TerminalColour) -> Int32 {
    if let known = slots[colour] { return known }
    if colours.count < Self.countMax {
      let slot = Int32(Self.first + colours.count)
      colours.append(colour)
      endings.append(Array(";2;\(colour.red);\(colour.green);\(colour.blue)m".utf8))
      slots[colour] = slot
      return slot
    }
    hasOverflown = true
    if let known = nearest[colour] { return known }
    let slot = Palette.nearest(to: colour, in: colours).flatMap { slots[$0] } ?? Int32(Self.first)
    nearest[colour] = slot
    return slot
  }

  /// The output of curses with `38;5;SLOT` and `48;5;SLOT` replaced by 24-bit colours.
  ///
  /// - Complexity: O(bytes).
  func rewrite(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 3)
    // Everything from `copied` on is still to be copied.
    var copied = 0
    var index = 0
    while index < bytes.count {
      guard bytes[index] == 0x1B, let found = selection(in: bytes[index...]) else {
        index += 1
        continue
      }
      // `ESC [ 38` or `ESC [ 48` stays.
      result += bytes[copied..<index + 4]
      result += endings[found.index]
      index += found.length
      copied = index
    }
    result += bytes[copied...]
    return result
  }

  /// The index of the colour that a sequence at the start of some bytes selects, and its length;
  /// `nil` for any other sequence.
  private func selection(in bytes: ArraySlice<UInt8>) -> (index: Int, length: Int)? {
    let head = bytes.prefix(7)
    guard head.count == 7 else { return nil }
    let start = head.startIndex
    let (kind, separator) = (head[start + 2], head[start + 4])
    guard head[start + 1] == UInt8(ascii: "["),
      kind == UInt8(ascii: "3") || kind == UInt8(ascii: "4"),
      head[start + 3] == UInt8(ascii: "8"),
      separator == UInt8(ascii: ";") || separator == UInt8(ascii: ":"),
      head[start + 5] == UInt8(ascii: "5"), head[start + 6] == separator
    else { return nil }
    var number = 0
    for (offset, byte) in bytes.dropFirst(7).prefix(4).enumerated() {
      if byte == UInt8(ascii: "m"), offset > 0 {
        let index = number - Self.first
        return endings.indices.contains(index) ? (index, 8 + offset) : nil
      }
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte) - 0x30
    }
    return nil
  }
}
