import PortolanTexts

/// An archive as resolved values.
extension InspectedArchive {
  /// The name of the form, which changes with it.
  package static let valuesSchema = "portolan-values/1"

  /// Writes the values of an archive, or the one that a path leads to, as one JSON object on one
  /// line.
  ///
  /// - Returns: the first broken place; `nil` where all could be read.
  /// - Throws: `InspectionError` for a GNUstep archive with objects of classes that are not known,
  ///   because it does not tell where their objects end.
  @discardableResult
  package func writeValues(
    at path: InspectionPath, _ options: ValueOptions, to output: TextOutput
  ) throws -> String? {
    try requireObjects()
    let root = try value(at: path)
    var writer = try ValueWriter(self, options, root: root)
    var sink = ValueSink(output, byteCount: header.byteCount)
    var head = "{\"schema\":\"\(Self.valuesSchema)\""
    if let digest = options.digest {
      head += ",\"sha256\":\"\(InspectionText.hexadecimal(digest))\""
    }
    head += ",\"format\":\"\(header.format.rawValue)\""
    try sink.output.write(head)
    if path.steps.isEmpty {
      try sink.output.write(",\"roots\":")
      try writer.writeRoots(to: &sink)
    } else {
      let steps = path.steps.map { "/" + InspectionPath.escaped($0) }.joined()
      try sink.output.write(",\"path\":\(SafeJSON.string(steps)),\"value\":")
      try writer.write(root, to: &sink)
    }
    try sink.output.write("}\n")
    try sink.output.flush()
    return firstBroken ?? sink.firstBroken
  }

  /// Throws where it is not known where objects end, and names the first class that is not known.
  func requireObjects() throws {
    guard let unresolved else { return }
    throw InspectionError(
      .unsupported,
      "\(unresolved): a GNUstep archive does not tell where its objects end, and only those of "
        + "Foundation's value classes are resolved; --json shows its items")
  }
}
