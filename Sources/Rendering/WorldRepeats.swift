import PortolanGraphics
import PortolanTerminals

/// The treatment of the copies of the world beside the first one, if the window is wider than it.
package enum WorldRepeats: Hashable, Sendable {
  case shown
  /// Fainter than the world itself, without labels and areas.
  case dimmed
  /// The world is drawn once.
  case hidden
}

extension Camera {
  /// Whether the window is wider than the world.
  package var showsRepeats: Bool { worldColumns != 0..<size.columns }

  /// The columns that show the world once, centred; all columns if the window is no wider than the
  /// world.
  package var worldColumns: Range<Int> {
    guard plane.repeats, Double(dotWidth) > worldDots + 2 else { return 0..<size.columns }
    let middle = Double(size.columns)
    let first = Int(((middle - worldDots / 2) / 2).rounded())
    let end = Int(((middle + worldDots / 2) / 2).rounded())
    return max(0, first)..<min(size.columns, max(first + 1, end))
  }

  /// The cells of the antimeridian: its columns, and the rows of the world.
  package var antimeridian: (columns: [Int], rows: Range<Int>) {
    let extent = plane.extent
    guard plane.repeats, let top = dot(at: Coordinate(x: 180, y: extent.maxY)),
      let bottom = dot(at: Coordinate(x: 180, y: extent.minY))
    else { return ([], 0..<0) }
    let columns = [-1.0, 0, 1].map { ((top.x + $0 * worldDots) / 2).rounded(.down) }
      .filter { $0 >= 0 && $0 < Double(size.columns) }
    return (columns.map { Int($0) }, rows(from: top.y, to: bottom.y))
  }

  /// The rows that show the world.
  package var worldRows: Range<Int> {
    let extent = plane.extent
    guard plane.isGeographic, let top = dot(at: Coordinate(x: center.x, y: extent.maxY)),
      let bottom = dot(at: Coordinate(x: center.x, y: extent.minY))
    else { return 0..<size.rows }
    return rows(from: top.y, to: bottom.y)
  }

  /// The rows of the window between two dots.
  private func rows(from top: Double, to bottom: Double) -> Range<Int> {
    let first = min(max(0, (top / 4).rounded(.down)), Double(size.rows))
    let end = min(max(first, (bottom / 4).rounded(.up)), Double(size.rows))
    return Int(first)..<Int(end)
  }
}

extension CellStyle {
  /// The style of the same mark in a repeat of the world.
  func dimmed(_ depth: ColourDepth) -> CellStyle {
    guard depth > .sixteen, !foreground.isStandard else {
      // A few colours have no fainter shades: terminals show them dim if they can.
      return CellStyle(foreground: foreground, attributes: .dim)
    }
    func faint(_ level: UInt8) -> UInt8 {
      let grey = 0x60
      return UInt8(clamping: grey + (Int(level) - grey) * 2 / 5)
    }
    return CellStyle(
      foreground: TerminalColour(
        red: faint(foreground.red), green: faint(foreground.green), blue: faint(foreground.blue)))
  }
}
