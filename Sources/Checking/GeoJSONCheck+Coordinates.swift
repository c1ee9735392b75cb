import PortolanGraphics

/// Reading coordinates of any nesting.
extension GeoJSONCheck {
  /// Reads the array here into the buffer, and tells other values than numbers and arrays.
  mutating func scanCoordinates() throws {
    var opens: [Int] = []
    while true {
      // Here is an opening bracket.
      guard opens.count < JSONWalker.depthMax else {
        throw ScanStop(
          code: .tooDeep, offset: walker.position,
          message: "coordinates are nested more than \(JSONWalker.depthMax) levels deep")
      }
      let open = walker.position
      opens.append(open)
      walker.position += 1
      walker.skipWhitespace()
      let kind = walker.kindHere
      if kind == .array { continue }
      if walker.current == UInt8(ascii: "]") {
        if buffer.empties.count < 1_000 {
          buffer.empties.append(
            CoordinateBuffer.Empty(offset: open, depth: opens.count, position: buffer.count))
        }
        if opens.count == buffer.depth { buffer.isBroken = true }
        walker.position += 1
        if try closed(&opens, open) { return }
      } else {
        try scanPosition(open, opens.count)
        if try closed(&opens, nil) { return }
      }
    }
  }

  /// Goes on after a closing bracket up to the next opening one.
  ///
  /// - Parameter empty: the offset of the array if it was empty.
  /// - Returns: whether the last array is closed.
  private mutating func closed(_ opens: inout [Int], _ empty: Int?) throws -> Bool {
    while let open = opens.popLast() {
      endArray(depth: opens.count + 1, open)
      if opens.isEmpty { return true }
      while true {
        guard try walker.separate(close: UInt8(ascii: "]"), isFirst: false) == .next else { break }
        if walker.current == UInt8(ascii: "[") { return false }
        guard let kind = walker.kindHere else { throw walker.unexpected("a position") }
        emit(
          .nesting, "\(kind.words) between arrays of coordinates", at: walker.position)
        buffer.isBroken = true
        try walker.skipValue()
      }
    }
    return true
  }

  /// Notes the end of an array; the position is behind its bracket.
  @inline(__always)
  private mutating func endArray(depth: Int, _ open: Int) {
    if depth == buffer.depth - 1 {
      buffer.paths.append(
        CoordinateBuffer.Path(end: buffer.count, open: open, close: walker.position - 1))
    } else if depth == buffer.depth - 2 {
      buffer.groupEnds.append(buffer.paths.count)
    }
  }

  /// Reads the numbers of a position up to its closing bracket.
  private mutating func scanPosition(_ open: Int, _ depth: Int) throws {
    if buffer.depth == 0 {
      buffer.depth = depth
      // Arrays that were closed before were empty; their places are not known any more.
      if !buffer.empties.isEmpty { buffer.isBroken = true }
    } else if depth != buffer.depth {
      if !buffer.isBroken {
        emit(
          .nesting, "positions are in \(buffer.depth) brackets before, and in \(depth) here",
          at: open)
      }
      buffer.isBroken = true
    }
    var size = 0
    var isSound = true
    var (x, y, third) = (Double.nan, Double.nan, Double.nan)
    while try walker.separate(close: UInt8(ascii: "]"), isFirst: size == 0) == .next {
      let first = walker.current
      if first &- 0x30 <= 9 || first == UInt8(ascii: "-") || walker.kindHere == .number {
        let number = try walker.scanNumber()
        switch size {
        case 0: x = number.value
        case 1: y = number.value
        case 2: third = number.value
        default: break
        }
        if !number.value.isFinite { isSound = false }
        if size < 2, number.decimals > 7 { values.note(number, at: open) }
      } else {
        isSound = false
        try tellNoNumber(size)
      }
      size += 1
    }
    append(open, size, x, y, third)
    if size < 2 {
      isSound = false
      emit(
        .shortPosition, size == 1 ? "the position has one number" : "the position is empty",
        at: open, path: pathText() + buffer.indices(ofPosition: buffer.count - 1))
    } else if size > 3 {
      emit(
        .longPosition, "the position has \(size) numbers", at: open,
        path: pathText() + buffer.indices(ofPosition: buffer.count - 1))
    }
    if !isSound { buffer.isBroken = true }
  }

  @inline(__always)
  private mutating func append(
    _ open: Int, _ size: Int, _ x: Double, _ y: Double, _ third: Double
  ) {
    if let first = buffer.sizes.first, (first > 2) != (size > 2) { buffer.isMixed = true }
    buffer.offsets.append(open)
    buffer.xy.append(x)
    buffer.xy.append(y)
    buffer.z.append(third)
    buffer.sizes.append(UInt8(min(size, 255)))
    if x < buffer.content.box.minX { buffer.content.box.minX = x }
    if x > buffer.content.box.maxX { buffer.content.box.maxX = x }
    if y < buffer.content.box.minY { buffer.content.box.minY = y }
    if y > buffer.content.box.maxY { buffer.content.box.maxY = y }
    if third < buffer.content.minZ { buffer.content.minZ = third }
    if third > buffer.content.maxZ { buffer.content.maxZ = third }
  }

  /// Tells a value in a position that is no number, and skips it.
  private mutating func tellNoNumber(_ index: Int) throws {
    guard let kind = walker.kindHere else { throw walker.unexpected("a number") }
    let start = walker.position
    if kind == .array || kind == .object {
      emit(.nesting, "\(kind.words) where a number should be", at: start)
      try walker.skipValue()
      return
    }
    let value = try walker.skipValue()
    var edits: [TextEdit] = []
    if kind == .string {
      let inside = value.lowerBound + 1..<max(value.lowerBound + 1, value.upperBound - 1)
      if let number = Self.plainNumber(walker.bytes(inside)) {
        edits = [TextEdit(value, number)]
      }
    }
    emit(
      .notANumber, "\(kind.words) where a number should be", at: start,
      path: pathText() + buffer.indices(ofPosition: buffer.count) + "[\(index)]", edits: edits)
  }

  /// The text of a number as JSON has it, if a string is nothing else.
  static func plainNumber(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    guard text.count <= 40, var walker = JSONWalker(text) else { return nil }
    walker.skipWhitespace()
    let start = walker.position
    let first = walker.current
    guard first &- 0x30 <= 9 || first == UInt8(ascii: "-"), let form = try? walker.scanNumber()
    else { return nil }
    let end = walker.position
    walker.skipWhitespace()
    guard walker.isAtEnd, walker.faults.isEmpty, form.value.isFinite else { return nil }
    return Array(walker.bytes(start..<end))
  }

  /// The bytes of a position, from its opening to its closing bracket.
  func extent(ofPosition position: Int) -> Range<Int> {
    let start = buffer.offsets[position]
    var at = start + 1
    var isString = false
    while at < walker.count {
      let byte = walker.byte(at: at)
      if isString {
        if byte == UInt8(ascii: "\\") {
          at += 1
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      } else if byte == UInt8(ascii: "]") {
        return start..<at + 1
      }
      at += 1
    }
    return start..<min(walker.count, at)
  }
}
