import ArgumentParser
package import PortolanGraphics

/// A colour on the command line: `#rrggbb`, a name, or `none`.
package struct ColourArgument: ExpressibleByArgument, Hashable, Sendable {
  private let text: String

  package init(argument: String) { text = argument }

  /// The colour; `nil` for none.
  ///
  /// - Throws: `EditingError` if there is no such colour.
  package func colour() throws -> Colour? {
    if text == "none" { return nil }
    let hex = Self.names.first { $0.name == text.lowercased() }?.hex ?? text
    if let colour = Colour(hex: hex) { return colour }
    let names = Self.names.map(\.name).joined(separator: ", ")
    throw EditingError(
      .usage, "“\(text)” is no colour: write #rrggbb, as in #d62728, none, or one of \(names)")
  }

  package static var allValueStrings: [String] { names.map(\.name) + ["none"] }

  private static let names: [(name: String, hex: String)] = [
    ("black", "#000000"), ("white", "#ffffff"), ("grey", "#808080"), ("red", "#d62728"),
    ("orange", "#e69f00"), ("yellow", "#f0e442"), ("green", "#2ca02c"), ("teal", "#009e73"),
    ("cyan", "#56b4e9"), ("blue", "#0072b2"), ("purple", "#9467bd"), ("pink", "#cc79a7"),
    ("brown", "#8c564b"),
  ]
}
