package import PortolanGraphics

/// Another person in the workspace, as a desk sees them.
package struct Companion: Hashable, Sendable {
  package var id: SessionID
  package var name: String
  /// Whether a terminal shows their session.
  package var isPresent: Bool
  /// Whether they left on purpose, to come back.
  var hasDetached: Bool
  /// Whether it is no person but the commands of another program.
  var isRemote: Bool
  /// Whether they only look.
  var isWatching: Bool
  /// The documents that their panes show.
  package var documents: Set<OpenDocument.ID>
  /// The document of their focused pane, and the place of their cursor there; `nil` where that
  /// pane shows no map.
  package var document: OpenDocument.ID
  package var cursor: Coordinate?
  /// Whose map theirs goes along with.
  var following: SessionID?
  /// Their jobs under way.
  var jobs: Set<JobID>

  init?(_ session: Session) {
    guard let pane = session.panes[session.arrangement.focus] else { return nil }
    id = session.id
    name = session.name
    isPresent = session.isPresent
    hasDetached = session.hasDetached
    isRemote = session.isHeadless
    isWatching = session.isWatching
    documents = Set(session.panes.values.map(\.document))
    document = pane.document
    cursor = pane.state.map?.cursor
    following = session.following
    jobs = Set(session.jobs.map(\.id))
  }
}

extension Desk {
  /// Whether another person has the document open too.
  func isShared(_ document: OpenDocument.ID) -> Bool {
    company.contains { $0.documents.contains(document) }
  }

  /// Whether another person works on the document: nothing of it is lost when this one leaves it.
  ///
  /// Watchers and commands of other programs go without a question.
  func isInHands(_ document: OpenDocument.ID) -> Bool {
    company.contains { $0.documents.contains(document) && !$0.isWatching && !$0.isRemote }
  }

  /// The cursors of other people at terminals on a map of the document.
  var othersCursors: [Coordinate] {
    company.filter { $0.isPresent && $0.document == file.id }.compactMap(\.cursor)
  }

  /// Whether the document stays open when this session ends.
  func outlives(_ document: OpenDocument.ID) -> Bool {
    company.contains { $0.documents.contains(document) && goesOn(with: $0) }
  }

  /// Whether the workspace goes on with another person when this session ends.
  ///
  /// A watcher never ends it for those who edit; whoever detached comes back to it.
  func goesOn(with other: Companion) -> Bool {
    if other.isWatching || other.isRemote { return false }
    return other.isPresent || other.hasDetached || sharing.stays || session.isWatching
  }
}
