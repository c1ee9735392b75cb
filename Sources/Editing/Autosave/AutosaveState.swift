import PortolanDocuments
import PortolanKeeping

/// Whether the work is kept somewhere in case the program ends before it is saved.
package enum AutosaveState: Hashable, Sendable {
  /// There is nothing to keep, or nothing is kept.
  case idle
  /// All edits are kept since this time of day.
  case kept(time: String)
  /// Edits cannot be kept; the text says why.
  case failing(String)
}

extension OpenDocument {
  /// Whether there are edits that were not saved and that a journal keeps.
  package var keepsUnsavedEdits: Bool {
    if case .failing = autosave { return false }
    return history.isEdited
  }

  /// The document as its journal sees it.
  var journaled: JournaledDocument {
    JournaledDocument(
      id: id.rawValue, history: history, path: path ?? source ?? "", isFile: path != nil,
      isSaveConfirmed: isSaveConfirmed, recovered: recovered)
  }
}

extension Desk {
  /// Takes in how the keeping of edits goes.
  mutating func take(_ state: AutosaveState) {
    switch (file.autosave, state) {
    case (.failing(let former), .failing(let reason)) where former == reason: break
    case (_, .failing(let reason)):
      say("edits are NOT kept for a crash: \(reason); :w saves them", .error)
      send(.beep)
    case (.failing, .kept): say("edits are kept again")
    default: break
    }
    file.autosave = state
  }
}
