package import PortolanFiles

/// The folder of the journals, and its listing.
package struct JournalFolder: Sendable {
  package let state: StateFolder
  package let files: any FileSystem

  /// Larger journals are not read, in bytes.
  package static let byteLimit = 8 << 30
  private static let ending = ".journal"
  /// The journal name of an unnamed document.
  private static let untitled = "untitled"

  package init(_ state: StateFolder, in files: any FileSystem) {
    self.state = state
    self.files = files
  }

  /// A journal's description, read without taking it over.
  package struct Entry: Sendable {
    package enum State: Hashable, Sendable {
      /// Its writer is gone: its work can be recovered.
      case left
      /// A running editor is writing it.
      case inUse
      /// It is not ours, and was not opened.
      case foreign
      /// It cannot be read; the text says why.
      case damaged(String)
    }

    package var path: String
    package var state: State
    /// The document's path, empty for an unnamed one; `nil` where it is not known.
    package var document: String?
    package var stepCount = 0
    /// The time of the last edit, in seconds since 1970; the file's last change if that is not
    /// known.
    package var lastTime = 0.0
    /// The process of its writer; `nil` where it is not known.
    package var process: Int?
    package var byteCount = 0
  }

  /// The name that users see: without folder and ending.
  package static func name(of path: String) -> String {
    let name = FilePath.name(of: path)
    return name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  // MARK: Finding

  /// All journals, by name.
  package func entries() -> [Entry] {
    let folder = state.path(of: .recovery)
    guard let names = try? files.names(in: folder) else { return [] }
    return names.filter { $0.hasSuffix(Self.ending) }.compactMap { name in
      entry(at: FilePath.join(folder, name))
    }
  }

  private func entry(at path: String) -> Entry? {
    guard let status = try? files.status(path, in: nil) else { return nil }
    var entry = Entry(path: path, state: .foreign)
    entry.lastTime = Double(status.identity.modified) / 1e9
    entry.byteCount = Int(clamping: status.identity.size)
    guard status.kind == .regular, status.owner == files.user else { return entry }
    do {
      guard let (file, bytes) = try JournalFile.adopt(path, in: files) else {
        entry.state = .inUse
        if let bytes = try? files.read(path, limit: Self.byteLimit) { fill(&entry, bytes) }
        return entry
      }
      file.leave()
      entry.state = .left
      fill(&entry, bytes)
    } catch {
      entry.state = .damaged(error.what)
    }
    return entry
  }

  private func fill(_ entry: inout Entry, _ bytes: [UInt8]) {
    do throws(JournalError) {
      let journal = try Journal(bytes)
      entry.document = journal.head.path
      entry.stepCount = journal.stepCount
      entry.process = journal.head.process
      entry.lastTime = journal.lastTime
    } catch {
      entry.state = .damaged(error.what)
    }
  }

  /// The journals of a document whose writers are gone, taken over and locked.
  ///
  /// A journal that was cut off before its first step holds nothing and is removed.
  ///
  /// - Parameters:
  ///   - document: the real path; empty for documents without a name.
  ///   - note: called for each journal of the document that cannot be read, with the reason.
  package func takeOver(
    document: String, notingUnreadable note: (String) -> Void = { _ in }
  ) -> [LeftJournal] {
    let folder = state.path(of: .recovery)
    guard let names = try? files.names(in: folder) else { return [] }
    let stem = Self.stem(for: document)
    return names.filter { $0.hasPrefix(stem) && $0.hasSuffix(Self.ending) }.compactMap { name in
      do throws(FileError) {
        return try takeOver(FilePath.join(folder, name), document, note)
      } catch {
        // A journal removed by another process meanwhile, or not ours, is no left work of ours.
        if !error.isNoSuchFile, !error.isNotOurs { note("\(name): \(error)") }
        return nil
      }
    }
  }

  private func takeOver(
    _ path: String, _ document: String, _ note: (String) -> Void
  ) throws(FileError) -> LeftJournal? {
    guard let taken = try JournalFile.adopt(path, in: files) else { return nil }
    do throws(JournalError) {
      let journal = try Journal(taken.bytes)
      if FilePath.isSame(journal.head.path, document) {
        if !journal.records.isEmpty || !journal.head.isBaseSaved {
          return LeftJournal(journal: journal, file: taken.file)
        }
        try? taken.file.remove()
        return nil
      }
    } catch {
      // A journal cut off before its head was written never held anything.
      if error.code != .notAJournal { note("\(FilePath.name(of: path)): \(error.what)") }
    }
    taken.file.leave()
    return nil
  }

  /// The result of taking over one journal.
  package enum Taken: Sendable {
    case journal(LeftJournal)
    /// It is ours, and cannot be read; the text says why.
    case damaged(JournalFile, String)
    case inUse
  }

  /// Takes over the journal of a name, of any document.
  ///
  /// - Parameter name: with or without its folder and ending.
  /// - Throws: `FileError` where there is none or it is not ours.
  package func takeOver(named name: String) throws(FileError) -> Taken {
    let name = FilePath.name(of: name)
    let path = FilePath.join(
      state.path(of: .recovery), name.hasSuffix(Self.ending) ? name : name + Self.ending)
    guard let taken = try JournalFile.adopt(path, in: files) else { return .inUse }
    do throws(JournalError) {
      return .journal(LeftJournal(journal: try Journal(taken.bytes), file: taken.file))
    } catch {
      return .damaged(taken.file, error.what)
    }
  }

  // MARK: Beginning

  /// Begins a journal for a document, beside those that exist already.
  package func create(_ head: JournalHead) throws -> JournalFile {
    let folder = try state.make(.recovery, in: files)
    let stem = Self.stem(for: head.path)
    for number in 1..<10_000 {
      let name = stem + (number == 1 ? "" : ".\(number)") + Self.ending
      do {
        // A journal in a folder that a power cut removes is lost: there may be three new ones.
        return try JournalFile.create(
          at: FilePath.join(folder, name), head: head, outerFolderCount: 3, in: files)
      } catch let error as FileError where error.isExisting {
        continue
      }
    }
    throw FileError.existing(FilePath.join(folder, stem))
  }

  /// Whether left work on the document is looked for under this journal name.
  package func isName(_ path: String, of document: String) -> Bool {
    FilePath.name(of: path).hasPrefix(Self.stem(for: document))
  }

  /// Whether a journal is to replace another one, and not to stand beside it.
  func isSuccessor(_ file: JournalFile, of former: JournalFile) -> Bool {
    file.path == successorPath(of: former)
  }

  private func successorPath(of former: JournalFile) -> String { former.path + ".new" }

  /// Begins a journal that is to replace another one.
  package func createSuccessor(of former: JournalFile, _ head: JournalHead) throws -> JournalFile {
    let path = successorPath(of: former)
    // A successor left by a writer that crashed while writing it holds nothing yet.
    if files.exists(path) { try files.remove(path, in: nil) }
    return try JournalFile.create(at: path, head: head, in: files)
  }

  private static func stem(for document: String) -> String {
    document.isEmpty ? untitled : StateFolder.name(for: document)
  }
}

/// A journal whose writer is gone, locked for us.
package struct LeftJournal: Sendable {
  package let journal: Journal
  package var file: JournalFile
  /// Whether the journal must be rewritten before edits are appended: its base is missing, or not
  /// all records could be replayed.
  package var isToBeWrittenAnew = false

  package init(journal: Journal, file: JournalFile) {
    self.journal = journal
    self.file = file
    self.file.resume(journal)
  }
}
