package import PortolanGraphics

/// Another person in the workspace, as a desk sees them.
package struct Companion: Hashable, Sendable {
  package var id: SessionID
  package var name: String
  /// Whether a terminal shows their session.
  package var isPresent: Bool
  /// The documents that their panes show.
  package var documents: Set<OpenDocument.ID>
  /// The document of their focused pane, and the place of their cursor there; `nil` where that
  /// pane shows no map.
  package var document: OpenDocument.ID
  package var cursor: Coordinate?
  /// Their jobs under way.
  var jobs: Set<JobID>

  init?(_ session: Session) {
    guard let pane = session.panes[session.arrangement.focus] else { return nil }
    id = session.id
    name = session.name
    isPresent = session.isPresent
    documents = Set(session.panes.values.map(\.document))
    document = pane.document
    cursor = pane.state.map?.cursor
    jobs = Set(session.jobs.map(\.id))
  }
}

extension Desk {
  /// Whether another person has the document open too.
  func isShared(_ document: OpenDocument.ID) -> Bool {
    company.contains { $0.documents.contains(document) }
  }
}
