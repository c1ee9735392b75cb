import Archiving

/// A file of any kind that can be shown: one with objects, or a list of items.
package enum InspectedFile: Sendable {
  case archive(InspectedArchive)
  case gnustep(GNUstepInspection)

  /// Reads a file, as far as a form of showing it needs it.
  ///
  /// - Throws: `InspectionError` when its kind is not known, or it is broken beyond reading.
  package init(_ bytes: [UInt8], for form: InspectionForm = .tree) throws {
    self =
      GNUstepArchive.recognises(bytes)
      ? .gnustep(try GNUstepInspection(bytes))
      : .archive(try InspectedArchive(graphOf: bytes, isRaw: form == .raw))
  }

  /// How many bytes the file has.
  package var byteCount: Int {
    switch self {
    case .archive(let archive): archive.header.byteCount
    case .gnustep(let inspection): inspection.byteCount
    }
  }

  /// The first place that is broken; `nil` when all could be read.
  package var firstBroken: String? {
    guard case .archive(let archive) = self, archive.brokenCount > 0 else { return nil }
    return archive.firstBroken ?? "broken"
  }

  /// Writes it, or what a path leads to, in a form; returns the first broken place.
  @discardableResult
  package func write(
    _ form: InspectionForm, at path: InspectionPath, _ options: TreeOptions, to output: TextOutput
  ) throws -> String? {
    switch self {
    case .archive(let archive):
      return try Inspector(archive).write(form, at: path, options, to: output)
    case .gnustep(let inspection):
      // Levels and paths are those of the objects, whose ends are known for known classes.
      if form == .tree || form == .json, !path.steps.isEmpty || options.depthMax != nil {
        return try Inspector(archiveWithObjects()).write(form, at: path, options, to: output)
      }
      try inspection.write(form, at: path, options, to: output)
      return nil
    }
  }

  /// Writes what differs from another file; returns how many differences there are.
  ///
  /// - Parameter columns: the width to which texts are cut; `nil` to leave them whole.
  /// - Throws: `InspectionError` when the files are of different kinds.
  package func compare(
    with other: InspectedFile, names: (String, String), form: ArchiveDifference.Form,
    hasColours: Bool, columns: Int? = 80,
    send: @escaping ([UInt8]) throws -> Void
  ) throws -> Int {
    switch (self, other) {
    case (.archive(let first), .archive(let second)):
      var difference = ArchiveDifference(
        first, second, names: names, form: form, hasColours: hasColours, columns: columns,
        send: send)
      return try difference.write()
    case (.gnustep(let first), .gnustep(let second)):
      var difference = try GNUstepDifference(
        first, second, names: names, form: form, hasColours: hasColours, columns: columns,
        send: send)
      return try difference.write()
    default:
      throw InspectionError(
        .usage, "a GNUstep archive can be compared with another GNUstep archive only")
    }
  }
}
