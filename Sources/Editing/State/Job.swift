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
  /// The document that it is about, and the pane that asked for it.
  package let document: OpenDocument.ID
  package let place: PaneID
  /// Whether the pane takes the reply in whatever document it shows by then.
  package var isOfPane = false
  /// Whether files are written, which is not stopped halfway.
  package var isWriting = false
  /// From 0 to 1; `nil` as long as nobody knows.
  package var fraction: Double?

  package init(
    id: JobID, name: String, document: OpenDocument.ID, place: PaneID, fraction: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.document = document
    self.place = place
    self.fraction = fraction
  }
}
