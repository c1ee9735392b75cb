package import ArgumentParser
import PortolanKeeping

/// Saves every open document that has unsaved edits.
package struct SaveAll: Command {
  package static let configuration = CommandConfiguration(
    commandName: "save-all", abstract: "Save every open document with unsaved edits.",
    discussion: """
      Each goes into its own file, as `save` does it; a document without a name is reported and \
      stays open. --quit leaves the editor when all are saved; wqa is short for it.
      """,
    aliases: ["wa", "wall"])

  @Flag(help: "Leave out everything that the map data format cannot hold.")
  var lossy = false

  @Flag(help: "Leave the editor when all are saved.")
  var quit = false

  @OptionGroup var versions: VersionOptions

  package init() {}

  package var summary: String { quit ? "Save all and leave." : Self.configuration.abstract }

  package func run(in desk: inout Desk) throws {
    try desk.saveAll(SavesAll(acceptsLosses: lossy, quits: quit, versions: versions.keeping))
  }
}

/// Saves all, then leaves.
package struct SaveAllAndQuit: Command {
  package static let configuration = CommandConfiguration(
    commandName: "wqa", abstract: "Save every open document and leave.",
    aliases: ["xa", "wqall", "xall"])

  @Flag(help: "Leave out everything that the map data format cannot hold.")
  var lossy = false

  @OptionGroup var versions: VersionOptions

  package init() {}

  package func run(in desk: inout Desk) throws {
    try desk.saveAll(SavesAll(acceptsLosses: lossy, quits: true, versions: versions.keeping))
  }
}

/// How all open documents are saved.
struct SavesAll: Sendable {
  var acceptsLosses: Bool
  /// Whether the editor is left then.
  var quits: Bool
  var versions: VersionKeeping
  /// The document that is saved already.
  var besides: OpenDocument.ID?
}

extension Desk {
  /// Saves this document if it has edits; the workspace saves the others on desks of their own.
  fileprivate mutating func saveAll(_ saves: SavesAll) throws {
    session.refusedSaves = [:]
    let isOtherEdited = others.contains(where: \.isEdited)
    guard isEdited || isOtherEdited else {
      guard saves.quits else { return say("nothing to save: no document has unsaved edits") }
      if let unsavedWork { throw EditingError(.refused, unsavedWork) }
      hasQuit = true
      return send(.quit(code: 0))
    }
    if isOtherEdited {
      session.savesAll = saves
      session.savesAll?.besides = file.id
    }
    if isEdited { try save(saves) }
  }

  /// Saves this document beside others, and tells if it cannot be.
  mutating func saveBeside(_ saves: SavesAll) {
    do {
      try save(saves)
    } catch {
      let words = "\(title) is not saved: \((error as? EditingError)?.message ?? "\(error)")"
      session.refusedSaves[file.id] = words
      fail(words)
    }
  }

  /// The words on documents that could not be saved with this one, which its own words would hide.
  var wordsOfRefusedSaves: String? {
    others.lazy.filter(\.isEdited).compactMap { session.refusedSaves[$0.id] }.first
  }

  private mutating func save(_ saves: SavesAll) throws {
    try save(
      nil, overwrites: false, thenQuits: saves.quits, acceptsLosses: saves.acceptsLosses,
      versions: saves.versions)
  }
}
