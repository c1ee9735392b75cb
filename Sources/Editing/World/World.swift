package import PortolanFiles
package import PortolanInterchange
package import PortolanKeeping
import PortolanPrinting
package import PortolanTerminals
import PortolanTexts
import Synchronization

/// Performs the requests of desks: the only part of the editor that touches files.
///
/// It works in the order of the requests, without threads of its own: a script waits for each
/// reply, the editor runs it on a background queue.
package final class World: Sendable {
  /// The name of `-` as an input.
  package static let standardInputName = "standard input"
  package static let standardOutputName = "standard output"

  package let files: any FileSystem
  package let options: Options
  let store: DocumentStore
  /// How the tables that were opened are read.
  let readings = Readings()
  /// Work to be done after the reply.
  let chores = Mutex<[@Sendable () -> String?]>([])
  /// Where bytes for standard output go; `nil` for standard output itself.
  let outputSink = Mutex<(@Sendable ([UInt8]) throws(Failure) -> Void)?>(nil)

  /// How the world works.
  package struct Options: Sendable {
    /// Whether opening a `.doc` that does not exist begins a new document of that name.
    package var beginsNewDocuments = false
    /// The folder of journals, earlier versions and standby files of saves; `nil` keeps none.
    package var state: StateFolder?
    /// Whether edits are journalled, and opening a document looks for left work on it.
    package var keepsEdits = false
    /// The time in seconds since 1970, and its text for people.
    package var now: @Sendable () -> Double = { 0 }
    package var clock: @Sendable (Double) -> String = { _ in "" }
    /// Called with the path of the journal as soon as it is begun.
    package var noteJournal: @Sendable (String) -> Void = { _ in }
    /// The number of this process.
    package var process = 0
    /// The colours of standard output, by the user's choice.
    package var outputDepth: @Sendable (ColourChoice) -> PortolanTerminals.ColourDepth = {
      PortolanTerminals.ColourDepth(choice: $0, terminalColours: nil, environment: { _ in nil })
    }

    /// Runs another program and reads what it writes; `nil` where none may be run.
    package var runProgram: (@Sendable ([String]) throws(ProgramOutput.Refusal) -> ProgramOutput)?

    /// The columns of the terminal on standard output; `nil` if it is none.
    package var outputColumns: @Sendable () -> Int? = { nil }

    /// Called before anything is written to standard output.
    package var beforeOutput: @Sendable () -> Void = {}

    /// The configuration.
    package var settings = Settings()

    /// How many bytes the earlier versions of all documents may take.
    package var versionsBytesMax = 1 << 30
    /// Whether opened documents are edited: they are locked and watched.
    package var guardsDocuments = false
    /// Whether pipes that are named as inputs are read, and their writers waited for.
    package var readsPipes = false
    /// Which documents are read in parts, where a part is all that a verb needs.
    package var partialReading = PartialReading()
    /// Which files of map data are read in parts by verbs that can.
    package var partialData = PartialReading(countMin: 4 << 20)
    /// The formats of map data that are read, likeliest first.
    package var importers = FileFormats.importers
    /// The base maps that the program brings; `nil` if it brings none.
    package var base: BuiltInBase?
    /// The paths where a package may have installed a finer one, the first one first.
    package var finerBasePaths: [String] = []
    /// The lock holder that other users see; `nil` means this process.
    package var holder: LockHolder?
    /// The socket of a program that has a document open, where there is one.
    package var socket: @Sendable (LockHolder) -> String? = { _ in nil }

    package init() {}
  }

  package init(files: any FileSystem, options: Options = Options()) {
    self.files = files
    self.options = options
    store = Self.makeStore(files, options, readings)
  }

  /// Writes lines for people to standard output: nothing in one ends it or acts on a terminal.
  package func print(_ lines: [String]) throws(Failure) {
    let safe = lines.map { line in
      // A tab divides what a program may cut apart.
      line.split(separator: "\t", omittingEmptySubsequences: false)
        .map { DisplayWidth.sanitised(String($0)) }.joined(separator: "\t") + "\n"
    }
    try writeOutput(Array(safe.joined().utf8))
  }

  /// Writes a text for programs to standard output: as it is, unless that is a terminal.
  package func printData(_ text: String) throws(Failure) {
    try write(to: "-", overwrites: false, as: .text) { try $0(Array(text.utf8)) }
  }

  /// Interrupts the write under way, and calls `end` if no half-written file is left.
  ///
  /// - Returns: whether it was called; the write may be over at the next try.
  package func interrupt(then end: () -> Void) -> Bool { store.interrupt(then: end) }

  /// Adds work to be done after the reply.
  func addChore(_ chore: @escaping @Sendable () -> String?) {
    chores.withLock { $0.append(chore) }
  }

  /// Does the chores; returns their messages.
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

  /// The progress report and the cancellation check of long work.
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

    /// Reports the part that is done, from 0 to 1; throws when the work was cancelled.
    func report(_ fraction: Double) throws {
      try check()
      tell(fraction)
    }

    /// Throws when the work was cancelled.
    func check() throws {
      if cancellation.isCancelled { throw Failure(.interrupted, what: "cancelled") }
    }

    var isCancelled: Bool { cancellation.isCancelled }

    /// The same for work that throws failures alone.
    func checkFailure() throws(Failure) {
      if cancellation.isCancelled { throw Failure(.interrupted, what: "cancelled") }
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

  /// Writes what another program made to standard output: nothing in it acts on a terminal.
  package func sendOutput(_ bytes: [UInt8]) throws(Failure) {
    try write(to: "-", overwrites: false, as: .text) { try $0(bytes) }
  }

  /// Sends what a piece of work writes to standard output elsewhere.
  func redirecting<Value>(
    to sink: (@Sendable ([UInt8]) throws(Failure) -> Void)?, _ work: () -> Value
  ) -> Value {
    outputSink.withLock { $0 = sink }
    defer { outputSink.withLock { $0 = nil } }
    return work()
  }

  func writeOutput(_ bytes: [UInt8]) throws(Failure) {
    if let sink = outputSink.withLock({ $0 }) { return try sink(bytes) }
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

  /// The text of a script; `-` is standard input.
  package func scriptText(_ path: String) throws(Failure) -> String { try readText(path) }

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
  /// - Parameter refusal: called with the first bytes; an error it returns is thrown before the
  ///   rest is read.
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
