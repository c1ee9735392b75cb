import PortolanDocuments
import PortolanGraphics

/// Facts about the numbers of all coordinates.
struct ValueFacts {
  /// Whether a member `crs` names a system other than longitude and latitude.
  var hasSystemMember = false
  private(set) var decimals = DecimalFacts()
  private(set) var range = RangeFacts()

  /// Notes a coordinate of more than seven decimals.
  @inline(never)
  mutating func note(_ number: NumberForm, at offset: Int) { decimals.add(number, at: offset) }

  mutating func add(_ buffer: CoordinateBuffer) {
    range.add(count: buffer.count, buffer.content.box)
  }

  mutating func addBeyond(_ count: Int) { range.beyondCount += count }
}

/// The positions of a file by their range.
struct RangeFacts {
  private(set) var count = 0
  /// How many are beyond the range of degrees, and not just swapped.
  var beyondCount = 0
  private(set) var box = Box.empty

  mutating func add(count: Int, _ box: Box) {
    self.count += count
    self.box = self.box.union(box)
  }

  /// Whether the numbers are no degrees at all: at least half of the positions are out of range,
  /// and there are enough of them to judge by. No plane is a thousand million kilometres large.
  var areNoDegrees: Bool {
    let (width, height) = (max(box.maxX, -box.minX), max(box.maxY, -box.minY))
    let isFar = width > 540 || height > 270
    return max(width, height) < 1e12 && beyondCount * 2 >= count
      && (count >= 8 || isFar && beyondCount > 0)
  }
}

/// The numbers with more than seven decimals: a hundredth of a metre on the equator.
struct DecimalFacts {
  private(set) var count = 0
  /// How many have digits at their end behind a run of zeros or nines.
  private(set) var noiseCount = 0
  private var firstNoise = 0
  private var first = 0
  /// By their decimals, up to 20.
  private var counts = Array(repeating: 0, count: 21)

  mutating func add(_ number: NumberForm, at offset: Int) {
    if count == 0 { first = offset }
    count += 1
    counts[min(number.decimals, 20)] += 1
    if isNoise(number) {
      if noiseCount == 0 { firstNoise = offset }
      noiseCount += 1
    }
  }

  /// Whether up to three digits stand behind four zeros or nines, as in 100.0000000001.
  private func isNoise(_ number: NumberForm) -> Bool {
    var rest = number.mantissa
    for _ in 0..<3 {
      rest /= 10
      let run = rest % 10_000
      if run == 0 || run == 9_999 { return true }
    }
    return false
  }

  /// The finding about them; `nil` without such numbers.
  var finding: (code: FaultCode, message: String, offset: Int)? {
    if count == 0 { return nil }
    // Of numbers with random digits one in two thousand looks so.
    if noiseCount * 10 >= count {
      return (
        .roundingNoise,
        "\(Self.numbers(noiseCount)) with digits behind a run of zeros or nines, as after a "
          + "computation",
        firstNoise
      )
    }
    let most = counts.lastIndex { $0 > 0 } ?? 0
    // One digit in ten at the end is a zero that was not written.
    if (8...12).contains(most), count > 1, counts[most] * 10 >= count * 8 {
      return (.roundingNoise, "\(Self.numbers(count)) rounded to \(most) decimals", first)
    }
    return (.manyDecimals, "\(Self.numbers(count)) with more than 7 decimals", first)
  }

  private static func numbers(_ count: Int) -> String {
    count == 1 ? "1 number" : "\(count) numbers"
  }
}

/// A finding that holds only if the file is in degrees.
struct DegreeFinding {
  var code: FaultCode
  var message: String
  var offset: Int
  var path: String
  var position: Coordinate
}

/// The values of coordinates.
extension GeoJSONCheck {
  /// Looks at the range of the coordinates in the buffer.
  mutating func judgeRange() {
    let box = buffer.content.box
    if box.minX >= -180, box.maxX <= 180, box.minY >= -90, box.maxY <= 90 { return }
    if box.minY < -90 || box.maxY > 90, box.minX >= -90, box.maxX <= 90, box.minY >= -180,
      box.maxY <= 180
    {
      let first = position { $0.y.magnitude > 90 }
      addDegreeFinding(
        .swappedAxes,
        "latitude \(Self.short(place(first).y)) is beyond 90, and would be a longitude", first)
      return
    }
    var beyond = 0
    var first: Int?
    for position in 0..<buffer.count {
      let (x, y) = (buffer.xy[2 * position], buffer.xy[2 * position + 1])
      guard y.magnitude > 90 || x.magnitude > 360 else { continue }
      beyond += 1
      if first == nil { first = position }
    }
    values.addBeyond(beyond)
    if let first {
      let place = place(first)
      let what =
        place.y.magnitude > 90
        ? "latitude \(Self.short(place.y)) is beyond 90"
        : "longitude \(Self.short(place.x)) is far beyond 180"
      let others = beyond > 1 ? ", as those of \(beyond - 1) more positions of the geometry" : ""
      addDegreeFinding(.beyondRange, what + others, first)
    } else {
      let first = position { $0.x.magnitude > 180 }
      addDegreeFinding(
        .beyondAntimeridian, "longitude \(Self.short(place(first).x)) is beyond 180", first)
    }
  }

  private func position(where isMeant: (Coordinate) -> Bool) -> Int {
    (0..<buffer.count).first { isMeant(place($0)) } ?? 0
  }

  private mutating func addDegreeFinding(_ code: FaultCode, _ message: String, _ position: Int) {
    guard options.keepsAll || degreeFindings.count < 3 * FindingList.keptMax else {
      list.dropped[code, default: 0] += 1
      return
    }
    degreeFindings.append(
      DegreeFinding(
        code: code, message: message, offset: buffer.offsets[position],
        path: pathText() + buffer.indices(ofPosition: position), position: place(position)))
  }

  /// Tells what concerns the numbers of the whole file.
  mutating func finishValues() {
    if let (code, message, offset) = values.decimals.finding {
      emit(code, message, at: offset, path: "$")
    }
    if values.hasSystemMember {
      list.dropped[.beyondRange] = nil
      list.dropped[.beyondAntimeridian] = nil
      list.dropped[.swappedAxes] = nil
      return
    }
    guard values.range.areNoDegrees,
      let first = degreeFindings.first(where: { $0.code == .beyondRange })
    else {
      for finding in degreeFindings {
        emit(
          finding.code, finding.message, at: finding.offset, path: finding.path,
          position: finding.position)
      }
      return
    }
    let guesses = SystemGuess.all(for: values.range.box)
    let what =
      CountText.are(values.range.beyondCount, of: values.range.count, "position", "positions")
      + " beyond the range of degrees"
    if guesses.isEmpty {
      emit(.noDegrees, what, at: first.offset, path: "$")
    } else {
      emit(
        .otherSystem, what + "; they fit " + guesses.map(\.words).joined(separator: ", or "),
        at: first.offset, path: "$")
    }
  }

  /// A number with at most four decimals.
  static func short(_ value: Double) -> String {
    guard value.magnitude < 1e15 else { return "\(value)" }
    let rounded = (value * 1e4).rounded() / 1e4
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
