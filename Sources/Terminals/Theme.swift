/// The colours of the parts of the screen and of marks, on either ground.
package enum ThemePalette: String, Hashable, Sendable, CaseIterable {
  /// Quiet parts of the screen, layers as they are styled.
  case standard
  /// High contrast: 7 to 1 (WCAG 2.2, 1.4.6) for texts and lines.
  case contrast
  /// Colours that colour-blind eyes tell apart (Okabe and Ito, 2008).
  case safe
  /// No colours: bold, reverse, signs and patterns.
  case mono
}

/// A theme by its name: a palette, and a ground or that of the terminal.
package struct Theme: Hashable, Sendable {
  package let palette: ThemePalette
  /// The ground; `nil` for the terminal's own.
  package let ground: Ground?

  /// All themes, in the order of help and completion.
  package static let all =
    Ground.allCases.map { Theme(palette: .standard, ground: $0) }
    + [.contrast, .safe, .mono].map { Theme(palette: $0, ground: nil) }
    + [.contrast, .safe].flatMap { palette in
      Ground.allCases.map { Theme(palette: palette, ground: $0) }
    }

  package init(palette: ThemePalette, ground: Ground?) {
    self.palette = palette
    self.ground = ground
  }

  /// The theme of a name; `nil` for none.
  package init?(_ name: String) {
    guard let named = Theme.all.first(where: { $0.name == name }) else { return nil }
    self = named
  }

  /// `dark`, `light`, `contrast`, `safe` or `mono`; `dark-contrast` and the like.
  package var name: String {
    let words = [ground?.rawValue, palette == .standard ? nil : palette.rawValue]
    return words.compactMap { $0 }.joined(separator: "-")
  }

  /// The theme in words.
  package var words: String {
    let own = ground.map { "a \($0.rawValue) terminal" } ?? "this terminal"
    return switch palette {
    case .standard: "colours for \(own)"
    case .contrast: "high contrast for \(own)"
    case .safe: "colours for colour-blind eyes and \(own)"
    case .mono: "no colours"
    }
  }
}

extension ScreenCapabilities {
  /// Shows a theme; without a ground of its own, on the present one.
  package mutating func apply(_ theme: Theme) {
    palette = theme.palette
    if let ground = theme.ground { self.ground = ground }
  }
}
