import Foundation
import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanKeeping

/// The store as editors have it: documents are locked, watched and journalled.
@Suite struct DocumentStoreTests {
  let files = MemoryFileSystem(files: ["/m/other": [1]])

  init() throws {
    for name in ["a", "b"] {
      files.put(try DocumentFile.bytes(of: .towns.titled(name)), at: "/m/\(name).doc")
    }
  }

  func store(
    process: Int32 = 1, guards: Bool = true, on files: (any FileSystem)? = nil
  ) -> DocumentStore {
    var options = DocumentStore.Options()
    options.codec = { path, _ in
      if FilePath.ending(of: path) == "lines" { return LineCodec() }
      return DocumentCodec()
    }
    options.beginsNew = { FilePath.ending(of: $0) != "doc" || $0.contains("new") }
    options.state = StateFolder(path: "/state/portolan")
    options.keepsEdits = true
    options.guardsDocuments = guards
    options.holder = LockHolder(user: "u\(process)", host: "box", process: process, since: 0)
    return DocumentStore(files: files ?? self.files, options: options)
  }

  /// Saves as an editor does that has the document open.
  @discardableResult
  private func save(
    _ title: String, _ path: String, in store: DocumentStore, from openPath: String? = nil,
    isForced: Bool = false, acceptsLosses: Bool = false
  ) throws -> SaveResult {
    var order = SaveOrder(.towns.titled(title), to: path)
    order.openPath = openPath ?? path
    order.overwrites = isForced || openPath == nil
    order.isForced = isForced
    order.acceptsLosses = acceptsLosses
    let result = try store.save(order)
    #expect(store.keepPendingVersions().isEmpty)
    return result
  }

  private func title(_ path: String) throws -> String {
    try store(guards: false).open(path).contents.document.metadata.title
  }

  private func link(_ name: String, to newName: String) throws {
    let folder = try files.open("/m", in: nil, .directory)
    try files.link(name, to: newName, in: folder)
    try files.close(folder)
  }

  private var locks: [String] {
    get throws { try files.names(in: "/m").filter { $0.hasSuffix(".lock") } }
  }

  // MARK: Opening and saving

  @Test func `A document is begun, saved, opened, changed and saved over`() throws {
    let store = store()
    let begun = try store.open("/m/new.doc")
    #expect(begun.isNew && begun.isWritable && begun.lock == .ours)
    #expect(try save("one", "/m/new.doc", in: store) == .saved(notes: [], isConfirmed: true))
    #expect(try save("two", "/m/new.doc", in: store) == .saved(notes: [], isConfirmed: true))
    #expect(try title("/m/new.doc") == "two")
    #expect(try store.versions(of: "/m/new.doc").count == 2)
    store.closeAll()
    #expect(try locks.isEmpty)
  }

  @Test func `Folders, absent files and cut documents are told, and nothing is held`() throws {
    let store = store()
    let whole = try files.read("/m/a.doc", limit: 1 << 20)
    files.put(Array(whole.dropLast(9)), at: "/m/cut.doc")
    for path in ["/m", "/m/absent.doc", "/m/cut.doc"] {
      let error = #expect(throws: StoreError.self) { try store.open(path) }
      #expect(error?.path == path)
      #expect(error?.isNoSuchFile == (path == "/m/absent.doc"))
    }
    #expect(try locks.isEmpty)
  }

  @Test func `A save over what another program wrote is not done`() throws {
    let store = store()
    _ = try store.open("/m/a.doc")
    files.put(try files.read("/m/b.doc", limit: 1 << 20), at: "/m/a.doc")
    guard case .changed(_, wasThere: true) = try save("mine", "/m/a.doc", in: store) else {
      Issue.record("not noticed")
      return
    }
    #expect(try title("/m/a.doc") == "b")
    let forced = try save("mine", "/m/a.doc", in: store, isForced: true)
    #expect(forced == .saved(notes: [.theirsKept("/m/a.doc.theirs")], isConfirmed: true))
    #expect(try title("/m/a.doc.theirs") == "b")
  }

