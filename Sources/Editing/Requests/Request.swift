/// Work outside of the desk: performed in a world, its reply handled on the desk that requested it.
///
/// To add one: a type beside its command, sent with `desk.request(…)`.
package protocol Request: Sendable {
  associatedtype Answer: Sendable

  /// The work in progress, for the status line: `opening rivers.geojson`.
  var name: String { get }
  /// Whether files are written: such work is completed even if the editor quits meanwhile.
  var isWriting: Bool { get }
  /// Whether Ctrl-C stops it; what it would have written is not written then.
  var isStoppable: Bool { get }

  /// Whether the editor does it unasked, such as at its start: no list shows it, and it goes on
  /// when people stop their work.
  var isAside: Bool { get }

  /// Whether it saves the document: the journal of its edits may end then.
  var isSave: Bool { get }

  /// Whether it begins when the next picture is shown, which needs the processor more.
  var followsPicture: Bool { get }

  /// Whether it is done at once: it only changes memory, and there is no reply.
  var isImmediate: Bool { get }

  /// Whether the reply is for the pane, whatever document it shows by then; else it is for the
  /// document.
  var isOfPane: Bool { get }

  /// Whether the reply edits the document: it waits for the end of a long edit.
  var isEdit: Bool { get }

  /// Whether nobody asked for it: it follows what other programs did to the document's file.
  var isFromOutside: Bool { get }

  /// Performs the work, in the background.
  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer

  /// Changes the desk by the answer; an error it throws counts as a failure of the work.
  func take(_ answer: Answer, in desk: inout Desk) throws

  /// Reports the failure of the work.
  func fail(_ failure: Failure, in desk: inout Desk)

  /// The requests that release the resources of an answer whose desk is gone: its document or its
  /// pane was closed, or the job was cancelled.
  func abandoned(_ answer: Answer) -> [any Request]

  /// The remarks for standard error without an editor.
  func remarks(on answer: Answer, _ desk: Desk) -> [Remark]
}

extension Request {
  package var isWriting: Bool { false }
  package var isSave: Bool { false }
  package var isStoppable: Bool { !isWriting }
  package var isAside: Bool { false }
  package var followsPicture: Bool { false }
  package var isImmediate: Bool { false }
  package var isOfPane: Bool { false }
  package var isEdit: Bool { false }
  package var isFromOutside: Bool { false }
  package func fail(_ failure: Failure, in desk: inout Desk) { desk.fail(failure) }
  package func remarks(on answer: Answer, _ desk: Desk) -> [Remark] { [] }
  package func abandoned(_ answer: Answer) -> [any Request] { [] }

  /// Says what was done.
  package func take(_ answer: String, in desk: inout Desk) where Answer == String {
    desk.say(answer)
  }

  /// Performs the work, and returns the reply for the desk.
  package func reply(in world: World, _ progress: World.Progress = .none) -> Reply {
    do throws(Failure) {
      return replied(try perform(in: world, progress))
    } catch {
      return failed(error)
    }
  }

  /// The reply after success.
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
      abandoned: { abandoned(answer) }, isEdit: isEdit, isFromOutside: isFromOutside)
  }

  /// The reply after a failure.
  func failed(_ failure: Failure) -> Reply {
    Reply(
      remarks: { _ in [] }, take: { fail(failure, in: &$0) }, abandoned: { [] },
      isFromOutside: isFromOutside)
  }
}

/// A line for standard error.
package struct Remark: Hashable, Sendable {
  package var text: String
  /// Whether it is printed only in verbose mode.
  package var isDetail = false
}

/// The result of outside work, for the desk that requested it.
package struct Reply: Sendable {
  let remarks: @Sendable (Desk) -> [Remark]
  let take: @Sendable (inout Desk) -> Void
  let abandoned: @Sendable () -> [any Request]
  /// Whether it edits the document.
  var isEdit = false
  /// Whether nobody asked for the work.
  var isFromOutside = false

  /// The reply to work that was not begun.
  static let nothing = Reply(remarks: { _ in [] }, take: { _ in }, abandoned: { [] })
}

/// A reply that waits for the end of a long edit of its document.
struct WaitingReply: Sendable {
  var job: JobID
  /// Who asked.
  var person: SessionID
  var reply: Reply
}
