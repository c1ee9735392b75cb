import Foundation
import PortolanFiles
import Testing

@Suite("Earlier versions")
struct VersionStoreTests {
  private func store(_ files: any FileSystem, bytesMax: Int = 1 << 30) -> VersionStore {
    VersionStore(in: StateFolder(path: "/state/portolan"), bytesMax: bytesMax, files)
  }

  /// Bytes without a pattern, the same for the same seed.
  private func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 40)
    }
  }

  @Test("come back as they were put in, in order, each once")
  func roundTrip() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1], "/m/b.doc": [2]])
    let store = store(files)
    let contents = [noise(300_000, seed: 1), [], noise(10, seed: 2), noise(300_000, seed: 1)]
    for (index, content) in contents.enumerated() {
      let kept = try #require(try store.keep(content, of: "/m/a.doc", reason: .saved))
      #expect(kept.number == index + 1)
      #expect(try store.keep(content, of: "/m/a.doc", reason: .saved)?.number == index + 1)
    }
    let versions = store.versions(of: "/m/a.doc")
    #expect(versions.map(\.size) == contents.map(\.count))
    for (version, content) in zip(versions, contents) {
      #expect(try store.bytes(of: version, of: "/m/a.doc") == content)
    }
    #expect(store.versions(of: "/m/b.doc").isEmpty)
    #expect(store.isNewest(contents[3], of: "/m/a.doc"))
    #expect(!store.isNewest(contents[2], of: "/m/a.doc"))
  }

  @Test("share what did not change, also behind an insertion at the front")
  func deduplicated() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1]])
    let store = store(files)
    let content = noise(2_000_000, seed: 3)
    try store.keep(content, of: "/m/a.doc", reason: .saved)
    let first = store.size
    for number in 0..<5 {
      try store.keep(
        noise(100, seed: UInt64(number)) + content, of: "/m/a.doc", reason: .saved)
    }
    #expect(store.versions(of: "/m/a.doc").count == 6)
    #expect(store.size < first * 3 / 2, "\(store.size) of \(first)")
  }

  @Test("stay under the limit for all documents, the oldest going first, never the newest")
  func limit() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1], "/m/b.doc": [2]])
    let store = store(files, bytesMax: 400_000)
    for number in 0..<8 {
      let path = number % 2 == 0 ? "/m/a.doc" : "/m/b.doc"
      try store.keep(noise(100_000, seed: UInt64(number) + 9), of: path, reason: .saved)
      #expect(store.size <= 400_000)
    }
    for path in ["/m/a.doc", "/m/b.doc"] {
      let versions = store.versions(of: path)
      #expect(!versions.isEmpty && versions.last?.number == 4)
      for version in versions {
        #expect(try store.bytes(of: version, of: path).count == 100_000)
      }
    }
    #expect(try store.keep(noise(500_000, seed: 1), of: "/m/a.doc", reason: .saved) == nil)
  }

  @Test("of people go after those of scripts, which never take their room; all that go are told")
  func keepers() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1], "/m/b.doc": [2]])
    let store = store(files, bytesMax: 400_000)
    var told: [String] = []
    func keep(_ name: String, _ seed: UInt64, by keeper: SavedVersion.Keeper) throws -> Bool {
      try store.keep(
        noise(90_000, seed: seed), of: "/m/\(name).doc", reason: .saved, by: keeper
      ) { told += $0.map { "\(FilePath.name(of: $0.document)) \($0.number)" } } != nil
    }
    func numbers(_ name: String) -> [Int] {
      store.versions(of: "/m/\(name).doc").map(\.number)
    }
    for seed in 1...3 { #expect(try keep("a", UInt64(seed), by: .person)) }
    #expect(try keep("b", 10, by: .script))
    #expect(told.isEmpty)
    #expect(try keep("c", 11, by: .script))
    #expect(told == ["b.doc 1"] && numbers("b").isEmpty && numbers("a") == [1, 2, 3])
    #expect(try keep("a", 4, by: .person))
    #expect(told == ["b.doc 1", "c.doc 1"] && numbers("a") == [1, 2, 3, 4])
    #expect(try !keep("b", 12, by: .script))
    #expect(numbers("a") == [1, 2, 3, 4] && numbers("b").isEmpty)
    #expect(try keep("b", 13, by: .person))
    #expect(told == ["b.doc 1", "c.doc 1", "a.doc 1"])
    // Numbers are not used again, though the versions that had them are gone.
    #expect(numbers("b") == [3])
    let last = try store.bytes(of: #require(store.versions(of: "/m/b.doc").last), of: "/m/b.doc")
    #expect(last == noise(90_000, seed: 13))
    #expect(store.size <= 400_000)
  }

  @Test("of a person stay though many scripts save, and though room is short")
  func lastOfAPerson() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1], "/m/b.doc": [2]])
    var store = store(files, bytesMax: 250_000)
    store.countMax = 3
    try store.keep(noise(9_000, seed: 1), of: "/m/a.doc", reason: .saved, by: .person)
    for seed in UInt64(2)...9 {
      try store.keep(noise(9_000, seed: seed), of: "/m/a.doc", reason: .saved, by: .script)
    }
    #expect(store.versions(of: "/m/a.doc").map(\.keeper) == [.person, .script, .script])
    try store.keep(noise(245_000, seed: 10), of: "/m/b.doc", reason: .saved, by: .person)
    #expect(store.versions(of: "/m/a.doc").map(\.number) == [1])
  }

  @Test("of a script become a person's who saves the same")
  func takenOver() throws {
    let store = store(MemoryFileSystem(files: ["/m/a.doc": [1]]))
    for keeper in [SavedVersion.Keeper.script, .person, .script] {
      try store.keep([1, 2], of: "/m/a.doc", reason: .saved, by: keeper)
    }
    #expect(store.versions(of: "/m/a.doc").map(\.keeper) == [.person])
  }

  @Test("tell the year also when nanoseconds since 1970 are too many to count")
  func farFuture() throws {
    let scratch = try Scratch()
    let state = StateFolder(path: scratch.path + "/state")
    let store = VersionStore(
      in: state, OtherClock(base: scratch.fileSystem, seconds: 201_810_000_000))
    try store.keep([1], of: scratch.path + "/a.doc", reason: .saved)
    let time = try #require(store.versions(of: scratch.path + "/a.doc").first?.time)
    #expect(TimeText.local(seconds: time).hasPrefix("8365-"))
  }

  @Test("keep a limited number for one document")
  func count() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1]])
    var store = store(files)
    store.countMax = 3
    for number in 0..<9 {
      try store.keep(noise(20_000, seed: UInt64(number)), of: "/m/a.doc", reason: .saved)
    }
    #expect(store.versions(of: "/m/a.doc").map(\.number) == [7, 8, 9])
    #expect(store.size < 70_000)
  }

  @Test("are refused when what is stored was damaged, and stored anew")
  func damaged() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1]])
    let store = store(files)
    let content = noise(100_000, seed: 4)
    let version = try #require(try store.keep(content, of: "/m/a.doc", reason: .saved))
    let folder = "/state/portolan/versions/" + StateFolder.name(for: "/m/a.doc")
    let piece = try #require(try files.names(in: folder).first { $0.count == 32 })
    files.put([0, 1, 2], at: folder + "/" + piece)
    #expect(throws: FileError.self) { _ = try store.bytes(of: version, of: "/m/a.doc") }
    try store.keep([5], of: "/m/a.doc", reason: .saved)
    let again = try #require(try store.keep(content, of: "/m/a.doc", reason: .saved))
    #expect(try store.bytes(of: again, of: "/m/a.doc") == content)
    #expect(try store.bytes(of: version, of: "/m/a.doc") == content)
    for text in [
      "", "portolan-version 1\nend\n", "x", "portolan-version 1\npiece ../../x 3\nend\n",
    ] {
      files.put(Array(text.utf8), at: folder + "/99.version")
      #expect(store.versions(of: "/m/a.doc").last?.number == again.number)
    }
  }

  @Test("are for their owner alone")
  func modes() throws {
    let scratch = try Scratch()
    let state = StateFolder(path: scratch.path + "/state")
    let store = VersionStore(in: state, scratch.fileSystem)
    try store.keep(noise(50_000, seed: 5), of: scratch.path + "/a.doc", reason: .before)
    let folder = state.path(of: .versions)
    for name in try scratch.fileSystem.names(in: folder) where name != ".lock" {
      #expect(try scratch.fileSystem.status(folder + "/" + name, in: nil).mode == 0o700)
      for file in try scratch.fileSystem.names(in: folder + "/" + name) {
        let status = try scratch.fileSystem.status(folder + "/" + name + "/" + file, in: nil)
        #expect(status.mode == 0o600)
      }
    }
  }

  @Test("that were kept before a power cut are whole or not there after it")
  func powerCuts() throws {
    let files = MemoryFileSystem(files: ["/m/a.doc": [1]])
    let first = noise(40_000, seed: 6)
    let second = noise(500, seed: 7) + first
    try store(files).keep(first, of: "/m/a.doc", reason: .saved)
    let disk = SimulatedDisk(files)
    try store(disk.fileSystem).keep(second, of: "/m/a.doc", reason: .saved)
    let done = disk.position
    try disk.crashStates { position, files in
      let store = store(files)
      let versions = store.versions(of: "/m/a.doc")
      for version in versions {
        let bytes = try store.bytes(of: version, of: "/m/a.doc")
        #expect(bytes == (version.number == 1 ? first : second), "at \(position)")
      }
      #expect(versions.count == 2 || (position < done && versions.count == 1))
    }
  }
}

@Suite("Digests of contents")
struct ContentDigestTests {
  @Test("do not depend on how the bytes are cut, and differ for every flipped bit and length")
  func cuts() {
    let bytes = (0..<100).map { UInt8($0) }
    let whole = ContentDigest(bytes).text
    var texts: Set<String> = [whole]
    for cut in 0...100 {
      var digest = ContentDigest()
      Array(bytes[..<cut]).withUnsafeBytes { digest.add($0) }
      Array(bytes[cut...]).withUnsafeBytes { digest.add($0) }
      #expect(digest.text == whole)
      #expect(digest == ContentDigest(bytes))
      if cut < 100 { texts.insert(ContentDigest(Array(bytes[..<cut])).text) }
    }
    for bit in 0..<800 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      texts.insert(ContentDigest(changed).text)
    }
    #expect(texts.count == 901)
    #expect(ContentDigest([0]).text != ContentDigest([0, 0]).text)
  }
}
