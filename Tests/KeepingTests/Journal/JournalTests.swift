import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanKeeping

@Suite struct JournalTests {
  /// A whole journal: a base, six steps, two undone and one of them done again.
  private func whole() throws -> (sample: JournalSample, bytes: [UInt8]) {
    let sample = try JournalSample()
    var file = try sample.begun()
    for version in 1...6 { try sample.append(version, to: &file) }
    try file.append(.undo, count: 2)
    try file.append(.redo, count: 1)
    try file.synchronize()
    return (sample, try sample.files.read(file.path, limit: 1 << 20))
  }

  @Test func `A journal gives all versions back, with what was undone`() throws {
    let (sample, bytes) = try whole()
    let journal = try Journal(bytes)
    let base = try DocumentFile.open(#require(journal.base)).document
    var history = JournalReplay(journal, base: base).history
    #expect(try sample.number(of: history.value) == 5)
    #expect(history.past.count == 5)
    #expect(history.redo() == "6")
    for version in (0..<6).reversed() {
      history.undo()
      #expect(try sample.number(of: history.value) == version)
    }
    #expect(!history.isEdited)
    #expect(!journal.isTorn)
  }

  @Test func `A journal cut at any byte gives what stands before the cut`() throws {
    let (sample, bytes) = try whole()
    let records = try Journal(bytes).records
    var versions: [Int: Int?] = [:]
    for count in 0..<bytes.count {
      guard let cut = try? Journal(Array(bytes[..<count])) else {
        #expect(count < 600, "the head is whole at \(count)")
        continue
      }
      #expect(cut.records == Array(records.prefix(cut.records.count)))
      let isLonger = records.count > cut.records.count
      #expect(!isLonger || records[cut.records.count].payload.upperBound > count)
      if versions[cut.records.count] == nil || cut.base == nil {
        versions[cut.records.count] = .some(try sample.recovered(cut))
      }
    }
    #expect(versions[6] == 6)
    #expect(versions[7] == 4)
    for count in 1...6 { #expect(versions[count] == count) }
  }

  @Test func `A journal that ends in its head held nothing, and is not told as unreadable`() throws
  {
    let sample = try JournalSample()
    let path = try sample.begun().path
    let whole = try sample.files.read(path, limit: 1 << 20)
    let head = try #require(
      JournalRecord(whole, at: JournalRecord.preambleCount, sequence: 0)?.payload.upperBound)
    for count in 0...head {
      sample.files.closeAll()
      sample.files.put(Array(whole[..<count]), at: path)
      var told: [String] = []
      let left = sample.folder.takeOver(document: sample.path) { told.append($0) }
      #expect(told == [], "cut at \(count)")
      #expect(left.isEmpty, "cut at \(count)")
    }
    var damaged = whole
    damaged[JournalRecord.preambleCount + JournalRecord.headCount] ^= 1
    sample.files.closeAll()
    sample.files.put(damaged, at: path)
    var told: [String] = []
    #expect(sample.folder.takeOver(document: sample.path) { told.append($0) }.isEmpty)
    #expect(told.count == 1)
  }

  @Test func `A journal with any bit turned gives what stands before it`() throws {
    let (_, bytes) = try whole()
    let records = try Journal(bytes).records
    var damaged = bytes
    // Every byte has its turn with two or three of its bits.
    for bit in stride(from: 0, to: 8 * bytes.count, by: 3) {
      let (place, mask) = (bit / 8, UInt8(1) << (bit % 8))
      damaged[place] ^= mask
      if let journal = try? Journal(damaged) {
        #expect(journal.records == Array(records.prefix(journal.records.count)))
        #expect(journal.records.allSatisfy { $0.payload.upperBound <= place })
        #expect(journal.isTorn)
      }
      damaged[place] ^= mask
    }
  }

  @Test func `A torn end is cut off and the next record stands in its place`() throws {
    let (sample, bytes) = try whole()
    let files = sample.files
    let path = try #require(sample.folder.entries().first).path
    files.put(Array(bytes.dropLast(11)), at: path)
    // The first writer is gone with its lock.
    let left = JournalFolder(StateFolder(path: "/state/portolan"), in: copy(of: files))
    var taken = try #require(left.takeOver(document: sample.path).first)
    #expect(taken.journal.isTorn)
    try taken.file.append(.undo, count: 1)
    let again = try Journal(left.files.read(path, limit: 1 << 20))
    #expect(!again.isTorn)
    #expect(again.records.last?.kind == .undo)
    #expect(try sample.recovered(again) == 3)
  }

  @Test func `Versions from before the journal can be undone to`() throws {
    let sample = try JournalSample()
    var file = try sample.begun(with: 3)
    try sample.append(4, to: &file)
    for version in (1...3).reversed() {
      let change = try DocumentChange(
        from: sample.versions[version], to: sample.versions[version - 1])
      try file.append(.past, JournalStep(title: "\(version - 1)", time: 1, change: change))
    }
    try file.append(.undo, count: 3)
    try sample.append(2, to: &file)
    let journal = try Journal(sample.files.read(file.path, limit: 1 << 20))
    let base = try DocumentFile.open(#require(journal.base)).document
    var history = JournalReplay(journal, base: base).history
    #expect(history.future.isEmpty)
    var found = [try sample.number(of: history.value)]
    while history.undo() != nil { found.append(try sample.number(of: history.value)) }
    #expect(found == [2, 1, 0])
    #expect(history.savedRevision == nil)
  }

  @Test func `A step that does not belong to the document ends the replay there`() throws {
    let sample = try JournalSample()
    var file = try sample.begun()
    try sample.append(1, to: &file)
    try sample.append(4, to: &file)
    try sample.append(2, to: &file)
    let journal = try Journal(sample.files.read(file.path, limit: 1 << 20))
    let replay = JournalReplay(
      journal, base: try DocumentFile.open(#require(journal.base)).document)
    #expect(replay.problem != nil)
    #expect(try sample.number(of: replay.history.value) == 1)
  }

  @Test func `A journal that is being written is not left over`() throws {
    let sample = try JournalSample()
    var file = try sample.begun()
    try sample.append(1, to: &file)
    #expect(sample.folder.takeOver(document: sample.path).isEmpty)
    #expect(sample.folder.entries().map(\.state) == [.inUse])
    file.leave()
    #expect(sample.folder.entries().map(\.state) == [.left])
    #expect(sample.folder.entries().map(\.stepCount) == [1])
    #expect(sample.folder.takeOver(document: sample.path).count == 1)
  }

  @Test func `A journal behind a link, or another user's, is not opened`() throws {
    let sample = try JournalSample()
    var file = try sample.begun()
    try sample.append(1, to: &file)
    file.leave()
    let name = try #require(sample.folder.entries().first).path
    try sample.files.remove(name, in: nil)
    sample.files.put(Array("victim".utf8), at: "/victim")
    sample.files.putLink(to: "/victim", at: name)
    #expect(sample.folder.entries().map(\.state) == [.foreign])
    #expect(sample.folder.takeOver(document: sample.path).isEmpty)
    var begun = try sample.begun()
    try sample.append(1, to: &begun)
    #expect(begun.path != name)
    #expect(try sample.files.read("/victim", limit: 100) == Array("victim".utf8))
  }

  @Test func `Two documents of one name have journals of their own`() throws {
    let sample = try JournalSample()
    var one = sample.head()
    var other = sample.head()
    one.path = "/a/site.doc"
    other.path = "/b/site.doc"
    let first = try sample.folder.create(one)
    let second = try sample.folder.create(other)
    #expect(first.path != second.path)
  }

  private func copy(of files: MemoryFileSystem) -> MemoryFileSystem {
    var copied = MemoryFileSystem()
    // A disk as it is found by the next process: nothing is open or locked.
    _ = try? SimulatedDisk(files).crashStates(samples: 1) { _, disk in copied = disk }
    return copied
  }
}
