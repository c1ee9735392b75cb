package import PortolanDocuments

/// The history of a document, rebuilt from its journal.
package struct JournalReplay: Sendable {
  package let history: History<Document>
  /// The number of replayed records.
  package let recordCount: Int
  /// Why not all records were replayed; `nil` if all were.
  package let problem: String?
  /// The time of the last step, in seconds since 1970; `nil` if there is none.
  package let lastTime: Double?

  /// Whether the present version is the journal's base.
  package let isAtBase: Bool

  /// Rebuilds the history.
  ///
  /// Ends before the first record that does not apply to the state before it; never traps, whatever
  /// the records hold.
  package init(_ journal: Journal, base: Document) {
    var replay = Replay(journal: journal, base: base)
    recordCount = replay.run()
    problem = replay.problem
    lastTime = replay.lastTime
    history = replay.history
    isAtBase = replay.position == replay.basePosition && history.present.draft == nil
  }
}

private struct Replay {
  struct Version {
    var title: String
    var value: Document
    var draft: Draft?
    /// Whether only the draft changed.
    var isDraftStep = false
  }

  let journal: Journal
  /// The versions from the first recorded one on.
  var versions: [Version]
  /// The versions before those, nearest first.
  var earlier: [Version] = []
  var position = 0
  /// The position of the journal's base; `nil` when it is gone.
  var basePosition: Int? = 0
  var problem: String?
  var lastTime: Double?

  init(journal: Journal, base: Document) {
    self.journal = journal
    versions = [Version(title: journal.head.title, value: base)]
  }

  mutating func run() -> Int {
    for (number, record) in journal.records.enumerated() {
      do {
        try take(record)
      } catch {
        problem = "edit \(number + 1) of \(journal.records.count) does not fit: \(error)"
        return number
      }
    }
    return journal.records.count
  }

  private mutating func take(_ record: JournalRecord) throws {
    switch record.kind {
    case .step:
      let step = try journal.object(JournalStep.self, of: record)
      let value = try step.change.applied(to: present.value)
      lastTime = step.time
      add(Version(title: step.title, value: value, draft: present.draft))
    case .draft:
      let step = try journal.object(JournalDraft.self, of: record)
      let draft = try step.applied(to: present.draft)
      lastTime = step.time
      if step.isStep {
        add(Version(title: step.title, value: present.value, draft: draft, isDraftStep: true))
      } else if position >= 0 {
        versions[position].draft = draft
      } else {
        earlier[-1 - position].draft = draft
      }
    case .past:
      let step = try journal.object(JournalStep.self, of: record)
      guard let oldest = earlier.last ?? versions.first else { return }
      earlier.append(
        Version(title: step.title, value: try step.change.applied(to: oldest.value)))
    case .undo, .redo:
      guard let count = journal.count(of: record) else {
        throw JournalError(.damaged, "no number")
      }
      let target = record.kind == .undo ? position - count : position + count
      guard target >= -earlier.count, target < versions.count else {
        throw JournalError(.damaged, "no such version")
      }
      position = target
    case .head, .basePart, .baseEnd, .baseMark, .saving: break
    }
  }

  /// The version at the position, which is below 0 among the earlier ones.
  private var present: Version {
    position >= 0 ? versions[position] : earlier[-1 - position]
  }

  private mutating func add(_ version: Version) {
    if position >= 0 {
      versions.removeSubrange((position + 1)...)
    } else {
      // The recorded versions now begin with a version from before the journal.
      let first = earlier[-1 - position]
      earlier.removeSubrange(..<(-position))
      versions = [first]
      position = 0
      basePosition = nil
    }
    versions.append(version)
    position += 1
  }

  var history: History<Document> {
    let all = earlier.reversed() + versions
    return History(
      versions: all.map { ($0.title, $0.value) }, position: earlier.count + position,
      savedPosition: savedPosition,
      drafts: all.map { version in
        (version.draft, version.isDraftStep ? version.draft?.stroke ?? 0 : nil)
      })
  }

  private var savedPosition: Int? {
    guard let basePosition, journal.head.isBaseSaved else { return nil }
    return earlier.count + basePosition
  }
}
