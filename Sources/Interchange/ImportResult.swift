package import PortolanDocuments

/// The contents of a file.
package struct ImportResult: Sendable {
  /// The layers, from the bottom up.
  package var layers: [any Layer]
  package var report: ImportReport
  /// The coordinate system.
  package var coordinateSystem: CoordinateSystem
  /// Whether the file does not name it: its coordinates may be of any system.
  package var isSystemAssumed: Bool

  package init(
    layers: [any Layer], report: ImportReport, coordinateSystem: CoordinateSystem = .crs84,
    isSystemAssumed: Bool = false
  ) {
    self.layers = layers
    self.report = report
    self.coordinateSystem = coordinateSystem
    self.isSystemAssumed = isSystemAssumed
  }

  /// The notices about the file, one sentence each; a system other than WGS 84 first.
  package var notices: [String] {
    let notes = report.notes.filter { $0.code != .assumedDegrees }
    guard let notice = coordinateSystem.notice else { return notes.map(\.text) }
    return [notice] + notes.filter { $0.code != .crsKept }.map(\.text)
  }

  /// The notices that are told without being asked.
  package var warnings: [String] { report.notes.filter(\.code.isWarning).map(\.text) }

  /// The notice if longitude and latitude are only likely.
  package var assumption: String? { report[.assumedDegrees]?.text }
}
