/// Work outside of the desk: how a world does it, and what comes of it on the desk that asked.
///
/// To add one: a type beside the command that asks for it, with `desk.request(…)`.
package protocol Request: Sendable {
  associatedtype Answer: Sendable

  /// What is done, for the status line: `opening rivers.geojson`.
  var name: String { get }
  /// Whether files are written: such work is finished even if the editor is left meanwhile.
  var isWriting: Bool { get }

  /// Whether it is done at once: it only notes something in memory, and nobody waits for a reply.
  var isImmediate: Bool { get }

  /// Whether the reply is for the pane, whatever document it shows by then; else it is for the
  /// document.
  var isOfPane: Bool { get }

  /// Does the work, beside the keys.
  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer

  /// Changes the desk by what was done; what it throws is taken as a failure of the work.
  func take(_ answer: Answer, in desk: inout Desk) throws

  /// Tells that the work failed, and why.
  func fail(_ failure: Failure, in desk: inout Desk)

  /// What gives back what was taken for an answer that nobody waits for any more: its document or
  /// its pane is closed, or the job was cancelled.
  ///
  /// - Parameter isOpen: whether a document of a path is open.
  func abandoned(_ answer: Answer, isOpen: (String) -> Bool) -> [any Request]

  /// What is told on standard error where there is no editor.
  func remarks(on answer: Answer, _ desk: Desk) -> [Remark]
}

extension Request {
  package var isWriting: Bool { false }
  package var isImmediate: Bool { false }
  package var isOfPane: Bool { false }
  package func fail(_ failure: Failure, in desk: inout Desk) { desk.fail(failure) }
  package func remarks(on answer: Answer, _ desk: Desk) -> [Remark] { [] }
  package func abandoned(_ answer: Answer, isOpen: (String) -> Bool) -> [any Request] { [] }

  /// Does the work, and returns what a desk takes in.
  package func reply(in world: World, _ progress: World.Progress = .none) -> Reply {
    do throws(Failure) {
      return replied(try perform(in: world, progress))
    } catch {
      return failed(error)
    }
  }

  /// What a desk takes in when the work was done.
  func replied(_ answer: Answer) -> Reply {
    Reply(
      remarks: { remarks(on: answer, $0) },
      take: { desk in
        do {
          try take(answer, in: &desk)
        } catch {
          fail(Failure(error), in: &desk)
        }
      },
      abandoned: { abandoned(answer, isOpen: $0) })
  }

  /// What a desk takes in when it failed.
  func failed(_ failure: Failure) -> Reply {
    Reply(remarks: { _ in [] }, take: { fail(failure, in: &$0) }, abandoned: { _ in [] })
  }
}

/// A line for standard error.
package struct Remark: Hashable, Sendable {
  package var text: String
  /// Whether only those get it who asked for more.
  package var isDetail = false
}

/// How work outside ended, for the desk that asked for it.
package struct Reply: Sendable {
  let remarks: @Sendable (Desk) -> [Remark]
  let take: @Sendable (inout Desk) -> Void
  let abandoned: @Sendable (_ isOpen: (String) -> Bool) -> [any Request]
}
