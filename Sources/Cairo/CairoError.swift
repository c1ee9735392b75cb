/// Why a picture could not be drawn by cairo.
package enum CairoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A library is not installed, or too old; with its file name.
  case missing(library: String)
  /// There are no fonts for texts.
  case noFonts
  /// Cairo refused, in its own words.
  case failed(String)

  package var description: String {
    switch self {
    case .missing(let library):
      "PNG and PDF need \(library): apt-get install \(Self.packages)"
    case .noFonts: "PNG and PDF need a font: apt-get install fonts-dejavu-core"
    case .failed(let words): "the picture could not be drawn: \(words)"
    }
  }

  /// The packages of Debian that hold what is needed.
  private static let packages = "libcairo2 libpangocairo-1.0-0 fonts-dejavu-core"
}
