import PortolanGraphics

/// The `bbox` member of GeoJSON (RFC 7946 section 5) as JSON text.
enum BoundingBoxText {
  /// The box around others: west, south, east, north; west is greater than east if it spans the
  /// antimeridian.
  ///
  /// - Parameters:
  ///   - boxes: of the paths or features; empty ones are passed over.
  ///   - former: the former text; its spaces after commas are kept. A text that is no box, a word
  ///     or two numbers, is the writer's own matter and stays as it is.
  /// - Returns: `nil` if there is nothing to hold, or if the former box had heights, which are not
  ///   computed here: a wrong member is worse than none.
  static func text(of boxes: some Sequence<Box>, like former: String) -> String? {
    let count = numberCount(former)
    guard count == 4 || count == 6 else { return former }
    if count == 6 { return nil }
    let boxes = boxes.filter { !$0.isEmpty }
    let whole = boxes.reduce(Box.empty) { $0.union($1) }
    guard !whole.isEmpty else { return nil }
    let (west, east) = longitudes(of: boxes, whole: whole)
    let numbers = [west, whole.minY, east, whole.maxY].compactMap(NumberText.shortest)
    guard numbers.count == 4 else { return nil }
    let separator = former.contains(", ") ? ", " : ","
    return "[" + numbers.joined(separator: separator) + "]"
  }

  /// The number of numbers in a list of nothing else; 0 for other texts.
  private static func numberCount(_ text: String) -> Int {
    let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
    func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
      let rest = bytes.drop { blanks.contains($0) }
      return rest.prefix(rest.count - rest.reversed().prefix { blanks.contains($0) }.count)
    }
    let list = trimmed(text[...].utf8)
    guard list.first == UInt8(ascii: "["), list.last == UInt8(ascii: "]"), list.count > 2 else {
      return 0
    }
    let parts = list.dropFirst().dropLast()
      .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return parts.allSatisfy { NumberText.isValid(String(Substring(trimmed($0)))) }
      ? parts.count : 0
  }

  /// Boxes that touch the antimeridian from both sides are joined there: the bounding box is then
  /// the complement of the widest gap between them. A world-wide box stays world-wide.
  private static func longitudes(of boxes: [Box], whole: Box) -> (west: Double, east: Double) {
    let plain = (whole.minX, whole.maxX)
    guard whole.minX == -180, whole.maxX == 180 else { return plain }
    let sorted = boxes.sorted { $0.minX < $1.minX }
    var widest = (gap: 0.0, west: whole.minX, east: whole.maxX)
    var reach = -180.0
    for box in sorted {
      if box.minX - reach > widest.gap { widest = (box.minX - reach, box.minX, reach) }
      reach = max(reach, box.maxX)
    }
    return widest.gap > 0 ? (widest.west, widest.east) : plain
  }
}
