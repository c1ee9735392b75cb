import PortolanCairo

/// The libraries that draw PNG and PDF: without them, tests are skipped.
enum Cairo {
  static let isInstalled = (try? CairoSurface(width: 1, height: 1)) != nil

  /// The names of formats that can be drawn here.
  static func usable(_ formats: [String]) -> [String] {
    formats.filter { isInstalled || !["png", "pdf", "kitty", "sixel"].contains($0) }
  }
}
