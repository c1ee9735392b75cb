package import Documents

/// The versions of a document: the present one, those before and those undone.
package struct EditHistory: Sendable {
  /// A version and how it came to be.
  package struct Version: Sendable {
    package let title: String
    package let revision: Int
    package let document: Document
  }

  package private(set) var present: Version
  package private(set) var past: [Version] = []
  package private(set) var future: [Version] = []
  /// The revision that stands in the file.
  package private(set) var savedRevision: Int
  private var nextRevision = 1

  package init(_ document: Document, title: String = "opened") {
    present = Version(title: title, revision: 0, document: document)
    savedRevision = 0
  }

  /// Whether the document differs from the file's.
  package var isEdited: Bool { present.revision != savedRevision }

  package mutating func record(_ document: Document, title: String) {
    past.append(present)
    present = Version(title: title, revision: nextRevision, document: document)
    nextRevision += 1
    future = []
  }

  /// Goes back one version; answers what was undone.
  package mutating func undo() -> String? {
    guard let former = past.popLast() else { return nil }
    let title = present.title
    future.append(present)
    present = former
    return title
  }

  /// Goes forward one version; answers what was done again.
  package mutating func redo() -> String? {
    guard let next = future.popLast() else { return nil }
    past.append(present)
    present = next
    return present.title
  }

  /// Notes that a revision was written.
  package mutating func markSaved(_ revision: Int) { savedRevision = revision }
}
