import ArgumentParser
package import Graphics

/// A colour on the command line: `#rrggbb`, a name, or `none`.
package struct ColourArgument: ExpressibleByArgument, Hashable, Sendable {
  /// `nil` for none.
  package var colour: Colour?

  package init?(argument: String) {
    if argument == "none" { return }
    let text = Self.names.first { $0.name == argument.lowercased() }?.hex ?? argument
    guard let colour = Colour(hex: text) else { return nil }
    self.colour = colour
  }

  package static var allValueStrings: [String] { names.map(\.name) + ["none"] }

  private static let names: [(name: String, hex: String)] = [
    ("black", "#000000"), ("white", "#ffffff"), ("grey", "#808080"), ("red", "#d62728"),
    ("orange", "#e69f00"), ("yellow", "#f0e442"), ("green", "#2ca02c"), ("teal", "#009e73"),
    ("cyan", "#56b4e9"), ("blue", "#0072b2"), ("purple", "#9467bd"), ("pink", "#cc79a7"),
    ("brown", "#8c564b"),
  ]
}
