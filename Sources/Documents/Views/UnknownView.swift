package import Archiving

/// A view of an unknown kind: listed, not shown, written back unchanged.
package struct UnknownView: View, KeptPart {
  let kept: UnknownObject
  package private(set) var id: ViewID
  package var name: String
  package internal(set) var isHeldByPanes = false

  init(kept: UnknownObject) {
    self.kept = kept
    id = ViewID(kept.number(forKey: "id") ?? 0)
    name = kept.text(forKey: "name") ?? ""
  }

  package var sessionNumber: UInt64 {
    get { id.rawValue }
    set { id = ViewID(newValue) }
  }

  package var className: String { kept.className ?? "?" }
}

extension UnknownView: SubstitutingCoding {
  /// Never written: the kept object's own class is.
  package static var archivedClass: ArchivedClass { "PortolanUnknownView" }

  package func replacementObject(for coder: any EncodingCoder) -> (any Coding)? { kept }
  package func encode(with coder: any EncodingCoder) throws { try kept.encode(with: coder) }

  package init(coder: any DecodingCoder) throws {
    self.init(kept: try UnknownObject(coder: coder))
  }
}
