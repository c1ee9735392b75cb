/// The text of a map as it is checked: in UTF-8, whatever the file is.
package struct MapText: Sendable {
  /// The text in UTF-8.
  package var bytes: [UInt8]
  /// The name of the file's encoding, if it is another one.
  package var encoding: String?

  /// Finds the encoding by the first bytes, and converts to UTF-8.
  package init(_ file: [UInt8]) {
    let head = Array(file.prefix(4))
    let wide: (name: String, size: Int, isBig: Bool, start: Int)? =
      switch head {
      case [0xFF, 0xFE, 0, 0]: ("UTF-32", 4, false, 4)
      case [0, 0, 0xFE, 0xFF]: ("UTF-32", 4, true, 4)
      case let head where head.starts(with: [0xFF, 0xFE]): ("UTF-16", 2, false, 2)
      case let head where head.starts(with: [0xFE, 0xFF]): ("UTF-16", 2, true, 2)
      case let head where head.count == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0:
        ("UTF-16", 2, true, 0)
      case let head where head.count == 4 && head[0] != 0 && head[1] == 0 && head[3] == 0:
        head[2] == 0 ? ("UTF-32", 4, false, 0) : ("UTF-16", 2, false, 0)
      default: nil
      }
    guard let wide else {
      bytes = file
      return
    }
    encoding = wide.name
    bytes = Self.converted(file, wide.size, isBig: wide.isBig, from: wide.start)
  }

  private static func converted(
    _ file: [UInt8], _ size: Int, isBig: Bool, from start: Int
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(file.count)
    var high: UInt32 = 0
    func append(_ code: UInt32) {
      let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
      text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    var at = start
    while at + size <= file.count {
      var unit: UInt32 = 0
      for offset in 0..<size {
        let byte = UInt32(file[at + (isBig ? offset : size - 1 - offset)])
        unit = unit << 8 | byte
      }
      at += size
      if size == 4 {
        append(unit)
        continue
      }
      if unit & 0xFC00 == 0xDC00, high != 0 {
        append(0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF)
        high = 0
        continue
      }
      if high != 0 { append(high) }
      high = 0
      if unit & 0xFC00 == 0xD800 { high = unit } else { append(unit) }
    }
    if high != 0 { append(high) }
    return text
  }

  /// Checks the text; a file in another encoding has that as its first finding.
  package func check(
    _ options: CheckOptions, progress: (Double) throws -> Void = { _ in }
  ) throws -> CheckedText {
    var checked = try bytes.withUnsafeBufferPointer {
      try GeoJSONCheck.check($0, options, progress: progress)
    }
    if let encoding, options.choice.contains(.wideEncoding) {
      var finding = Finding(
        .wideEncoding, "the file is in \(encoding); GeoJSON is in UTF-8", offset: 0, path: "$")
      finding.place = TextPlace(line: 1, column: 1)
      checked.list.findings.insert(finding, at: 0)
    }
    return checked
  }
}
