import PortolanKeeping

/// Looks for left work on unnamed documents at the start.
struct FindWorkRequest: Request {
  var name: String { "looking for unsaved work" }

  func perform(in world: World, _ progress: World.Progress) -> [LeftWork] {
    world.store.leftWork(on: "").works.map { world.leftWork($0) }
  }

  func take(_ answer: [LeftWork], in desk: inout Desk) {
    if answer.isEmpty { return }
    if desk.file.hasUnsavedWork {
      desk.request(LeaveWorkRequest(journals: answer.map(\.journal)))
    } else {
      desk.offer(answer)
    }
  }

  func abandoned(_ answer: [LeftWork]) -> [any Request] {
    answer.isEmpty ? [] : [LeaveWorkRequest(journals: answer.map(\.journal))]
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
