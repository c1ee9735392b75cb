package import ArchiveInspection

/// The resolved values of an archive to be written, or one of them.
package struct ValuesRequest: Sendable {
  /// What is written of them.
  package enum Form: Sendable {
    /// All as JSON.
    case json
    /// All as JSON from which the archive can be made again.
    case exact
    /// The texts of strings and attributed strings.
    case text
    /// The bytes of data or of a string, as they are.
    case bytes
    /// The same as hexadecimal digits and ASCII.
    case hexDump
  }

  package var path: String
  package var output: String
  package var form: Form
  package var place: InspectionPath
  package var options: ValueOptions
  package var overwrites: Bool
}

extension ValuesRequest: Request {
  package var name: String { "inspecting \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.writeValues(self, progress)
  }
}

/// Archives that stand one a line, to be written as values.
package struct ArchiveLinesRequest: Sendable {
  package var path: String
  package var output: String
  package var encoding: ArchiveLines.Encoding
  package var form: ArchiveLines.Form
  package var place: InspectionPath
  package var options: ValueOptions
  package var overwrites: Bool
}

extension ArchiveLinesRequest: Request {
  package var name: String { "inspecting the lines of \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.writeLines(self, progress)
  }
}