  @Test(arguments: [("a.doc", false), ("a.doc", true), ("t.lines", false)])
  func `A write that leaves the file's status as it was is noticed by its content`(
    name: String, isLarge: Bool
  ) throws {
    let files = RealFileSystem()
    let folder = try files.realPath(NSTemporaryDirectory()) + "/portolan-\(UUID().uuidString)"
    try files.makeDirectory(folder, mode: 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/" + name
    let content = try self.files.read("/m/a.doc", limit: 1 << 20)
    let before = name == "a.doc" ? content : Array("towns\n".utf8)
    try Data(before).write(to: URL(fileURLWithPath: path))
    var options = store().options
    options.state = StateFolder(path: folder + "/state")
    if isLarge {
      (options.partialReading.wholeCountMin, options.partialReading.settlingTime) = (1, 0)
    }
    let store = DocumentStore(files: files, options: options)
    let opened = try store.open(path)
    var status = stat()
    #expect(stat(path, &status) == 0)
    var theirs = before
    theirs[theirs.count / 2] ^= 1
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: Data(theirs))
    try file.close()
    #expect(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
    var order = SaveOrder(opened.contents.document.titled("mine"), to: path)
    (order.openPath, order.overwrites, order.acceptsLosses) = (path, true, true)
    guard case .changed(_, wasThere: true) = try store.save(order) else {
      Issue.record("not noticed")
      return
    }
    #expect(try files.read(path, limit: 1 << 20) == theirs)
    order.isForced = true
    guard case .saved(let notes, _) = try store.save(order) else {
      Issue.record("not saved")
      return
    }
    #expect(notes.contains(.theirsKept(path + ".theirs")))
    #expect(try files.read(path + ".theirs", limit: 1 << 20) == theirs)
    // What we wrote ourselves is asked about no more.
    order.isForced = false
    guard case .saved = try store.save(order) else {
      Issue.record("asked again")
      return
    }
  }

  // MARK: Several documents

