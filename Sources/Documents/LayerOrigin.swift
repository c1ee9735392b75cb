import Archiving

/// Where the features of a layer were read: the line that was imported, and how.
///
/// Nothing is read again because a document says so: a person asks for it and sees the line first.
package struct LayerOrigin: Hashable, Sendable {
  /// The absolute path of a file, or the line of a database without its password.
  package var source: String
  /// The options of `import`, as words of its command line: `--layers=towns`.
  package var options: [String]

  package init(source: String, options: [String] = []) {
    (self.source, self.options) = (source, options)
  }

  /// The line for people.
  package var text: String { ([source] + options).joined(separator: " ") }
}

/// A layer that keeps where its features were read.
package protocol OriginKeeping: BlockHolding {
  var origin: LayerOrigin? { get set }
}

extension OriginKeeping {
  func encodeOrigin(with coder: any EncodingCoder) throws {
    guard let origin else { return }
    try coder.encodeStrings([origin.source] + origin.options, forKey: "origin")
  }

  mutating func decodeOrigin(with coder: any DecodingCoder) throws {
    let words = try coder.decodeStringsIfPresent(forKey: "origin") ?? []
    origin = words.first.map { LayerOrigin(source: $0, options: Array(words.dropFirst())) }
  }
}
