import PortolanFiles

/// Commands of another program that act for a person: in their panes, on their selection.
extension Workspace {
  /// Adds a session for commands, which begins as that of a person stands.
  ///
  /// - Parameter document: the one that they are for; `nil` for the one that is shown.
  /// - Throws: where there is no such person, or they do not show the document.
  mutating func act(
    for owner: SessionID, on document: OpenDocument.ID?
  ) throws(Failure) -> SessionID {
    guard var session = sessions[owner], !session.isHeadless else {
      throw Failure(
        .input, what: "no session \(owner.rawValue) here: portolan list shows their numbers")
    }
    let focus = session.arrangement.focus
    if let document, session.panes[focus]?.document != document {
      guard let place = session.firstPane(of: document) else {
        throw Failure(.input, what: "session \(owner.rawValue) does not show that document")
      }
      session.arrangement.show(place)
    }
    let person = SessionID(nextSession)
    nextSession += 1
    session.id = person
    (session.actsFor, session.following) = (owner, nil)
    (session.isHeadless, session.isPresent, session.givesBack) = (true, false, true)
    (session.prompt, session.overlay, session.message) = (nil, nil, nil)
    (session.questions, session.jobs, session.effects, session.said) = ([], [], [], [])
    (session.pendingKeys, session.popup, session.count) = ([], [], nil)
    (session.script, session.isInScript) = (ScriptQueue(), false)
    (session.failure, session.passedOver, session.hasQuit) = (nil, [], false)
    sessions[person] = session
    return person
  }

  /// Notes that a person does something, or that a job of theirs is done, while commands act for
  /// them: they keep what they have then.
  mutating func noteActing(_ owner: SessionID) {
    for (id, session) in sessions where session.actsFor == owner {
      sessions[id]?.givesBack = false
    }
  }

  /// Gives a person the panes and selections that commands for them have left, and tells them.
  mutating func giveBack(_ person: SessionID) {
    guard let session = sessions[person], let owner = session.actsFor, var own = sessions[owner]
    else { return }
    let former = FollowedView(own)
    if session.givesBack {
      own.arrangement = session.arrangement
      own.panes = session.panes
      own.works = session.works
      own.panels = session.panels
      own.register = session.register
      own.lastEditLine = session.lastEditLine
    }
    own.message = Self.report(on: session)
    sessions[owner] = own
    follow(owner, since: former, isOwn: true)
  }

  /// What a person is told of commands that acted for them.
  private static func report(on session: Session) -> Message {
    if let failure = session.failure {
      return Message("commands that a program ran for you: \(failure.description)", .warning)
    }
    guard let message = session.message else { return Message("a program ran commands for you") }
    return Message("done for you: \(message.text)", message.severity)
  }
}
