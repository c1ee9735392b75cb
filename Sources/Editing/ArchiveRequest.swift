package import Interchange
package import Terminals

/// Something to be done with archives of any program, beside the document.
package enum ArchiveRequest: Sendable {
  case inspect(InspectRequest)
  case convert(ConvertRequest)
  case compare(DiffRequest)
}

/// An archive to be shown.
package struct InspectRequest: Sendable {
  package var path: String
  package var output: String
  package var form: InspectionForm
  package var place: InspectionPath
  package var options: TreeOptions
  /// The width of a line; `nil` for that of the terminal.
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

/// Two archives to be compared.
package struct DiffRequest: Sendable {
  package var first: String
  package var second: String
  package var form: ArchiveDifference.Form
  package var colour: ColourChoice
}
