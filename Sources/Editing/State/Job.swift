/// The number of a job of the world for the desk.
package struct JobID: Hashable, Sendable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// Work under way outside of the desk, such as reading a file.
package struct Job: Hashable, Sendable {
  package let id: JobID
  /// The work, for the status line: `opening rivers.geojson`.
  package var name: String
  /// Its document, and the pane that requested it.
  package let document: OpenDocument.ID
  package let place: PaneID
  /// Whether the pane handles the reply, whatever document it shows by then.
  package var isOfPane = false
  /// Whether files are written: an edit may be made meanwhile.
  package var isWriting = false
  /// Whether Ctrl-C stops it.
  package var isStoppable = true
  /// Whether the editor does it unasked.
  package var isAside = false
  /// The progress, from 0 to 1; `nil` while it is unknown.
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
