package import ArchiveInspection
package import PortolanTerminals

/// An archive to be shown.
package struct InspectRequest: Sendable {
  package var path: String
  package var output: String
  package var form: InspectionForm
  package var place: InspectionPath
  package var options: TreeOptions
  /// The width of a line; `nil` for that of the terminal, and none elsewhere.
  package var width: Int?
  package var colour: ColourChoice
  package var overwrites: Bool
}

/// An archive to be written in another notation.
package struct ConvertRequest: Sendable {
  package var path: String
  package var output: String
  package var notation: ArchiveNotation
  package var overwrites: Bool
}

/// Two maps or archives to be compared.
package struct DiffRequest: Sendable {
  package var first: String
  package var second: String
  /// `nil` for a map of the difference.
  package var form: ArchiveDifference.Form?
  /// The attribute that features are known by; `nil` for their `id`.
  package var key: String?
  /// The picture of the difference; `nil` for none.
  package var picture: DifferencePicture?
  /// Whether the archives themselves are meant, those of documents too.
  package var isOfArchives = false
  /// The width of a line; `nil` for that of the terminal, and none elsewhere.
  package var width: Int?
  package var colour: ColourChoice
}

extension DiffRequest {
  /// Whether the difference is written as a map.
  var isMapWanted: Bool { form == nil }
}

extension InspectRequest: Request {
  package var name: String { "inspecting \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.inspect(self, progress)
  }
}

extension ConvertRequest: Request {
  package var name: String { "converting \(path)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.convert(self, progress)
  }
}

extension DiffRequest: Request {
  package var name: String { "comparing \(first)" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.compare(self, progress)
  }
}
