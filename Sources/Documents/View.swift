package import Archiving

/// A view of a document: what a pane shows, archived with it.
///
/// To add a kind: `Views/<Kind>View.swift` and a line in `ViewKinds.all`.
package protocol View: Coding, Sendable {
  var id: ViewID { get }
  var name: String { get set }
}

/// What every view has: the keys of `PortolanView`, which its kinds write first.
package struct ViewFields {
  package var id: ViewID
  package var name: String

  package static let archivedClass: ArchivedClass = "PortolanView"

  package init(id: ViewID, name: String) {
    self.id = id
    self.name = name
  }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(Int(clamping: id.rawValue), forKey: "id")
    try coder.encodeString(name, forKey: "name")
  }

  package init(coder: any DecodingCoder) throws {
    id = ViewID(try coder.decodeNumber(forKey: "id"))
    name = try coder.decodeStringIfPresent(forKey: "name") ?? ""
  }
}
