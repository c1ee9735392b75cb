import Foundation
import PortolanFiles
import Testing

/// A folder for one test, removed with the value's end.
final class Scratch {
  let path: String
  let fileSystem = RealFileSystem()

  init() throws {
    // In memory where there is such a folder: thousands of saves wait for the disk otherwise.
    let isShared = access("/dev/shm", R_OK | W_OK | X_OK) == 0
    let parent = try fileSystem.realPath(isShared ? "/dev/shm" : NSTemporaryDirectory())
    path = parent + "/portolan-\(UUID().uuidString)"
    try fileSystem.makeDirectory(path, mode: 0o700)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String? = nil) throws -> String {
    let file = path + "/" + name
    if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: file)) }
    return file
  }

  func text(_ name: String) throws -> String {
    String(decoding: try fileSystem.read(path + "/" + name, limit: 1 << 20), as: UTF8.self)
  }

  var names: [String] { get throws { try fileSystem.names(in: path) } }
}

@Suite("Atomic save")
struct AtomicSaveTests {
  @Test("makes a new file with what the umask leaves")
  func newFile() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc")
    let outcome = try scratch.fileSystem.save(Array("new".utf8), to: path, expecting: .absent)
    #expect(try scratch.text("a.doc") == "new")
    #expect(try scratch.names == ["a.doc"])
    let status = try scratch.fileSystem.status(path, in: nil)
    #expect(status.mode == 0o666 & ~scratch.fileSystem.creationMask)
    #expect(status.identity == outcome.identity)
    #expect(outcome.warnings.isEmpty && outcome.theirs == nil)
  }

  @Test("replaces the known version, keeps its mode and leaves nothing else")
  func replaces() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    #expect(chmod(path, 0o640) == 0)
    let loaded = try scratch.fileSystem.load(path, limit: 100)
    let outcome = try scratch.fileSystem.save(
      Array("new".utf8), to: path, expecting: .version(loaded.identity))
    #expect(try scratch.text("a.doc") == "new")
    #expect(try scratch.names == ["a.doc"])
    #expect(try scratch.fileSystem.status(path, in: nil).mode == 0o640)
    #expect(outcome.theirs == nil && outcome.warnings.isEmpty)
    let again = try scratch.fileSystem.save(
      Array("newer".utf8), to: path, expecting: .version(outcome.identity))
    #expect(again.theirs == nil)
  }

  @Test("keeps a foreign version as theirs, with a number when that is taken")
  func keepsTheirs() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    let loaded = try scratch.fileSystem.load(path, limit: 100)
    _ = try scratch.file("a.doc", "foreign")
    _ = try scratch.file("a.doc.theirs", "earlier")
    let outcome = try scratch.fileSystem.save(
      Array("ours".utf8), to: path, expecting: .version(loaded.identity))
    #expect(outcome.theirs == scratch.path + "/a.doc.theirs.2")
    #expect(try scratch.text("a.doc") == "ours")
    #expect(try scratch.text("a.doc.theirs.2") == "foreign")
    #expect(try scratch.names == ["a.doc", "a.doc.theirs", "a.doc.theirs.2"])
  }

  @Test("does not overwrite what should not be there")
  func absentExists() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    #expect(throws: FileError.self) {
      _ = try scratch.fileSystem.save([], to: path, expecting: .absent)
    }
    #expect(try scratch.text("a.doc") == "old")
    #expect(try scratch.names == ["a.doc"])
  }

  @Test("writes again a file that was removed, and says so")
  func removedMeanwhile() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    let loaded = try scratch.fileSystem.load(path, limit: 100)
    try scratch.fileSystem.remove(path, in: nil)
    let outcome = try scratch.fileSystem.save(
      Array("ours".utf8), to: path, expecting: .version(loaded.identity))
    #expect(outcome.warnings == [.wasRemoved])
    #expect(try scratch.text("a.doc") == "ours")
  }

  @Test("follows a link to its target and keeps the link, also a dangling one")
  func keepsLinks() throws {
    let scratch = try Scratch()
    _ = try scratch.file("real.doc", "old")
    let link = try scratch.file("link.doc")
    let dangling = try scratch.file("dangling.doc")
    #expect(symlink("real.doc", link) == 0)
    #expect(symlink("later.doc", dangling) == 0)
    _ = try scratch.fileSystem.save(Array("new".utf8), to: link, expecting: .anything)
    _ = try scratch.fileSystem.save(Array("made".utf8), to: dangling, expecting: .anything)
    #expect(try scratch.text("real.doc") == "new")
    #expect(try scratch.text("later.doc") == "made")
    #expect(try scratch.fileSystem.status(link, in: nil).kind == .symbolicLink)
    #expect(try scratch.fileSystem.status(dangling, in: nil).kind == .symbolicLink)
    #expect(try scratch.names == ["dangling.doc", "later.doc", "link.doc", "real.doc"])
  }

  @Test("overwrites a file of several names in place", arguments: ["n", "a longer new text"])
  func keepsHardLinks(text: String) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old text")
    #expect(Foundation.link(path, scratch.path + "/b.doc") == 0)
    let before = try scratch.fileSystem.load(path, limit: 100)
    let outcome = try scratch.fileSystem.save(
      Array(text.utf8), to: path, expecting: .version(before.identity))
    #expect(try scratch.text("a.doc") == text)
    #expect(try scratch.text("b.doc") == text)
    #expect(try scratch.names == ["a.doc", "b.doc"])
    #expect(outcome.identity.inode == before.identity.inode)
    #expect(outcome.theirs == nil)
    #expect(try scratch.fileSystem.status(path, in: nil).identity == outcome.identity)
  }

  @Test("keeps the former version under a name when asked, also in place", arguments: [1, 2])
  func keepsFormer(names: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    if names == 2 { #expect(Foundation.link(path, scratch.path + "/b.doc") == 0) }
    var options = SaveOptions()
    options.formerVersionName = "a.doc.v1"
    let outcome = try scratch.fileSystem.save(
      Array("new".utf8), to: path, expecting: .anything, options: options)
    #expect(outcome.former == scratch.path + "/a.doc.v1")
    #expect(try scratch.text("a.doc.v1") == "old")
    #expect(try scratch.text("a.doc") == "new")
    if names == 2 { #expect(try scratch.text("b.doc") == "new") }
  }

  @Test("refuses a read-only file unless told, and drops suid")
  func readOnly() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    #expect(chmod(path, 0o444) == 0)
    #expect(throws: FileError.self) {
      _ = try scratch.fileSystem.save([], to: path, expecting: .anything)
    }
    var options = SaveOptions()
    options.replacesReadOnly = true
    #expect(chmod(path, 0o4444) == 0)
    _ = try scratch.fileSystem.save([65], to: path, expecting: .anything, options: options)
    #expect(try scratch.fileSystem.status(path, in: nil).mode == 0o444)
  }

  @Test("leaves nothing behind when it is given up")
  func abandoned() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    do {
      let save = try AtomicSave(to: path, expecting: .anything, in: scratch.fileSystem)
      try save.write(Array("half".utf8))
      #expect(try scratch.names.count == 2)
    }
    #expect(try scratch.names == ["a.doc"])
    #expect(try scratch.text("a.doc") == "old")
  }

  @Test("takes names as long as the system's limit")
  func longName() throws {
    let scratch = try Scratch()
    let path = try scratch.file(String(repeating: "ü", count: 127) + "d", "old")
    let loaded = try scratch.fileSystem.load(path, limit: 10)
    _ = try scratch.file(FilePath.name(of: path), "theirs")
    let outcome = try scratch.fileSystem.save([66], to: path, expecting: .version(loaded.identity))
    #expect(outcome.theirs != nil)
    #expect(try scratch.names.count == 2)
  }

  @Test("refuses folders, pipes and devices, and missing folders, naming path and remedy")
  func refusals() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch.path + "/pipe", 0o600) == 0)
    for path in [scratch.path, scratch.path + "/pipe", "/dev/null", scratch.path + "/no/a.doc"] {
      do {
        _ = try scratch.fileSystem.save([], to: path, expecting: .anything)
        Issue.record("saved to \(path)")
      } catch {
        #expect(error.description.contains(scratch.path) || path == "/dev/null")
        #expect(!error.remedy.isEmpty)
      }
    }
  }

  @Test("keeps attributes and, where it may, owner and group")
  func keepsMetadata() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    let file = try scratch.fileSystem.open(path, in: nil, .readWrite)
    let hasAttributes =
      (try? scratch.fileSystem.setAttribute("user.note", of: file, to: [1, 2])) != nil
    if geteuid() == 0 { #expect(chown(path, 1234, 5678) == 0) }
    let before = try scratch.fileSystem.status(file)
    try scratch.fileSystem.close(file)
    let outcome = try scratch.fileSystem.save([65], to: path, expecting: .anything)
    #expect(outcome.warnings.isEmpty)
    let after = try scratch.fileSystem.open(path, in: nil, .read)
    let status = try scratch.fileSystem.status(after)
    #expect(status.owner == before.owner && status.group == before.group)
    #expect(status.mode == before.mode)
    #expect(status.identity.inode != before.identity.inode)
    if hasAttributes {
      #expect(try scratch.fileSystem.attribute("user.note", of: after) == [1, 2])
    }
    try scratch.fileSystem.close(after)
  }

  @Test("overwrites in place what it may write in a folder that takes no new files")
  func closedFolder() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    let fallback = try Scratch()
    let closed = ClosedFolder(base: scratch.fileSystem, folder: scratch.path)
    let plain = FailingFileSystem(closed, plan: .never, number: 0)
    #expect(throws: FileError.self) {
      _ = try plain.save(Array("new".utf8), to: path, expecting: .anything)
    }
    var options = SaveOptions()
    options.fallbackFolder = fallback.path
    let outcome = try plain.save(
      Array("new".utf8), to: path, expecting: .anything, options: options)
    #expect(outcome.warnings.isEmpty)
    #expect(try scratch.text("a.doc") == "new")
    options.formerVersionName = "a.doc.v1"
    let last = try plain.save(
      Array("newer".utf8), to: path, expecting: .anything, options: options)
    // There is nowhere to keep it; its own earlier versions have it.
    #expect(last.former == nil)
    #expect(try scratch.text("a.doc") == "newer")
    #expect(try scratch.names == ["a.doc"])
    #expect(try fallback.names.isEmpty)
  }

  @Test("does not put in place what comes back different from the disk", arguments: [1, 2])
  func readsBack(names: Int) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old text")
    if names == 2 { #expect(Foundation.link(path, scratch.path + "/b.doc") == 0) }
    let before = try scratch.names
    let disk = LyingDisk(base: scratch.fileSystem)
    let error = #expect(throws: FileError.self) {
      _ = try disk.save(Array("new text".utf8), to: path, expecting: .anything)
    }
    #expect(error?.problem == .readBackDiffers)
    #expect(error?.description.contains(path) == true)
    #expect(try scratch.text("a.doc") == "old text")
    #expect(try scratch.names == before)
  }

  @Test("gives no rights that only the folder's default list would give")
  func inheritedAccessList() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    // Owner rwx, user 4321 rwx, group r-x, mask rwx, others r-x, as the kernel stores a list.
    let list: [UInt8] = [
      2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 2, 0, 7, 0, 0xE1, 0x10, 0, 0, 4, 0, 5, 0, 255,
      255, 255, 255, 16, 0, 7, 0, 255, 255, 255, 255, 32, 0, 5, 0, 255, 255, 255, 255,
    ]
    let folder = try scratch.fileSystem.open(scratch.path, in: nil, .directory)
    defer { try? scratch.fileSystem.close(folder) }
    let name = "system.posix_acl_default"
    guard (try? scratch.fileSystem.setAttribute(name, of: folder, to: list)) != nil else { return }
    let outcome = try scratch.fileSystem.save([65], to: path, expecting: .anything)
    #expect(outcome.warnings.isEmpty)
    let file = try scratch.fileSystem.open(path, in: nil, .read)
    #expect(try scratch.fileSystem.attributeNames(file).isEmpty)
    try scratch.fileSystem.close(file)
  }

  @Test("collects what a killed save left at once under the lock, and hands it on before")
  func leftoversUnderLock() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "old")
    _ = try scratch.file(".a.doc.k3x.tmp", "kept by nobody else")
    _ = try scratch.file(".a.doc.refused.tmp", "stays")
    _ = try scratch.file(".b.doc.k3x.tmp", "of another document")
    let running = try AtomicSave(to: path, expecting: .anything, in: scratch.fileSystem)
    #expect(
      AtomicSave.removeLeftovers(of: path, now: scratch.fileSystem.time, in: scratch.fileSystem)
        .isEmpty)
    var seen: [String] = []
    let removed = AtomicSave.removeLeftovers(
      of: path, now: 0, isExclusive: true, in: scratch.fileSystem
    ) { leftover in
      seen.append(FilePath.name(of: leftover))
      return !leftover.contains("refused")
    }
    #expect(seen == [".a.doc.k3x.tmp", ".a.doc.refused.tmp"])
    #expect(removed == [scratch.path + "/.a.doc.k3x.tmp"])
    running.abandon()
    #expect(try scratch.names == [".a.doc.refused.tmp", ".b.doc.k3x.tmp", "a.doc"])
  }
}
