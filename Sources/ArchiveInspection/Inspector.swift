/// What is shown of an archive.
package enum InspectionForm: String, Sendable {
  case tree, json, raw, statistics, statisticsJSON
}

/// Shows what an archive holds, in one of several forms.
package struct Inspector {
  package let archive: InspectedArchive

  package init(_ archive: InspectedArchive) { self.archive = archive }

  /// Writes an archive, or what a path leads to, in a form.
  ///
  /// - Returns: the first broken place of the archive; as it stands in the file it may have broken
  ///   parts that nothing leads to.
  @discardableResult
  package func write(
    _ form: InspectionForm, at path: InspectionPath, _ options: TreeOptions, to output: TextOutput
  ) throws -> String? {
    switch form {
    case .tree: try writeTree(at: path, options, to: output)
    case .json:
      try archive.requireSurvey()
      var writer = InspectionJSON(archive, output)
      if path.steps.isEmpty {
        try writer.writeAll()
      } else {
        try writer.write(archive.value(at: path), path: path)
      }
    case .raw:
      guard archive.header.format != .bookmark else {
        throw InspectionError(
          .unsupported, "a bookmark is shown by the meaning of its items only: --json tells all")
      }
      var writer = RawWriter(archive, output, hasColours: options.hasColours)
      try writer.writeAll()
      if let broken = writer.firstBroken {
        try archive.checkSource()
        return archive.firstBroken ?? broken
      }
    case .statistics:
      try archive.requireSurvey()
      try InspectionStatistics(archive).write(options, to: output)
    case .statisticsJSON:
      try archive.requireSurvey()
      try InspectionStatistics(archive).writeJSON(to: output)
    }
    try archive.checkSource()
    if let broken = archive.unsurveyed?.firstBroken { return broken }
    return archive.brokenCount > 0 ? archive.firstBroken ?? "broken" : nil
  }

  /// Writes the header and the tree.
  package func writeTree(_ options: TreeOptions, to output: TextOutput) throws {
    var writer = TreeWriter(archive, options, output)
    for entry in headerLines(isStable: options.isStable) {
      writer.line.add(entry.name, .faint)
      writer.line.pad(to: 10)
      writer.line.add(entry.text, entry.name == "note" ? .broken : .plain)
      try writer.end()
    }
    try writer.end()
    try writer.writeAll()
    try writer.output.flush()
  }

  /// Writes the value at a path, with all that it leads to.
  package func writeTree(
    at path: InspectionPath, _ options: TreeOptions, to output: TextOutput
  ) throws {
    if path.steps.isEmpty { return try writeTree(options, to: output) }
    let (value, label) = try archive.find(path)
    guard label != nil else { return try writeTree(options, to: output) }
    var writer = TreeWriter(archive, options, output)
    try writer.write(value, label: label)
    try writer.output.flush()
  }

  /// What stands above the tree, one entry a line.
  func headerLines(isStable: Bool) -> [(name: String, text: String)] {
    let header = archive.header
    var lines = [("format", isStable ? stableFormat : header.words)]
    if !isStable {
      var written: [String] = []
      if let archiver = header.archiver { written.append("by \(archiver)") }
      if let order = header.byteOrder { written.append("on a \(order)-endian machine") }
      if let system = header.systemVersion { written.append("system version \(system)") }
      if let version = header.version { written.append("version \(version)") }
      if !written.isEmpty { lines.append(("written", written.joined(separator: ", "))) }
      lines.append(("size", sizeWords))
    }
    if !header.otherEntries.isEmpty {
      lines.append(("besides", header.otherEntries.prefix(12).joined(separator: ", ")))
    }
    for note in header.notes { lines.append(("note", note)) }
    if archive.brokenCount > 0 {
      let places = InspectionText.count(archive.brokenCount, "place")
      lines.append(("note", "\(places) broken, the first: \(archive.firstBroken ?? "?")"))
    }
    return lines
  }

  private var stableFormat: String {
    switch archive.header.format {
    case .keyed: "keyed archive"
    case .propertyList: "property list"
    default: archive.header.words
    }
  }

  private var sizeWords: String {
    if archive.unsurveyed != nil {
      let count = archive.objectCount
      return InspectionText.count(archive.header.byteCount, "byte")
        + (count > 0 ? ", " + InspectionText.count(count, "numbered object") : "")
    }
    let kinds = archive.nodes.reduce(into: (objects: 0, strings: 0)) { counts, node in
      switch node.kind {
      case .object: counts.objects += 1
      case .bare: counts.strings += 1
      default: break
      }
    }
    var words = [InspectionText.count(archive.header.byteCount, "byte")]
    switch archive.header.format {
    case .propertyList, .bookmark:
      words.append(InspectionText.count(archive.nodes.count, "container"))
    default:
      words.append(InspectionText.count(kinds.objects, "object"))
      if kinds.strings > 0 { words.append(InspectionText.count(kinds.strings, "bare value")) }
      words.append(InspectionText.count(archive.classes.count, "class", "classes"))
    }
    words.append(InspectionText.count(archive.depth, "level"))
    return words.joined(separator: ", ")
  }
}
