import Foundation
import Glibc
import PortolanFiles
import Testing

@Suite("The lock of a document")
struct DocumentLockTests {
  static let lea = LockHolder(
    user: "lea", host: "box", process: 4242, boot: "b1", terminal: "/dev/pts/3", since: 1_000)
  static let tom = LockHolder(user: "tom k=%", host: "", process: 7, since: 2_000)

  private func take(
    _ path: String, as holder: LockHolder, _ scratch: Scratch, state: StateFolder? = nil
  ) -> DocumentLock.Attempt {
    DocumentLock.take(for: path, as: holder, state: state, in: scratch.fileSystem)
  }

  @Test("keeps a second one out and tells it who holds it, and the holder who asked")
  func excludes() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "map")
    #expect(chmod(path, 0o640) == 0)
    guard case .taken(let lock) = take(path, as: Self.lea, scratch) else {
      Issue.record("not taken")
      return
    }
    #expect(try scratch.names == [".a.doc.lock", "a.doc"])
    #expect(try scratch.fileSystem.status(lock.lockPath, in: nil).mode == 0o640)
    let text = try scratch.text(".a.doc.lock")
    #expect(text.contains("lea (process 4242 on box, /dev/pts/3)"))
    #expect(lock.newWishes().isEmpty)
    for _ in 0..<2 {
      guard case .held(let holder) = take(path, as: Self.tom, scratch) else {
        Issue.record("not held")
        return
      }
      #expect(holder == Self.lea)
    }
    #expect(lock.newWishes() == [Self.tom, Self.tom])
    #expect(lock.newWishes().isEmpty)
    lock.release()
    #expect(try scratch.names == ["a.doc"])
    guard case .taken(let next) = take(path, as: Self.tom, scratch) else {
      Issue.record("not free")
      return
    }
    next.release()
  }

  @Test("leaves no file behind where taking it failed", arguments: ["EIO", "ENOSPC", "EMFILE"])
  func failures(name: String) throws {
    let number = ["EIO": EIO, "ENOSPC": ENOSPC, "EMFILE": EMFILE][name] ?? EIO
    var failures = 0
    for call in 1... {
      let scratch = try Scratch()
      let path = try scratch.file("a.doc", "map")
      let failing = FailingFileSystem(
        scratch.fileSystem, plan: .once(number: call), number: number)
      let attempt = DocumentLock.take(for: path, as: Self.lea, in: failing)
      let hasFailed = failing.failureCount > 0
      if case .taken(let lock) = attempt {
        #expect(try scratch.names == [".a.doc.lock", "a.doc"])
        lock.release()
      } else {
        failures += 1
      }
      // A failure after that is one of giving the lock back.
      if !hasFailed { break }
      #expect(try scratch.names == ["a.doc"], "call \(call): \(failing.calls)")
    }
    #expect(failures > 2)
  }

  @Test("means nothing when its process is gone, whatever its file says")
  func notStale() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "map")
    for forged in [
      "", "Portolan has this document open: x\nheld user=root host=box process=1 since=5\n",
      "wanted user=x host=y process=3\n",
    ] {
      _ = try scratch.file(".a.doc.lock", forged)
      guard case .taken(let lock) = take(path, as: Self.lea, scratch) else {
        Issue.record("kept out by “\(forged)”")
        return
      }
      #expect(lock.newWishes().isEmpty)
      lock.release()
    }
  }

  @Test("writes nothing into a file that is not its own")
  func planted() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "map")
    let victim = try scratch.file("victim", "precious")
    let lockPath = scratch.path + "/.a.doc.lock"
    let plants: [() -> Int32] = [
      { symlink(victim, lockPath) }, { Foundation.link(victim, lockPath) },
      { mkfifo(lockPath, 0o600) }, { mkdir(lockPath, 0o700) },
    ]
    for plant in plants {
      #expect(plant() == 0)
      if case .unavailable(let error) = take(path, as: Self.lea, scratch) {
        #expect(!error.path.isEmpty)
      } else {
        Issue.record("taken over a planted file")
      }
      #expect(try scratch.text("victim") == "precious")
      if unlink(lockPath) != 0 { #expect(rmdir(lockPath) == 0) }
    }
    _ = try scratch.file(".a.doc.lock", "somebody's notes")
    guard case .unavailable = take(path, as: Self.lea, scratch) else {
      Issue.record("wrote over notes")
      return
    }
    #expect(try scratch.text(".a.doc.lock") == "somebody's notes")
  }

  @Test("counts where what stands in its file is not ours", arguments: [false, true])
  func foreignText(hasState: Bool) throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "map")
    let state = hasState ? StateFolder(path: scratch.path + "/state") : nil
    let lockPath = try scratch.file(".a.doc.lock", "somebody's notes")
    let file = try scratch.fileSystem.open(lockPath, in: nil, .lock)
    #expect(try scratch.fileSystem.lock(file))
    if case .held(by: nil) = take(path, as: Self.lea, scratch, state: state) {
    } else {
      Issue.record("a lock that is held was passed over")
    }
    #expect(try scratch.text(".a.doc.lock") == "somebody's notes")
    try scratch.fileSystem.close(file)
    if case .held = take(path, as: Self.lea, scratch, state: state) {
      Issue.record("notes that nobody holds kept us out")
    }
  }

  @Test("ends with its owner, even while a process being started has a duplicate of the file")
  func duplicate() throws {
    let scratch = try Scratch()
    let files = scratch.fileSystem
    let path = try scratch.file("a.lock")
    let first = try files.open(path, in: nil, .lock)
    #expect(try files.lock(first))
    let duplicate = dup(first.rawValue)
    defer { Glibc.close(duplicate) }
    try files.close(first)
    let second = try files.open(path, in: nil, .lock)
    #expect(try files.lock(second))
    try files.close(second)
  }

  @Test("is one lock for a document and the links to it, and for one that is not there yet")
  func links() throws {
    let scratch = try Scratch()
    let path = try scratch.file("new.doc")
    #expect(symlink("new.doc", scratch.path + "/link.doc") == 0)
    guard case .taken(let lock) = take(path, as: Self.lea, scratch),
      case .held(by: Self.lea?) = take(scratch.path + "/link.doc", as: Self.tom, scratch)
    else {
      Issue.record("two locks")
      return
    }
    lock.release()
    #expect(try scratch.names == ["link.doc"])
  }

  @Test("is in the state folder where the document's folder takes no new files")
  func closedFolder() throws {
    let scratch = try Scratch()
    let state = try Scratch()
    let path = try scratch.file("a.doc", "map")
    let closed = ClosedFolder(base: scratch.fileSystem, folder: scratch.path)
    let folder = StateFolder(path: state.path + "/portolan")
    guard case .unavailable = DocumentLock.take(for: path, as: Self.lea, in: closed),
      case .taken(let lock) = DocumentLock.take(for: path, as: Self.lea, state: folder, in: closed),
      case .held(by: Self.lea?) = DocumentLock.take(
        for: path, as: Self.tom, state: folder, in: closed)
    else {
      Issue.record("no lock in the state folder")
      return
    }
    #expect(try scratch.names == ["a.doc"])
    #expect(lock.lockPath.hasPrefix(folder.path + "/locks/"))
    lock.release()
  }

  @Test("is one lock for all names of a file")
  func hardLinks() throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "map")
    let other = path + ".other.doc"
    #expect(link(path, other) == 0)
    let state = StateFolder(path: scratch.path + "/state")
    guard case .taken(let lock) = take(path, as: Self.lea, scratch, state: state),
      case .held(let holder) = take(other, as: Self.tom, scratch, state: state)
    else {
      Issue.record("two names, two locks")
      return
    }
    #expect(holder == Self.lea)
    #expect(lock.newWishes() == [Self.tom])
    #expect(try !scratch.names.contains(".a.doc.other.doc.lock"))
    lock.release()
    guard case .taken(let next) = take(other, as: Self.tom, scratch, state: state) else {
      Issue.record("not free")
      return
    }
    next.release()
  }

  @Test("is held by one at a time when many take it and give it back")
  func contention() async throws {
    let scratch = try Scratch()
    let path = try scratch.file("a.doc", "0")
    let fileSystem = scratch.fileSystem
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          var done = 0
          while done < 50 {
            let holder = LockHolder(user: "u", host: "h", process: Int32(number), since: 0)
            guard case .taken(let lock) = DocumentLock.take(for: path, as: holder, in: fileSystem)
            else {
              await Task.yield()
              continue
            }
            // Lost updates show that two held it.
            let before = (try? fileSystem.read(path, limit: 100)) ?? []
            let count = (Int(String(decoding: before, as: UTF8.self)) ?? -9999) + 1
            try? Data("\(count)".utf8).write(to: URL(fileURLWithPath: path))
            lock.release()
            done += 1
          }
        }
      }
    }
    #expect(try scratch.text("a.doc") == "200")
    #expect(try scratch.names == ["a.doc"])
  }
}
