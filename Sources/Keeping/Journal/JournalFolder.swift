package import PortolanFiles

/// The folder where journals lie, and what is found in it.
package struct JournalFolder: Sendable {
  package let state: StateFolder
  package let files: any FileSystem

  /// No journal is read that is larger than this, in bytes.
  package static let byteLimit = 8 << 30
  private static let ending = ".journal"
  /// What an unnamed document's journal is called.
  private static let untitled = "untitled"

  package init(_ state: StateFolder, in files: any FileSystem) {
    self.state = state
    self.files = files
  }

  /// What is known of a journal without taking it over.
  package struct Entry: Sendable {
    package enum State: Hashable, Sendable {
      /// Its writer is gone: the work in it can be recovered.
      case left
      /// An editor that runs is writing it.
      case inUse
      /// It is not ours, and was not opened.
      case foreign
      /// It cannot be read; the text says why.
      case damaged(String)
    }

    package var path: String
    package var state: State
    /// The document's path, empty for one without a name; `nil` where that is not known.
    package var document: String?
    package var stepCount = 0
    /// The last edit, in seconds since 1970; the file's last change where that is not known.
    package var lastTime = 0.0
    /// The process that wrote it; `nil` where that is not known.
    package var process: Int?
    package var byteCount = 0
  }

  /// What a journal is called by people: neither its folder nor its ending.
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

  /// The journals of a document that nobody writes any more, taken over and locked.
  ///
  /// A journal that tells nothing, because it was cut off before its first step, is removed.
  ///
  /// - Parameters:
  ///   - document: the real path; empty for documents without a name.
  ///   - note: told why a journal of the document cannot be read, for each.
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
        // What another process removed meanwhile, or is not ours, was not left by us.
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
      // One that was cut off before its head was there never held anything.
      if error.code != .notAJournal { note("\(FilePath.name(of: path)): \(error.what)") }
    }
    taken.file.leave()
    return nil
  }

  /// What became of taking over one journal.
  package enum Taken: Sendable {
    case journal(LeftJournal)
    /// It is ours, and cannot be read; the text says why.
    case damaged(JournalFile, String)
    case inUse
  }

  /// Takes over the journal of a name, whatever document it is of.
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

  /// Begins a journal for a document; one that is there already stays beside it.
  package func create(_ head: JournalHead) throws -> JournalFile {
    let isNew = !files.exists(state.path(of: .recovery))
    let folder = try state.make(.recovery, in: files)
    if isNew { try pin(folder) }
    let stem = Self.stem(for: head.path)
    for number in 1..<10_000 {
      let name = stem + (number == 1 ? "" : ".\(number)") + Self.ending
      do {
        return try JournalFile.create(at: FilePath.join(folder, name), head: head, in: files)
      } catch let error as FileError where error.isExisting {
        continue
      }
    }
    throw FileError.existing(FilePath.join(folder, stem))
  }

  /// Whether a journal's name is one under which the work on a document is looked for.
  package func isName(_ path: String, of document: String) -> Bool {
    FilePath.name(of: path).hasPrefix(Self.stem(for: document))
  }

  /// Begins a journal that is to take another one's place.
  package func createSuccessor(of former: JournalFile, _ head: JournalHead) throws -> JournalFile {
    let path = former.path + ".new"
    // One that was left by a writer that ended while it wrote it is not yet anything.
    if files.exists(path) { try files.remove(path, in: nil) }
    return try JournalFile.create(at: path, head: head, in: files)
  }

  /// Brings the names of folders that were just made to the disk: a journal in a folder that a
  /// power cut takes away is no journal.
  private func pin(_ folder: String) throws(FileError) {
    var path = folder
    for _ in 0..<3 where path != "/" && path != "." {
      path = FilePath.folder(of: path)
      let parent = try files.open(path, in: nil, .directory)
      defer { try? files.close(parent) }
      try files.synchronize(parent)
    }
  }

  private static func stem(for document: String) -> String {
    document.isEmpty ? untitled : StateFolder.name(for: document)
  }
}

/// A journal whose writer is gone, locked for us.
package struct LeftJournal: Sendable {
  package let journal: Journal
  package var file: JournalFile
  /// Whether edits cannot go behind it as it is: it lacks what it begins with, or not all of it
  /// could be taken in.
  package var isToBeWrittenAnew = false

  package init(journal: Journal, file: JournalFile) {
    self.journal = journal
    self.file = file
    self.file.resume(journal)
  }
}
