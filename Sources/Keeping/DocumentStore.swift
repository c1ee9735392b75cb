package import PortolanDocuments
package import PortolanFiles
import Synchronization

/// Keeps documents in files, whatever their format: opens, saves, locks and watches them, keeps
/// their earlier versions and journals, and finds the left work on them.
///
/// An open document is identified by the real path of its file: another name of the file, a link,
/// leads to the same document. The store has no thread of its own and no words for people: its
/// results are cases.
package final class DocumentStore: Sendable {
  /// Larger files are not read, in bytes.
  package static let bytesMax = 4 << 30

  package let files: any FileSystem
  package let options: Options
  let table = Mutex<FileTable>(FileTable())
  /// Held while a file is written.
  let writing = Mutex<Void>(())
  let isInterrupted = Atomic<Bool>(false)
  /// What was read of standard input before.
  let input = Mutex(HeldInput())
  /// Saved contents that are still to be kept as versions.
  let pendingVersions = Mutex<[PendingVersion]>([])

  /// How the store works.
  package struct Options: Sendable {
    /// Chooses the codec of a file by its path and its first bytes, at most `FileHead.count`;
    /// without bytes, that of a new file. An error it throws is the reason why the file cannot be
    /// opened.
    package var codec:
      @Sendable (_ path: String, _ head: ArraySlice<UInt8>) throws -> any FileCodec =
        { _, _ in DocumentCodec() }
    /// Whether opening a path without a file begins a new document of that name.
    package var beginsNew: @Sendable (_ path: String) -> Bool = { _ in false }
    /// The folder of journals, earlier versions and standby files of saves; `nil` keeps none.
    package var state: StateFolder?
    /// Whether opening a document looks for left work on it.
    package var keepsEdits = false
    /// Whether opened documents are edited: they are locked and watched.
    package var guardsDocuments = false
    /// Which documents are read in parts, where a part is all that is needed.
    package var partialReading = PartialReading()
    /// Whether pipes are read, and their writers waited for.
    package var readsPipes = false
    /// The lock holder that other users see; `nil` means this process.
    package var holder: LockHolder?
    /// How many bytes the earlier versions of all documents may take.
    package var versionsBytesMax = 1 << 30

    package init() {}
  }

  package init(files: any FileSystem, options: Options = Options()) {
    self.files = files
    self.options = options
  }

  /// Interrupts the write under way, and calls `end` if no half-written file is left.
  ///
  /// - Returns: whether it was called; the write may be over at the next try.
  package func interrupt(then end: () -> Void) -> Bool {
    isInterrupted.store(true, ordering: .relaxed)
    return writing.withLockIfAvailable { _ in end() } != nil
  }

  // MARK: Files

  /// The files that were read or written.
  struct FileTable: Sendable {
    /// By the keys of their real paths.
    var files: [[UInt8]: KeptFile] = [:]
    /// The key of each open file, by the key of the path that it was opened or saved under.
    var keys: [[UInt8]: [UInt8]] = [:]

    subscript(key: [UInt8], path: String) -> KeptFile {
      get { files[key] ?? KeptFile(path: path) }
      set { files[key] = newValue }
    }
  }

  /// The record of a file.
  struct KeptFile: Sendable {
    /// The path that it was opened or saved under.
    var path: String
    /// The version last read or written; `nil` if there is none.
    var version: FileVersion?
    /// How many opens and first saves were not closed yet; 0 without an editor.
    var openings = 0
    var lock: DocumentLock?
    /// The state of the watch while the document is open; `nil` when it is not.
    var watch: Watch?
  }

  /// The findings about the file of an open document.
  struct Watch: Sendable {
    /// The version found by the last check: a change is reported when it has settled.
    var found: FileIdentity?
    /// The version reported last.
    var told: FileIdentity??
    /// Whether somebody else had the document open at the last check.
    var isHeldByOthers = false
  }

  /// The key of a file: its real path, or the key of the open document that it is another name of.
  func key(of path: String) -> [UInt8] {
    if let key = table.withLock({ $0.keys[FilePath.key(path)] }) { return key }
    let real = FilePath.key(realPath(of: path))
    let open = table.withLock { $0.files[real]?.watch == nil ? $0.openFiles : [] }
    guard !open.isEmpty, let status = try? files.targetStatus(path), status.linkCount > 1 else {
      return real
    }
    let same = open.first { file in
      guard let other = try? files.targetStatus(file.path).identity else { return false }
      return other.inode == status.identity.inode && other.device == status.identity.device
    }
    return same.flatMap { file in table.withLock { $0.keys[FilePath.key(file.path)] } } ?? real
  }

  /// The path under which the document of a file is open here; `nil` if it is not.
  package func openPath(of path: String) -> String? {
    let key = key(of: path)
    return table.withLock { table in
      table.files[key].flatMap { $0.watch == nil ? nil : $0.path }
    }
  }

  /// Whether a file was read, written or begun here.
  package func knows(_ path: String) -> Bool { known(path) != nil }

  /// The file at a path as last read or written; `nil` if it was not.
  package func base(of path: String) -> FileBase? {
    known(path).flatMap { known in
      known.identity.map { FileBase(identity: $0, isArchive: known.codec.isArchive) }
    }
  }

  /// The codec of a file that was read or written here.
  package func codec(of path: String) -> (any FileCodec)? { known(path)?.codec }

  func known(_ path: String) -> FileVersion? {
    let key = key(of: path)
    return table.withLock { $0.files[key]?.version }
  }

  /// The absolute path without links, whether there is a file or not.
  package func realPath(of path: String) -> String { files.knownPath(of: path) }
}

/// A version of a file on this disk.
package struct FileVersion: Sendable {
  /// The identity that the next save checks; `nil` for a file that was not there.
  var identity: FileIdentity?
  /// The mark of its content, which the next save checks too.
  var mark: FileMark?
  var codec: any FileCodec
  /// Whether it is among the earlier versions already.
  var isKept = false
  /// The older format of the file; the first save keeps it beside the new one.
  var migratedFrom: Int?

  /// What a save expects of the file; `nil` for a file that was not there.
  var expectation: SaveExpectation? {
    guard let identity else { return nil }
    guard let mark else { return .version(identity) }
    return mark.value.map { .version(identity, $0) } ?? .foreign
  }
}

extension FileSystem {
  /// The absolute path without links, whether there is a file or not.
  package func knownPath(of path: String) -> String {
    if let real = try? realPath(path) { return real }
    let folder = FilePath.folder(of: path)
    return FilePath.join((try? realPath(folder)) ?? folder, FilePath.name(of: path))
  }
}

extension DocumentStore.FileTable {
  /// The files of open documents, by name.
  var openFiles: [DocumentStore.KeptFile] {
    files.values.filter { $0.watch != nil }.sorted { $0.path < $1.path }
  }
}
