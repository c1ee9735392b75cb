/// The number of something that the world does for the desk.
package struct JobID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// Something under way outside of the desk, such as a file being read.
package struct Job: Hashable, Sendable {
  package let id: JobID
  /// What is done, for the status line: `opening rivers.geojson`.
  package var name: String
  /// Whether the document is written: what goes wrong stays marked until that is done.
  package var isSave = false
  /// Whether the document's file is read again: what goes wrong stays marked.
  package var isReload = false
  /// From 0 to 1; `nil` as long as nobody knows.
  package var fraction: Double?
  /// The document's revision when the job began: a file that is opened replaces no later edit.
  package let revision: Int

  package init(id: JobID, name: String, revision: Int = 0, fraction: Double? = nil) {
    self.id = id
    self.name = name
    self.revision = revision
    self.fraction = fraction
  }
}
