import PortolanDocuments
import Synchronization

/// A long edit: done on a snapshot in the background, with progress; the document takes no other
/// edit until it is done or cancelled.
struct EditRequest: Request {
  /// The step in a few words.
  var title: String
  /// The message after the edit.
  var message: @Sendable () -> String
  /// What else it did to the snapshot; told in scripts, too.
  var warning: @Sendable (Document) -> String?
  /// The snapshot, and its revision.
  var document: Document
  var revision: Int
  var change: @Sendable (inout Document, World.Progress) throws -> Void
  /// What follows on the desk.
  var then: @Sendable (inout Desk) -> Void

  /// The number of features and vertices below which an edit is done at once: it takes less than
  /// half a second.
  static let least = 250_000

  /// The number of features below which changing their attributes is done at once.
  static let leastFeatures = 100_000

  var name: String { title }

  struct Answer: Sendable {
    var document: Document
    /// Whether all features and the metadata are as they were: such an edit is no step.
    var isSame = false
    var warning: String?
  }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Answer {
    var document = self.document
    do {
      try change(&document, progress)
    } catch {
      throw Failure(error)
    }
    return Answer(
      document: document, isSame: document.isUnchanged(since: self.document),
      warning: warning(self.document))
  }

  func take(_ answer: Answer, in desk: inout Desk) throws {
    desk.file.pendingEdit = nil
    guard desk.history.present.revision == revision else {
      throw EditingError(.refused, "\(title): not done, the document was read again meanwhile")
    }
    if !answer.isSame { try desk.edit(title) { $0 = answer.document } }
    then(&desk)
    desk.say(message(), warning: answer.warning)
  }

  func fail(_ failure: Failure, in desk: inout Desk) {
    desk.file.pendingEdit = nil
    desk.fail(failure)
  }
}

/// A word that a long edit finds on its thread, for the message after it.
final class FoundWord: Sendable {
  private let text = Mutex("")

  var value: String { text.withLock { $0 } }

  func set(_ word: String) { text.withLock { $0 = word } }
}

extension Document {
  /// Whether it has the metadata, and its layers the blocks and styles, of a former document.
  ///
  /// - Complexity: O(blocks).
  func isUnchanged(since other: Document) -> Bool {
    metadata == other.metadata && layers.count == other.layers.count
      && zip(layers, other.layers).allSatisfy {
        $0.id == $1.id && $0.parts.elementsEqual($1.parts, by: ===)
      }
  }
}
