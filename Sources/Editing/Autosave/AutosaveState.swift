import PortolanDocuments
import PortolanKeeping

/// Whether unsaved edits are journalled.
package enum AutosaveState: Hashable, Sendable {
  /// There are no unsaved edits, or none are journalled.
  case idle
  /// All edits are journalled, as of this time of day.
  case kept(time: String)
  /// Edits cannot be journalled; the text says why.
  case failing(String)
}

extension OpenDocument {
  /// Whether there is what a journal has to keep: edits that were not saved, or a draft.
  package var hasWorkToKeep: Bool { history.isEdited || history.present.draft != nil }

  /// Whether there are edits that were not saved and that a journal keeps.
  package var keepsUnsavedEdits: Bool {
    if case .failing = autosave { return false }
    return hasWorkToKeep
  }

  /// The document as its journal keeper sees it.
  var journaled: JournaledDocument {
    // Work recovered beside a file that was changed since does not begin with that file.
    JournaledDocument(
      id: id.rawValue, history: history, path: path ?? source ?? "",
      isFile: path != nil && basis != .noVersion,
      isSaveConfirmed: isSaveConfirmed, recovered: recovered)
  }
}

extension Desk {
  /// Updates the state of the journal.
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
