import PortolanTerminals

/// A file as resolved values.
extension InspectedFile {
  /// The name of the form, which changes with it.
  package static let valuesSchema = "portolan-values/1"

  /// Writes the values of a file, or the one that a path leads to, as one JSON object on a line.
  ///
  /// - Returns: the first broken place; `nil` where all could be read.
  /// - Throws: `InspectionError` for a GNUstep archive with objects of classes that are not known,
  ///   because it does not tell where their objects end.
  @discardableResult
  package func writeValues(
    at path: InspectionPath, _ options: ValueOptions, to output: TextOutput
  ) throws -> String? {
    let archive = try archiveWithObjects()
    let root = try archive.value(at: path)
    var writer = try ValueWriter(archive, options, root: root)
    var sink = ValueSink(output, byteCount: archive.header.byteCount)
    var head = "{\"schema\":\"\(Self.valuesSchema)\""
    if let digest = options.digest {
      head += ",\"sha256\":\"\(InspectionText.hexadecimal(digest))\""
    }
    head += ",\"format\":\"\(archive.header.format.rawValue)\""
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

  /// The graph of objects; that of a GNUstep archive is made of the classes that are known.
  func archiveWithObjects() throws -> InspectedArchive {
    switch self {
    case .archive(let archive): archive
    case .gnustep(let inspection): try GNUstepResolver.archive(inspection.archive)
    }
  }
}