  @Test func `All open documents are looked at, each until it is closed`() throws {
    let store = store()
    for name in ["a", "b"] { _ = try store.open("/m/\(name).doc") }
    #expect(try locks == [".a.doc.lock", ".b.doc.lock"])
    let other = try DocumentFile.bytes(of: .towns.titled("other"))
    for name in ["a", "b"] { files.put(other, at: "/m/\(name).doc") }
    #expect(store.look().isEmpty, "it may still be written")
    #expect(
      store.look() == [
        .changed(path: "/m/a.doc", .written), .changed(path: "/m/b.doc", .written),
      ])
    #expect(store.look().isEmpty)
    try files.remove("/m/a.doc", in: nil)
    store.close("/m/b.doc")
    try files.remove("/m/b.doc", in: nil)
    #expect(try locks == [".a.doc.lock"])
    _ = store.look()
    #expect(store.look() == [.changed(path: "/m/a.doc", .removed)])
  }

  @Test func `Who wants one of several documents is told of that one`() throws {
    let store = store()
    for name in ["a", "b"] { _ = try store.open("/m/\(name).doc") }
    let second = self.store(process: 2)
    guard case .held(let holder) = try second.open("/m/b.doc").lock else {
      Issue.record("not held")
      return
    }
    #expect(holder?.process == 1)
    guard case .wanted("/m/b.doc", by: let who)? = store.look().first else {
      Issue.record("not told")
      return
    }
    #expect(who.process == 2)
    #expect(store.look().isEmpty)
    store.close("/m/b.doc")
    #expect(second.look() == [.freed(path: "/m/b.doc")])
  }

  @Test func `A save of one document leaves what is known of the other`() throws {
    let store = store()
    for name in ["a", "b"] { _ = try store.open("/m/\(name).doc") }
    try save("mine", "/m/a.doc", in: store)
    for _ in 0..<2 { #expect(store.look().isEmpty) }
    files.put([1, 2], at: "/m/b.doc")
    _ = store.look()
    #expect(store.look() == [.changed(path: "/m/b.doc", .written)])
    guard case .changed = try save("mine", "/m/b.doc", in: store) else {
      Issue.record("not noticed")
      return
    }
  }

  @Test func `A document is not saved over another one that is open here`() throws {
    let store = store()
    for name in ["a", "b"] { _ = try store.open("/m/\(name).doc") }
    for isForced in [false, true] {
      let error = #expect(throws: StoreError.self) {
        try save("mine", "/m/b.doc", in: store, from: "/m/a.doc", isForced: isForced)
      }
      guard case .openHere("/m/b.doc")? = error?.code else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(throws: StoreError.self) {
        try store.put([1], at: "/m/b.doc", overwrites: true, isForced: isForced)
      }
    }
    #expect(try title("/m/b.doc") == "b")
    store.close("/m/b.doc")
    try save("mine", "/m/b.doc", in: store, from: "/m/a.doc", isForced: true)
    #expect(try title("/m/b.doc") == "mine")
  }

  // MARK: Names

  /// Names of `/m/a.doc`, whatever kind of link they are.
  @Test(arguments: ["hard", "symbolic", "folder", "detour"])
  func `Two names of one file are one document`(kind: String) throws {
    var name = "/m/link.doc"
    switch kind {
    case "hard": try link("a.doc", to: "link.doc")
    case "symbolic": files.putLink(to: "a.doc", at: name)
    case "folder":
      files.putLink(to: "/m", at: "/n")
      name = "/n/a.doc"
    default: name = "/m/../m/./a.doc"
    }
    for (first, second) in [("/m/a.doc", name), (name, "/m/a.doc")] {
      let store = store()
      #expect(try store.open(first).path == first)
      let again = try store.open(second)
      #expect(again.path == first && again.lock == .ours)
      #expect(store.openPath(of: second) == first)
      #expect(store.base(of: second) == store.base(of: first))
      // One document is saved under its other name, another one is not.
      #expect(throws: StoreError.self) {
        try save("other", second, in: store, from: "/m/b.doc", isForced: true)
      }
      let saved = try save("again", second, in: store, from: first, isForced: true)
      #expect(saved == .saved(notes: [], isConfirmed: true))
      #expect(try title(first) == "again" && title(second) == "again")
      // From then on it is open under that name, and closing the former one changes nothing.
      #expect(store.openPath(of: first) == second)
      store.close(first)
      #expect(store.openPath(of: second) == second)
      #expect(try !locks.isEmpty)
      for _ in 0..<2 { #expect(store.look().isEmpty) }
      // It was opened twice: the first close leaves it to the other opening.
      store.close(second)
      #expect(store.openPath(of: second) == second)
      store.close(second)
      #expect(try locks.isEmpty)
      #expect(store.openPath(of: second) == nil)
    }
  }

  @Test func `Another name of an open document hides no change of its file`() throws {
    files.putLink(to: "a.doc", at: "/m/link.doc")
    let store = store()
    _ = try store.open("/m/a.doc")
    files.put(try files.read("/m/b.doc", limit: 1 << 20), at: "/m/a.doc")
    #expect(try store.open("/m/link.doc").path == "/m/a.doc")
    _ = store.look()
    #expect(store.look() == [.changed(path: "/m/a.doc", .written)])
    guard case .changed = try save("mine", "/m/a.doc", in: store) else {
      Issue.record("overwritten")
      return
    }
  }

  @Test func `A name that has become another file's is another document`() throws {
    try link("a.doc", to: "link.doc")
    let store = store()
    _ = try store.open("/m/a.doc")
    try files.remove("/m/link.doc", in: nil)
    try link("b.doc", to: "link.doc")
    let other = try store.open("/m/link.doc")
    #expect(other.path == "/m/link.doc")
    #expect(other.contents.document.metadata.title == "b")
  }

  @Test func `A link that leads nowhere yet is the document that is begun there`() throws {
    files.putLink(to: "new.doc", at: "/m/link.doc")
    let store = store()
    var order = SaveOrder(.towns.titled("begun"), to: "/m/link.doc")
    order.openPath = nil
    _ = try store.save(order)
    #expect(try store.open("/m/new.doc").path == "/m/link.doc")
    #expect(try title("/m/new.doc") == "begun")
  }

  // MARK: Data files

  @Test func `A data file is opened, locked, watched and saved as a document is`() throws {
    files.put(Array("towns\n".utf8), at: "/m/t.lines")
    let store = store()
    let opened = try store.open("/m/t.lines")
    #expect(opened.isWritable && !opened.isArchive && opened.lock == .ours)
    #expect(opened.contents.document.metadata.title == "towns")
    #expect(try locks == [".t.lines.lock"])
    guard case .held = try self.store(process: 2).open("/m/t.lines").lock else {
      Issue.record("not held")
      return
    }
    // What the format does not keep is told before anything is written.
    #expect(try save("mine", "/m/t.lines", in: store) == .lossy(["1 layer"]))
    #expect(try files.read("/m/t.lines", limit: 99) == Array("towns\n".utf8))
    let saved = try save("mine", "/m/t.lines", in: store, acceptsLosses: true)
    #expect(saved == .saved(notes: [.lost(["1 layer"])], isConfirmed: true))
    #expect(try files.read("/m/t.lines", limit: 99) == Array("mine\n".utf8))
    // The content before and after are versions, byte by byte.
    #expect(try store.versions(of: "/m/t.lines").map(\.reason) == [.before, .saved])
    #expect(try store.bytes(ofVersion: 1, of: "/m/t.lines") == Array("towns\n".utf8))
    files.put(Array("theirs\n".utf8), at: "/m/t.lines")
    _ = store.look()
    #expect(store.look() == [.changed(path: "/m/t.lines", .written)])
    guard case .changed = try save("more", "/m/t.lines", in: store, acceptsLosses: true) else {
      Issue.record("not noticed")
      return
    }
  }

  @Test(arguments: [false, true])
  func `Work on a data file comes back, whole, onto its file or beside it`(
    isChanged: Bool
  ) throws {
    files.put(Array("towns\n".utf8), at: "/m/t.lines")
    let first = store()
    let opened = try first.open("/m/t.lines")
    var history = History(opened.contents.document)
    // What the format would not keep is in the journal.
    history.record(Document.towns.titled("edited"), title: "edit")
    let set = first.journalSet(process: 1, now: { 1000 }, report: { _, _ in })
    var journals = try #require(set)
    journals.observe([
      JournaledDocument(id: 1, history: history, path: "/m/t.lines", isFile: true)
    ])
    #expect(journals.close(atMost: 60))
    files.closeAll()
    if isChanged { files.put(Array("theirs\n".utf8), at: "/m/t.lines") }
    let again = try store().open("/m/t.lines")
    let work = try #require(again.leftWork.first)
    #expect(work.isSeparate == isChanged && work.problem == nil)
    #expect(work.history?.value.metadata.title == "edited")
    #expect(work.history?.value.layers.count == 1)
    #expect(work.lastTime == 1000)
  }

  @Test func `A format that is only read leaves its file alone`() throws {
    files.put(Array("towns\n".utf8), at: "/m/t.lines")
    var options = DocumentStore.Options()
    options.codec = { _, _ in LineCodec(isWritable: false) }
    options.guardsDocuments = true
    let store = DocumentStore(files: files, options: options)
    let opened = try store.open("/m/t.lines")
    #expect(!opened.isWritable && opened.lock == .none)
    #expect(try locks.isEmpty)
    #expect(store.base(of: "/m/t.lines") == nil && store.look().isEmpty)
  }

  @Test func `What a document that cannot be read any more began with is in its journal`() throws {
    let first = store()
    let opened = try first.open("/m/a.doc")
    var history = History(opened.contents.document)
    history.record(opened.contents.document.titled("edited"), title: "title")
    let set = first.journalSet(process: 1, now: { 1000 }, report: { _, _ in })
    var journals = try #require(set)
    journals.observe([JournaledDocument(id: 1, history: history, path: "/m/a.doc", isFile: true)])
    #expect(journals.close(atMost: 60))
    files.closeAll()
    files.put([1, 2, 3], at: "/m/a.doc")
    let second = store()
    let error = #expect(throws: StoreError.self) { try second.open("/m/a.doc") }
    #expect(error?.hasLeftWork == true)
    let work = try #require(second.leftWork(on: "/m/a.doc").works.first)
    #expect(work.history?.value.metadata.title == "edited")
    #expect(work.history?.past.count == 1)
  }
}

/// A format that keeps a document's title and nothing else, as one line of text.
private struct LineCodec: FileCodec {
  var isWritable = true
  var isArchive: Bool { false }

  func decode(
    _ bytes: [UInt8], progress: (Double) throws -> Void
  ) throws -> DecodedFile {
    var document = Document()
    document.metadata.title = String(decoding: bytes.dropLast(), as: UTF8.self)
    return DecodedFile(document)
  }

  func encode(_ document: Document) throws -> EncodedFile {
    EncodedFile(
      Array((document.metadata.title + "\n").utf8),
      losses: document.layers.isEmpty ? [] : ["\(document.layers.count) layer"])
  }
}
