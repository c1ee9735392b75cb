import ArgumentParser
import PortolanCartography
import PortolanGraphics

/// How much detail of lines is to stay: a share, or the size below which detail goes.
package struct DetailArgument: Hashable, Sendable {
  enum Size: Hashable, Sendable {
    /// Of the vertices that could go, 0 to 1.
    case share(Double)
    /// Metres.
    case metres(Double)
    /// The units of the plane.
    case units(Double)
  }

  var size: Size

  private static let units: [(name: String, metres: Double, isArea: Bool)] = [
    ("km2", 1000, true), ("km²", 1000, true), ("m2", 1, true), ("m²", 1, true),
    ("km", 1000, false), ("m", 1, false),
  ]

  /// The argument in a word; `nil` if it is none.
  init?(_ word: String) {
    func number(_ text: some StringProtocol) -> Double? {
      guard text.utf8.first.map({ (0x30...0x39).contains($0) || $0 == 0x2E }) ?? false,
        let value = Double(text), value.isFinite
      else { return nil }
      return value
    }
    if word.hasSuffix("%") {
      guard let share = number(word.dropLast()), share <= 100 else { return nil }
      size = .share(share / 100)
    } else if let unit = Self.units.first(where: { word.hasSuffix($0.name) }) {
      guard let value = number(word.dropLast(unit.name.count)) else { return nil }
      size = .metres((unit.isArea ? value.squareRoot() : value) * unit.metres)
    } else if let value = number(word) {
      size = .units(value)
    } else {
      return nil
    }
  }

  /// A share: `10%`, or `0.1`.
  static func readShare(_ word: String) throws -> DetailArgument {
    var argument = DetailArgument(word)
    if case .units(let share) = argument?.size, share <= 1 { argument?.size = .share(share) }
    guard let argument, case .share = argument.size else {
      throw ValidationError("“\(word)” is no share: give it as 10%")
    }
    return argument
  }

  /// A length or an area: `500m`, `2km`, `0.5km2`, or `25` in the units of a plane.
  static func readTolerance(_ word: String) throws -> DetailArgument {
    guard let argument = DetailArgument(word) else {
      throw ValidationError("“\(word)” is no length: give it as 500m, 2km or 0.5km2")
    }
    if case .share = argument.size {
      throw ValidationError("“\(word)” is a share: give --keep \(word)")
    }
    return argument
  }

  /// The amount for maps in degrees or in a plane.
  ///
  /// - Throws: where the unit is not that of the map.
  func amount(isGeographic: Bool) throws -> SimplifyRule.Amount {
    switch size {
    case .share(let share): return .share(share)
    case .metres(let length):
      if isGeographic { return .length(length) }
      throw EditingError(
        .usage, "the coordinates are planar: give the size in their units, without m or km")
    case .units(let length):
      if !isGeographic { return .length(length) }
      throw EditingError(.usage, "the coordinates are degrees: give the size as 500m or 2km")
    }
  }
}

/// The size of a picture in pixels: `1000`, or `1000x600`.
package struct ResolutionArgument: Hashable, Sendable {
  var width: Int
  var height: Int?

  static func read(_ word: String) throws -> ResolutionArgument {
    let parts = word.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let width = parts[0], (1...1_000_000).contains(width),
      parts.count == 1 || parts[1].map({ (1...1_000_000).contains($0) }) ?? false
    else { throw ValidationError("“\(word)” is no resolution: give it as 1000 or 1000x600") }
    return ResolutionArgument(width: width, height: parts.count > 1 ? parts[1] : nil)
  }

  /// The length of a pixel of a picture of a box, in metres on the globe, else in units.
  func pixel(of box: Box, isGeographic: Bool) -> Double {
    let degree = isGeographic ? 6_371_008.8 * .pi / 180 : 1
    let scale = isGeographic ? Mathematics.cosine(box.center.y * .pi / 180) : 1
    let across = box.width * degree * scale / Double(width)
    return height.map { max(across, box.height * degree / Double($0)) } ?? across
  }
}
