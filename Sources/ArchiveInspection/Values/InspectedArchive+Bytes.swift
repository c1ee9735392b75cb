/// The bytes of one value.
extension InspectedArchive {
  /// Writes the bytes of the data at a path, or the text of a string there, and nothing else.
  ///
  /// - Parameter isSafe: whether the output is a terminal: a text may not act on it then, and data
  ///   are refused.
  /// - Throws: `InspectionError` where another value is at the path.
  package func extract(
    at path: InspectionPath, isSafe: Bool, to output: TextOutput
  ) throws {
    try requireObjects()
    let value = try value(at: path)
    var output = output
    switch ValueShaper(self).leaf(of: value) {
    case .data(let range)?:
      guard !isSafe else {
        throw InspectionError(.usage, "the terminal would act on data: give -o FILE, or --hex")
      }
      try output.write(self, range)
    case let leaf?:
      guard let text = text(of: leaf)?.text else { throw noBytes(value) }
      try output.write(isSafe ? Self.safe(text) : text)
    case nil: throw noBytes(value)
    }
    try output.flush()
  }

  /// Writes the data at a path, or the text of a string there in UTF-8, as hexadecimal digits and
  /// ASCII, sixteen bytes a line.
  package func writeHexDump(at path: InspectionPath, to output: TextOutput) throws {
    try requireObjects()
    let value = try value(at: path)
    var output = output
    switch ValueShaper(self).leaf(of: value) {
    case .data(let range)?:
      for start in stride(from: 0, to: range.count, by: 16) {
        let first = range.lowerBound + start
        let bytes = slice(first..<min(first + 16, range.upperBound))
        try output.write(Self.hexLine(bytes[...], at: start))
      }
    case let leaf?:
      guard let text = text(of: leaf)?.text else { throw noBytes(value) }
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: 16) {
        try output.write(Self.hexLine(bytes[start..<min(start + 16, bytes.count)], at: start))
      }
    case nil: throw noBytes(value)
    }
    try output.flush()
  }

  private func noBytes(_ value: InspectedValue) -> InspectionError {
    InspectionError(
      .usage,
      "there is \(kindName(value)) at the path: --extract and --hex want data or a string")
  }

  /// `00000010  62 70 6c 69 73 74 30 30  d1 01 02 …  |bplist00….|`
  static func hexLine(_ bytes: ArraySlice<UInt8>, at offset: Int) -> String {
    var line = InspectionText.hexadecimal(UInt64(clamping: offset), digits: 8) + " "
    for place in 0..<16 {
      if place == 8 { line += " " }
      guard place < bytes.count else {
        line += "   "
        continue
      }
      let index = bytes.startIndex + place
      line += " " + InspectionText.hexadecimal(bytes[index...index])
    }
    let signs = bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }
    return line + "  |" + String(decoding: signs, as: UTF8.self) + "|\n"
  }
}

extension ValueShaper {
  /// The text or data that a value is, or that it has as an attributed string; `nil` for others.
  func leaf(of value: InspectedValue) -> InspectedValue? {
    var leaf = value
    if case .node(let node) = value {
      switch shape(of: node).form {
      case .leaf(let found), .attributedText(let found): leaf = found
      default: return nil
      }
    }
    switch leaf {
    case .data, .ascii, .utf16, .symbol, .cString: return leaf
    case .bytes(let range): return archive.isText(leaf) ? leaf : .data(range)
    default: return nil
    }
  }
}

extension TextOutput {
  /// Writes bytes of an archive as they are, in pieces.
  mutating func write(_ archive: InspectedArchive, _ range: Range<Int>) throws {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
      try write(archive.slice(start..<min(start + (1 << 16), range.upperBound)))
    }
  }
}
