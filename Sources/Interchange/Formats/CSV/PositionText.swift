import PortolanGraphics

/// Positions as tables write them: decimal numbers, or degrees, minutes and seconds (`AngleText`).
enum PositionText {
  /// The axis of a number.
  enum Axis { case x, y }

  static func decimal(_ text: String) -> Double? { AngleText.decimal(text) }

  /// A decimal number, or degrees of the axis; `nil` for others, and for letters of the other axis.
  static func ordinate(_ text: String, _ axis: Axis) -> Double? {
    if let number = decimal(text) { return number }
    guard let found = AngleText.angle(text) else { return nil }
    if let side = found.side, side.isLatitude != (axis == .y) { return nil }
    return found.degrees.magnitude <= (axis == .y ? 90 : 180) ? found.degrees : nil
  }

  /// A pair in one text, latitude first unless letters tell otherwise: `(37.8, -122.4)`.
  ///
  /// - Returns: the position, and the texts of x and y.
  static func point(_ text: String) -> (place: Coordinate, texts: [String])? {
    guard text.utf8.count <= AngleText.lengthMax else { return nil }
    let brackets: Set<Unicode.Scalar> = ["(", ")", "[", "]"]
    let inner = String(text.unicodeScalars.filter { !brackets.contains($0) })
    let plain = AngleText.halves(of: inner).lazy.compactMap { point($0, areLettered: false) }
    return plain.first
      ?? AngleText.halvesBesideLetters(of: inner).lazy
      .compactMap { point($0, areLettered: true) }.first
  }

  /// - Parameter areLettered: whether both have to have the letter of a side.
  private static func point(
    _ parts: [String], areLettered: Bool
  ) -> (place: Coordinate, texts: [String])? {
    let angles = parts.compactMap { part in
      decimal(part).map { AngleText.Angle(degrees: $0) } ?? AngleText.angle(part)
    }
    guard angles.count == 2 else { return nil }
    let (one, other) = (angles[0].side, angles[1].side)
    if areLettered, one == nil || other == nil { return nil }
    if let one, let other, one.isLatitude == other.isLatitude { return nil }
    let isTurned = one.map { !$0.isLatitude } ?? other?.isLatitude ?? false
    let (y, x) = isTurned ? (angles[1], angles[0]) : (angles[0], angles[1])
    return (Coordinate(x: x.degrees, y: y.degrees), isTurned ? parts : parts.reversed())
  }
}
