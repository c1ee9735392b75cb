import PortolanGraphics

/// Judging the coordinates of a geometry.
extension GeoJSONCheck {
  /// Judges the coordinates in the buffer by their type.
  mutating func judgeCoordinates(_ type: ObjectType) {
    judgeEmpties(type)
    guard buffer.count > 0 else { return }
    guard buffer.depth == type.depth else {
      let offset = buffer.offsets.first ?? 0
      let words = buffer.depth < type.depth ? "not deeply enough" : "too deeply"
      emit(
        .nesting,
        "a \(type.rawValue) has its numbers in \(type.depth) "
          + "\(type.depth == 1 ? "bracket" : "brackets"), not in \(buffer.depth): "
          + "nested \(words)", at: offset)
      return
    }
    if buffer.isBroken { return }
    content.formUnion(buffer.content)
    values.add(buffer)
    judgeRange()
    switch type {
    case .multiPoint, .point: break
    case .lineString: judgeLine(0..<buffer.count, path: nil)
    case .multiLineString:
      for path in buffer.paths.indices {
        judgeLine(buffer.start(ofPath: path)..<buffer.paths[path].end, path: path)
      }
    case .polygon: _ = judgePolygon(buffer.paths.indices)
    case .multiPolygon:
      var start = 0
      var parts: [[Range<Int>]] = []
      for end in buffer.groupEnds {
        if let rings = judgePolygon(start..<max(start, end)) { parts.append(rings) }
        start = end
      }
      if parts.count > 1, parts.count == buffer.groupEnds.count { judgeParts(parts) }
    default: break
    }
    if buffer.isMixed,
      let odd = buffer.sizes.firstIndex(where: { ($0 > 2) != (buffer.sizes[0] > 2) })
    {
      emit(
        .mixedDimensions,
        "this position has \(buffer.sizes[odd]) numbers, the first one "
          + "\(buffer.sizes[0])", at: buffer.offsets[odd],
        path: pathText() + buffer.indices(ofPosition: odd))
    }
  }

  private mutating func judgeEmpties(_ type: ObjectType) {
    for empty in buffer.empties {
      switch (type, type.depth - empty.depth) {
      case (_, 0): emit(.shortPosition, "the position is empty", at: empty.offset)
      case (.lineString, 1), (.multiLineString, 1):
        emit(.shortLine, "the line has no positions", at: empty.offset)
      case (.polygon, 1), (.multiPolygon, 1):
        emit(.shortRing, "the ring has no positions", at: empty.offset)
      case (_, ..<0): emit(.nesting, "an empty array where a number should be", at: empty.offset)
      default: emit(.emptyCoordinates, "the array has no positions", at: empty.offset)
      }
    }
  }

  // MARK: Lines

  private mutating func judgeLine(_ range: Range<Int>, path: Int?) {
    guard let first = range.first else { return }
    if range.count < 2 {
      emit(
        .shortLine, "the line has \(range.count == 1 ? "one position" : "no positions")",
        at: path.map { buffer.paths[$0].open } ?? buffer.offsets[first],
        path: pathText() + (path.map { buffer.indices(ofPath: $0) } ?? ""))
      return
    }
    findRepeated(range, leaving: 2)
    guard !values.hasSystemMember, buffer.content.box.mayJump,
      let jump = LineJump(buffer.xy, range)
    else { return }
    emit(
      .antimeridianJump, jump.message, at: buffer.offsets[jump.position],
      path: pathText() + buffer.indices(ofPosition: jump.position), position: jump.place)
  }

  /// Finds positions equal to the one before.
  ///
  /// - Parameter least: how many positions must be left when they are removed.
  private mutating func findRepeated(_ range: Range<Int>, leaving least: Int) {
    var left = range.count
    for position in range.dropFirst() where isSame(position, position - 1) {
      left -= 1
      var edits: [TextEdit] = []
      if left >= least {
        let end = extent(ofPosition: position - 1).upperBound
        edits = [TextEdit(end..<max(end, extent(ofPosition: position).upperBound), [])]
      }
      emit(
        .repeatedPosition, "the position is the same as the one before",
        at: buffer.offsets[position], path: pathText() + buffer.indices(ofPosition: position),
        position: place(position), edits: edits)
    }
  }

  @inline(__always)
  private func isSame(_ left: Int, _ right: Int) -> Bool {
    guard buffer.xy[2 * left] == buffer.xy[2 * right],
      buffer.xy[2 * left + 1] == buffer.xy[2 * right + 1],
      buffer.sizes[left] == buffer.sizes[right]
    else { return false }
    // Numbers after the third are compared by nobody: such positions are kept.
    return buffer.sizes[left] == 2
      || buffer.sizes[left] == 3 && buffer.z[left] == buffer.z[right]
  }

