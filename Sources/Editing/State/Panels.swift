/// The panels beside the map that are shown.
package struct Panels: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let layers = Panels(rawValue: 1)
  package static let legend = Panels(rawValue: 2)
  package static let overview = Panels(rawValue: 4)
  /// The attributes of the selected feature.
  package static let info = Panels(rawValue: 8)

  /// All panels.
  package static let all: Panels = [.layers, .legend, .overview, .info]
}
