package import PortolanFiles
import PortolanInterchange
import PortolanKeeping
package import PortolanTerminals
import Synchronization

/// Carries out what desks ask for: the only part of the editor that touches files.
///
/// It works in the order in which it is asked, without threads of its own: a script waits for each
/// answer, the editor lets it work on a queue beside the keys.
package final class World: Sendable {
  /// What `-` stands for when a file is read.
  package static let standardInputName = "standard input"
  package static let standardOutputName = "standard output"

  package let files: any FileSystem
  package let options: Options
  let store: DocumentStore
  /// What is still to be done when an answer was given.
  let chores = Mutex<[@Sendable () -> String?]>([])

  /// What the world is to be like.
  package struct Options: Sendable {
    /// Whether opening a `.doc` that is not there begins a new document of that name.
    package var beginsNewDocuments = false
    /// Where journals, earlier versions and what stands by during a save are; `nil` keeps none.
    package var state: StateFolder?
    /// Whether edits are journalled, and opening a document looks for work that was left on it.
    package var keepsEdits = false
    /// The time in seconds since 1970, and such a time as people read it.
    package var now: @Sendable () -> Double = { 0 }
    package var clock: @Sendable (Double) -> String = { _ in "" }
    /// Told where the journal lies as soon as it is begun.
    package var noteJournal: @Sendable (String) -> Void = { _ in }
    /// The number of this process.
    package var process = 0
    /// The colours of standard output, by what the user chose.
    package var outputDepth: @Sendable (ColourChoice) -> PortolanTerminals.ColourDepth = {
      PortolanTerminals.ColourDepth(choice: $0, terminalColours: nil, environment: { _ in nil })
    }

    /// The columns of the terminal that standard output is; `nil` when it is none.
    package var outputColumns: @Sendable () -> Int? = { nil }

    /// Called before anything is written to standard output.
    package var beforeOutput: @Sendable () -> Void = {}

    /// How many bytes the earlier versions of all documents may take.
    package var versionsBytesMax = 1 << 30
    /// Whether documents that are opened are edited: they are locked for others and watched.
    package var guardsDocuments = false
    /// Who others are told has a document open; `nil` for this process.
    package var holder: LockHolder?

    package init() {}
  }

  package init(files: any FileSystem, options: Options = Options()) {
    self.files = files
    self.options = options
    store = Self.makeStore(files, options)
  }

  /// Writes a text to standard output.
  package func print(_ text: String) throws(Failure) { try writeOutput(Array(text.utf8)) }

  /// Stops what is being written, waits until nothing half-written is left, and then calls `end`.
  package func interrupt(then end: () -> Void) { store.interrupt(then: end) }

  /// Notes something to be done when the answer was given.
  func addChore(_ chore: @escaping @Sendable () -> String?) {
    chores.withLock { $0.append(chore) }
  }

  /// Does what was left for later; returns what there is to tell.
  package func doChores() -> [String] {
    let due = chores.withLock { chores in
      defer { chores = [] }
      return chores
    }
    let kept = store.keepPendingVersions().map { path, notes in
      "\(path) is saved; " + notes.map { words(for: $0) }.joined(separator: "; ")
    }
    return kept + due.compactMap { $0() }
  }

  /// Where long work tells how far it is, and learns that it was cancelled.
  package struct Progress: Sendable {
    var cancellation: Cancellation
    var tell: @Sendable (Double) -> Void

    package init(
      cancellation: Cancellation = Cancellation(),
      tell: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
      self.cancellation = cancellation
      self.tell = tell
    }

    package static let none = Progress()

    /// Tells the part that is done, from 0 to 1; throws when the work was cancelled.
    func report(_ fraction: Double) throws {
      if cancellation.isCancelled { throw Failure(.interrupted, what: "cancelled") }
      tell(fraction)
    }

    /// The progress of one of several equal parts.
    func part(_ index: Int, of count: Int) -> Progress {
      let tell = self.tell
      return Progress(cancellation: cancellation) {
        tell((Double(index) + $0) / Double(max(1, count)))
      }
    }
  }

  // MARK: Streams

  func writeOutput(_ bytes: [UInt8]) throws(Failure) {
    var failure: Failure?
    options.beforeOutput()
    bytes.withUnsafeBytes { buffer in
      do throws(FileError) {
        try files.writeAll(.standardOutput, buffer)
      } catch {
        failure = .writing(Self.standardOutputName, error)
      }
    }
    if let failure { throw failure }
  }

  /// The text of a script.
  func readText(_ path: String) throws(Failure) -> String {
    let notText = Failure(
      .input, subject: path,
      what:
        "is not UTF-8 text: convert it with iconv (a name that is not is written $'lat\\xE9.doc')"
    )
    let bytes = try read(path) { $0.contains(0) ? notText : nil }.bytes
    guard let text = String(validating: bytes, as: UTF8.self) else { throw notText }
    return text
  }

  /// The bytes of a file, or of standard input for `-`.
  ///
  /// - Parameter refusal: told the first bytes; what it returns is thrown before the rest is read.
  func read(
    _ path: String, refusal: (ArraySlice<UInt8>) -> Failure? = { _ in nil }
  ) throws(Failure) -> (bytes: [UInt8], identity: FileIdentity?) {
    do throws(StoreError) {
      let file = try store.read(path) { head in
        if let fault = refusal(head) { throw fault }
      }
      return (file.bytes, file.identity)
    } catch {
      throw failure(error)
    }
  }
}