  func place(_ position: Int) -> Coordinate {
    Coordinate(x: buffer.xy[2 * position], y: buffer.xy[2 * position + 1])
  }

  // MARK: Rings

  /// - Returns: the rings, if none of them crosses another one.
  private mutating func judgePolygon(_ paths: Range<Int>) -> [Range<Int>]? {
    var rings: [Range<Int>] = []
    var sound: [Int] = []
    for path in paths {
      let range =
        buffer.start(ofPath: path)..<max(buffer.start(ofPath: path), buffer.paths[path].end)
      if judgeRing(range, path) {
        rings.append(range)
        sound.append(path)
      } else if path == paths.lowerBound {
        return nil
      }
    }
    ringFaults.removeAll(keepingCapacity: true)
    let isPlain = buffer.xy.withUnsafeBufferPointer { xy in
      guard let base = xy.baseAddress else { return false }
      return polygons.check(base, rings, isGeographic: !values.hasSystemMember, &ringFaults)
    }
    for fault in ringFaults {
      let path = sound[fault.ring]
      let isRing = fault.code == .winding || fault.code == .flatRing || fault.code == .holeOutside
      let way = isRing ? buffer.indices(ofPath: path) : buffer.indices(ofPosition: fault.position)
      emit(
        fault.code, fault.message,
        at: isRing ? buffer.paths[path].open : buffer.offsets[fault.position],
        path: pathText() + way, position: fault.place,
        edits: fault.code == .winding ? reversal(rings[fault.ring]) : [])
    }
    return isPlain ? rings : nil
  }

  private mutating func judgeParts(_ parts: [[Range<Int>]]) {
    ringFaults.removeAll(keepingCapacity: true)
    buffer.xy.withUnsafeBufferPointer { xy in
      guard let base = xy.baseAddress else { return }
      polygons.checkParts(base, parts, &ringFaults)
    }
    for fault in ringFaults {
      emit(
        fault.code, fault.message, at: buffer.offsets[fault.position],
        path: pathText() + buffer.indices(ofPosition: fault.position), position: fault.place)
    }
  }

  /// Judges the form of a ring; `false` if there is nothing to judge beyond that.
  private mutating func judgeRing(_ range: Range<Int>, _ path: Int) -> Bool {
    let open = buffer.paths[path].open
    guard let first = range.first, let last = range.last, range.count >= 3 else {
      if !range.isEmpty {
        emit(
          .shortRing, "the ring has \(range.count) \(range.count == 1 ? "position" : "positions")",
          at: open, path: pathText() + buffer.indices(ofPath: path))
      }
      return false
    }
    if isSame(first, last) {
      if range.count < 4 {
        emit(
          .shortRing, "the ring has 3 positions, the first one twice", at: open,
          path: pathText() + buffer.indices(ofPath: path))
        return false
      }
    } else {
      tellOpen(range, first, last, path)
    }
    findRepeated(range, leaving: 4)
    return true
  }

  private mutating func tellOpen(_ range: Range<Int>, _ first: Int, _ last: Int, _ path: Int) {
    let isSamePlace =
      buffer.xy[2 * first] == buffer.xy[2 * last]
      && buffer.xy[2 * first + 1] == buffer.xy[2 * last + 1]
    let start = extent(ofPosition: first)
    let end = extent(ofPosition: last)
    let text = Array(walker.bytes(start))
    let edit: TextEdit
    if isSamePlace {
      edit = TextEdit(end, text)
    } else {
      let next = buffer.offsets[first + 1]
      let gap = Array(walker.bytes(start.upperBound..<max(start.upperBound, next)))
      edit = TextEdit(end.upperBound..<end.upperBound, gap + text)
    }
    emit(
      .openRing,
      isSamePlace
        ? "the ring's last position has other numbers after x and y than the first one"
        : "the ring of \(range.count) positions does not end where it begins",
      at: buffer.offsets[last], path: pathText() + buffer.indices(ofPath: path),
      position: place(last), edits: [edit])
  }

  /// The edit that turns a ring round: its positions change places, the gaps between them stay.
  private func reversal(_ range: Range<Int>) -> [TextEdit] {
    guard let first = range.first, let last = range.last, isSame(first, last) else { return [] }
    let extents = range.map { extent(ofPosition: $0) }
    guard let start = extents.first?.lowerBound, let end = extents.last?.upperBound else {
      return []
    }
    var text: [UInt8] = []
    text.reserveCapacity(end - start)
    for index in extents.indices {
      text += walker.bytes(extents[extents.count - 1 - index])
      if index + 1 < extents.count {
        let gap = extents[index].upperBound
        text += walker.bytes(gap..<max(gap, extents[index + 1].lowerBound))
      }
    }
    return [TextEdit(start..<max(start, end), text)]
  }
}
