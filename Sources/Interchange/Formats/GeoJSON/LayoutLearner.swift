/// Learns a file's layout during reading and counts deviations from it.
struct LayoutLearner {
  /// The first white space of each place met, one after the other.
  private var texts: [UInt8] = []
  /// Where that of a place begins among them; a length of -1 for places not met yet.
  private var offsets = [Int](
    repeating: 0, count: GeoJSONLayout.Container.count * GeoJSONLayout.Gap.count)
  private var lengths = [Int32](
    repeating: -1, count: GeoJSONLayout.Container.count * GeoJSONLayout.Gap.count)
  /// The number of gaps, escapes and repeated members so far that deviate from the layout.
  var mismatches = 0

  /// The bytes of all white space that is kept.
  var byteCount: Int { texts.count }

  /// The length of the first white space of a place; less than 0 of one that was not met yet.
  func length(at place: Int) -> Int32 { lengths[place] }

  /// Skips white space at a place and compares it with the first of its kind.
  @inline(__always)
  mutating func step(
    _ scanner: inout JSONScanner, _ container: GeoJSONLayout.Container,
    _ gap: GeoJSONLayout.Gap
  ) {
    let place = GeoJSONLayout.place(container, gap)
    if scanner.current > 0x20, lengths[place] == 0 { return }
    stepOver(&scanner, place)
  }

  @inline(never)
  private mutating func stepOver(_ scanner: inout JSONScanner, _ place: Int) {
    let start = scanner.position
    scanner.skipWhitespace()
    compare(scanner, start, scanner.position - start, place)
  }

  /// Compares white space that was skipped already.
  mutating func compare(_ scanner: JSONScanner, _ start: Int, _ length: Int, _ place: Int) {
    let known = Int(lengths[place])
    if known < 0 {
      offsets[place] = texts.count
      lengths[place] = Int32(clamping: length)
      texts.append(contentsOf: scanner.bytes(start..<start + length))
    } else if known != length {
      mismatches += 1
    } else if length > 0 {
      let first = offsets[place]
      let here = scanner.base + start
      for index in 0..<length where texts[first + index] != here[index] {
        mismatches += 1
        return
      }
    }
  }

  /// Skips white space after a comma or an opening bracket, whose place depends on the byte after
  /// it: `empty` if that closes the container.
  mutating func stepIn(
    _ scanner: inout JSONScanner, _ container: GeoJSONLayout.Container, close: UInt8
  ) -> Bool {
    let start = scanner.position
    scanner.skipWhitespace()
    let isEmpty = scanner.current == close
    let gap = isEmpty ? GeoJSONLayout.Gap.empty : GeoJSONLayout.Gap.afterOpen
    compare(scanner, start, scanner.position - start, GeoJSONLayout.place(container, gap))
    return isEmpty
  }

  /// Skips white space after a value; its place is `beforeClose` or `beforeComma`.
  ///
  /// - Returns: whether another member follows; the position is after its comma and white space.
  @inline(__always)
  mutating func stepOn(
    _ scanner: inout JSONScanner, _ container: GeoJSONLayout.Container, close: UInt8
  ) throws(ScanFault) -> Bool {
    let start = scanner.position
    if scanner.current <= 0x20 { scanner.skipWhitespace() }
    let length = scanner.position - start
    let isComma = scanner.current == UInt8(ascii: ",")
    guard isComma || scanner.current == close else {
      throw scanner.unexpected("comma or \(Character(Unicode.Scalar(close))) expected")
    }
    let gap = isComma ? GeoJSONLayout.Gap.beforeComma : GeoJSONLayout.Gap.beforeClose
    let place = GeoJSONLayout.place(container, gap)
    if length != 0 || lengths[place] != 0 { compare(scanner, start, length, place) }
    scanner.position += 1
    if isComma { step(&scanner, container, GeoJSONLayout.Gap.afterComma) }
    return isComma
  }

  /// Adds the places that another learner met, which knew no more than this one when it began.
  ///
  /// - Returns: `false` if it learned another white space at a place that this one knows: then
  ///   nothing is added.
  mutating func take(_ other: LayoutLearner) -> Bool {
    let met = lengths.indices.filter { other.lengths[$0] >= 0 }
    guard met.allSatisfy({ lengths[$0] < 0 || text(at: $0) == other.text(at: $0) }) else {
      return false
    }
    for place in met where lengths[place] < 0 {
      (offsets[place], lengths[place]) = (texts.count, other.lengths[place])
      texts += other.text(at: place)
    }
    return true
  }

  /// The white space of a place that was met.
  private func text(at place: Int) -> ArraySlice<UInt8> {
    texts[offsets[place]..<offsets[place] + Int(lengths[place])]
  }

  /// The learned layout.
  var layout: GeoJSONLayout {
    var layout = GeoJSONLayout()
    for place in lengths.indices where lengths[place] >= 0 {
      layout.gaps[place] = Array(text(at: place))
    }
    return layout
  }
}
