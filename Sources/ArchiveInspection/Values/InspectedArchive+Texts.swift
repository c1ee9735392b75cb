import PortolanTexts

/// The texts of an archive.
extension InspectedArchive {
  /// Writes the texts of the strings and attributed strings at the root, or at a path, each with a
  /// line feed behind it.
  ///
  /// - Parameter isSafe: whether nothing of a text may act on a terminal.
  /// - Returns: the first broken place; `nil` where all could be read.
  /// - Throws: `InspectionError` where there is none.
  package func writeTexts(
    at path: InspectionPath, isSafe: Bool, to output: TextOutput
  ) throws -> String? {
    var sink = ValueSink(output, byteCount: header.byteCount)
    for text in try texts(at: path, noting: &sink) {
      try sink.output.write((isSafe ? Self.safe(text) : text) + "\n")
    }
    try sink.output.flush()
    return firstBroken ?? sink.firstBroken
  }

  /// The texts at the root, or at a path; what is no valid text is noted.
  ///
  /// - Throws: `InspectionError` where there is none.
  func texts(at path: InspectionPath, noting sink: inout ValueSink) throws -> [String] {
    try requireObjects()
    let shaper = ValueShaper(self)
    let isOne = !path.steps.isEmpty || header.format == .propertyList
    let values =
      try isOne ? [value(at: path)] : (0..<valueCount(of: top)).map { value($0, of: top) }
    let texts = values.compactMap { shaper.text(of: $0) }
    guard !texts.isEmpty else {
      throw InspectionError(
        .unsupported,
        "there is no string or attributed string at "
          + (path.steps.isEmpty
            ? "the root: give --path, or --values for all values" : "this path"))
    }
    for text in texts { sink.note(text) }
    return texts.map(\.text)
  }

  /// A text of several lines in which nothing can act on a terminal.
  static func safe(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { DisplayWidth.sanitised(String($0)) }.joined(separator: "\n")
  }
}

extension ValueShaper {
  /// The text that a value is, or that an attributed string has; `nil` for other values.
  func text(of value: InspectedValue) -> InspectedArchive.Text? {
    var leaf = value
    if case .node(let node) = value {
      switch shape(of: node).form {
      case .leaf(let found), .attributedText(let found): leaf = found
      case .array, .record, .dictionary, .set, .orderedSet, .countedSet, .object, .broken, .null,
        .words, .decimal, .seconds:
        return nil
      }
    }
    return archive.isText(leaf) ? archive.text(of: leaf) : nil
  }
}
