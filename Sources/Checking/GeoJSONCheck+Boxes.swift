import PortolanDocuments
import PortolanGraphics

/// A `bbox` member.
struct BoxMember {
  var value: Range<Int>
  /// Its numbers, if it has a sound form.
  var numbers: [Double] = []
}

/// Bounding boxes.
extension GeoJSONCheck {
  /// How far a box may miss its geometry: boxes are often rounded.
  private static let tolerance = 1e-6

  /// Reads a `bbox`, and tells a wrong form when the object is judged.
  mutating func scanBox(_ kind: ValueKind) throws -> BoxMember {
    let start = walker.position
    guard kind == .array else { return BoxMember(value: try walker.skipValue()) }
    walker.position += 1
    var numbers: [Double] = []
    var count = 0
    while try walker.separate(close: UInt8(ascii: "]"), isFirst: count == 0) == .next {
      if walker.kindHere == .number {
        let number = try walker.scanNumber()
        if number.value.isFinite, numbers.count < 7 { numbers.append(number.value) }
      } else {
        try walker.skipValue()
      }
      count += 1
    }
    var box = BoxMember(value: start..<walker.position)
    if count == numbers.count, count == 4 || count == 6 { box.numbers = numbers }
    return box
  }

  /// Judges the `bbox` of an object by its geometries.
  mutating func judgeBox(_ facts: ObjectFacts) {
    guard let box = facts.box else { return }
    path.append(.name("bbox"))
    defer { path.removeLast() }
    let offset = box.value.lowerBound
    let edits = edits(for: box)
    guard !box.numbers.isEmpty else {
      emit(.boxForm, "a bbox is an array of 4 or 6 numbers", at: offset, edits: edits)
      return
    }
    let half = box.numbers.count / 2
    let (low, high) = (box.numbers.prefix(half), box.numbers.suffix(half))
    let west = low.first ?? 0
    let east = high.first ?? 0
    let (south, north) = (low[1], high[half + 1])
    if south > north || half == 3 && box.numbers[2] > box.numbers[5] {
      emit(
        .boxOrder,
        south > north ? "its south is north of its north" : "its bottom is above its top",
        at: offset, edits: edits)
      return
    }
    // West beyond east is a box across 180 degrees.
    let crosses = west > east
    if crosses, west - east < 0 || west > 180 || east < -180 {
      emit(.boxOrder, "its west is east of its east", at: offset, edits: edits)
      return
    }
    if content.isEmpty { return }
    judgeExtent(box, crosses, offset, edits)
  }

  private mutating func judgeExtent(
    _ box: BoxMember, _ crosses: Bool, _ offset: Int, _ edits: [TextEdit]
  ) {
    let half = box.numbers.count / 2
    let (west, south, east, north) = (
      box.numbers[0], box.numbers[1], box.numbers[half], box.numbers[half + 1]
    )
    let extent = content.box
    let slack = max(Self.tolerance, max(extent.maxX.magnitude, extent.maxY.magnitude) * 1e-9)
    var faults: [String] = []
    // Of a box across 180 degrees each half holds some of the geometry.
    if !crosses {
      if extent.minX < west - slack { faults.append("west") }
      if extent.maxX > east + slack { faults.append("east") }
    }
    if extent.minY < south - slack { faults.append("south") }
    if extent.maxY > north + slack { faults.append("north") }
    if half == 3, content.minZ <= content.maxZ {
      if content.minZ < box.numbers[2] - slack { faults.append("below") }
      if content.maxZ > box.numbers[5] + slack { faults.append("above") }
    }
    if !faults.isEmpty {
      emit(
        .boxTooSmall, "the geometry goes beyond it in the \(faults.joined(separator: ", "))",
        at: offset, edits: edits)
      return
    }
    let room = max(extent.width, extent.height) * 0.01 + 1e-3
    if !crosses,
      extent.minX > west + room || extent.maxX < east - room || extent.minY > south + room
        || extent.maxY < north - room
    {
      emit(.boxTooLarge, "it is larger than the geometry", at: offset)
    }
  }

  /// The edit that writes the extent of the geometries; nothing without one.
  private func edits(for box: BoxMember) -> [TextEdit] {
    guard !content.isEmpty else { return [] }
    let extent = content.box
    let has3 = content.minZ <= content.maxZ && box.numbers.count != 4
    let numbers =
      has3
      ? [extent.minX, extent.minY, content.minZ, extent.maxX, extent.maxY, content.maxZ]
      : [extent.minX, extent.minY, extent.maxX, extent.maxY]
    let texts = numbers.compactMap { NumberText.shortest($0) }
    guard texts.count == numbers.count else { return [] }
    let hasBlanks = walker.text(box.value.prefix(200)).contains(", ")
    return [
      TextEdit(
        box.value, Array("[\(texts.joined(separator: hasBlanks ? ", " : ","))]".utf8))
    ]
  }
}
