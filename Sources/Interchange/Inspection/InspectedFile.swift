import Archiving

/// A file of any kind that can be shown: one with objects, or a list of items.
package enum InspectedFile: Sendable {
  case archive(InspectedArchive)
  case gnustep(GNUstepInspection)

  /// Reads a file.
  ///
  /// - Throws: `InspectionError` when its kind is not known, or it is broken beyond reading.
  package init(_ bytes: [UInt8]) throws {
    self =
      GNUstepArchive.recognises(bytes)
      ? .gnustep(try GNUstepInspection(bytes)) : .archive(try InspectedArchive(bytes))
  }

  /// The first place that is broken; `nil` when all could be read.
  package var firstBroken: String? {
    guard case .archive(let archive) = self, archive.brokenCount > 0 else { return nil }
    return archive.firstBroken ?? "broken"
  }

  /// Writes it, or what a path leads to, in a form.
  package func write(
    _ form: InspectionForm, at path: InspectionPath, _ options: TreeOptions, to output: TextOutput
  ) throws {
    switch self {
    case .archive(let archive):
      try Inspector(archive).write(form, at: path, options, to: output)
    case .gnustep(let inspection): try inspection.write(form, at: path, options, to: output)
    }
  }
}
