package import PortolanDocuments

/// What a file held.
package struct ImportResult: Sendable {
  /// From the bottom up.
  package var layers: [any Layer]
  package var report: ImportReport
  /// What the coordinates are.
  package var coordinateSystem: CoordinateSystem
  /// Whether the file leaves that open: its coordinates may be of any system.
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

  /// What people should know of the file, one sentence each; another system than WGS 84 first.
  package var notices: [String] {
    let notes = report.notes.filter { $0.code != .assumedDegrees }
    guard let notice = coordinateSystem.notice else { return notes.map(\.text) }
    return [notice] + notes.filter { $0.code != .crsKept }.map(\.text)
  }

  /// What people should know where longitude and latitude are no more than likely.
  package var assumption: String? { report[.assumedDegrees]?.text }
}
