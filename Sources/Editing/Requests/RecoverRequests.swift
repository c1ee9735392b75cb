import PortolanKeeping

/// Looks for left work at the start: on unnamed documents, and which others have some.
struct FindWorkRequest: Request {
  var name: String { "looking for unsaved work" }
  var isAside: Bool { true }

  struct Answer: Sendable {
    /// On unnamed documents.
    var works: [LeftWork]
    /// The paths of named ones, newest first.
    var documents: [String]
  }

  func perform(in world: World, _ progress: World.Progress) -> Answer {
    let works = world.store.leftWork(on: "").works.map { world.leftWork($0) }
    let left = (world.store.journals?.entries() ?? []).filter { $0.state == .left }
      .sorted { $0.lastTime > $1.lastTime }
    var documents: [String] = []
    for path in left.compactMap(\.document) where !path.isEmpty && !documents.contains(path) {
      documents.append(path)
    }
    return Answer(works: works, documents: Array(documents.prefix(3)))
  }

  func take(_ answer: Answer, in desk: inout Desk) {
    desk.session.leftDocuments = answer.documents
    if answer.works.isEmpty { return }
    if desk.file.hasUnsavedWork {
      desk.request(LeaveWorkRequest(journals: answer.works.map(\.journal)))
    } else {
      desk.offer(answer.works)
    }
  }

  func abandoned(_ answer: Answer) -> [any Request] {
    answer.works.isEmpty ? [] : [LeaveWorkRequest(journals: answer.works.map(\.journal))]
  }
}

/// Leaves journals for the next start.
struct LeaveWorkRequest: Request {
  var journals: [LeftJournal]

  var name: String { "" }

  func perform(in world: World, _ progress: World.Progress) {
    for journal in journals { journal.file.leave() }
  }

  func take(_ answer: Void, in desk: inout Desk) {}
}

/// Discards a journal.
struct DiscardWorkRequest: Request {
  var journal: LeftJournal

  var name: String { "" }

  func perform(in world: World, _ progress: World.Progress) { try? journal.file.remove() }
  func take(_ answer: Void, in desk: inout Desk) {}
}

extension RecoverRequest: Request {
  package var name: String { "recovering" }
  package var isWriting: Bool { true }

  package func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    try world.recover(self)
  }

  package func remarks(on answer: String, _ desk: Desk) -> [Remark] {
    answer.isEmpty ? [] : [Remark(text: answer)]
  }
}
