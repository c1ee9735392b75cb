import PortolanRendering

/// The map that a person looked at before a change, and whom it went along with.
struct FollowedView {
  private let pane: PaneID?
  private let viewpoint: Viewpoint?
  let leader: SessionID?

  init(_ session: Session?) {
    pane = session?.arrangement.focus
    viewpoint = pane.flatMap { session?.panes[$0]?.state.map?.viewpoint }
    leader = session?.following
  }

  /// Whether the same pane shows its map elsewhere now.
  func hasMoved(to other: FollowedView) -> Bool {
    pane == other.pane && viewpoint != other.viewpoint
  }
}

/// People whose maps go along with those of others, and words between people.
extension Workspace {
  /// Takes the maps along that follow a person's.
  ///
  /// - Parameters:
  ///   - former: what the person's map showed before.
  ///   - isOwn: whether the person caused the change: who moves the map follows no more.
  mutating func follow(_ person: SessionID, since former: FollowedView, isOwn: Bool) {
    let present = FollowedView(sessions[person])
    let hasMoved = former.hasMoved(to: present)
    if let leader = present.leader, let name = sessions[leader]?.name {
      if former.leader != leader {
        align(person, with: leader)
      } else if isOwn, hasMoved {
        sessions[person]?.following = nil
        sessions[person]?.message = Message("you have moved: you follow \(name) no more")
      }
    }
    if sessions.values.contains(where: { $0.following != nil }) { takeAlong(person) }
  }

  /// Moves the maps of those who follow a person, and of those who follow them.
  private mutating func takeAlong(_ person: SessionID) {
    var leaders = [person]
    var seen: Set<SessionID> = [person]
    while let leader = leaders.popLast() {
      for follower in people
      where sessions[follower]?.following == leader && seen.insert(follower).inserted {
        align(follower, with: leader)
        leaders.append(follower)
      }
    }
  }

  /// Gives a person's map the view of another one's, where both show one document.
  private mutating func align(_ person: SessionID, with leader: SessionID) {
    guard let place = sessions[person]?.arrangement.focus,
      let shown = sessions[leader].flatMap({ $0.panes[$0.arrangement.focus] }),
      let map = shown.state.map, var desk = desk(at: place, of: person),
      desk.pane.document == shown.document, desk.pane.state.map != nil
    else { return }
    let viewpoint = desk.viewpoint(of: map)
    if desk.viewpoint == viewpoint { return }
    desk.viewpoint = viewpoint
    desk.viewpoint.center = desk.camera.centered(on: viewpoint.center).center
    desk.settleCursor(at: desk.cursor)
    sessions[person]?.panes[place] = desk.pane
  }

  /// Lets those go on their own who followed a person who has left.
  mutating func stopFollowing(_ gone: SessionID) {
    for person in people where sessions[person]?.following == gone {
      sessions[person]?.following = nil
      sessions[person]?.message = Message("whom you followed has left")
    }
  }

  /// Delivers what a person says.
  mutating func deliver(from person: SessionID) {
    guard let session = sessions[person], !session.said.isEmpty else { return }
    sessions[person]?.said = []
    let author = session.actsFor.flatMap { sessions[$0]?.name } ?? session.name
    for text in session.said {
      let line = SaidWords.line(text, of: author)
      for other in people
      where other != person && other != session.actsFor && sessions[other]?.isHeadless == false {
        sessions[other]?.message = Message(line)
        hear(line, other)
      }
    }
  }

  /// Adds a line to the messages of a person.
  mutating func hear(_ line: String, _ person: SessionID) {
    sessions[person]?.heard.append(line)
    let extra = (sessions[person]?.heard.count ?? 0) - SaidWords.kept
    if extra > 0 { sessions[person]?.heard.removeFirst(extra) }
  }
}
