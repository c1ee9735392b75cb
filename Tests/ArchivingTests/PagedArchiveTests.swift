import Archiving
import PortolanTestSupport
import PropertyLists
import Synchronization
import Testing

/// An archive that is read in parts is the archive in memory.
@Suite struct PagedArchiveTests {
  /// What a program gets out of an archive: its error, or the object written again.
  private func outcome(_ open: () throws -> KeyedUnarchiver) -> String {
    do {
      let object = try open().decodeObject(HostileDocument.self, forKey: "root")
      return "\(try KeyedArchiver.archive(object).hashValue)"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    .enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"),
    arguments: ["keyed/", "semantic/", "bplist/", "xml/"])
  func `Hostile files give the same errors in parts`(layer: String) throws {
    for (file, _) in HostileTests.files(layer) {
      let bytes = try Shared.bytes("hostile/" + file)
      let whole = outcome { try KeyedUnarchiver(bytes) }
      let parts = outcome { try KeyedUnarchiver(source: bytes.randomAccess) }
      #expect(whole == parts, "\(file)")
      let checks = [ByteReader(bytes), ByteReader(bytes.randomAccess)].map { reader in
        do {
          try BinaryPropertyList(reader).validate()
          return "sound"
        } catch {
          return "\(error)"
        }
      }
      #expect(checks[0] == checks[1], "\(file)")
    }
  }

  /// An employee with a boss, and much data.
  private final class Employee: Coding {
    var name: String
    var data: [UInt8]
    var boss: Employee?

    init(_ name: String, data: [UInt8], boss: Employee?) {
      (self.name, self.data, self.boss) = (name, data, boss)
    }

    static var archivedClass: ArchivedClass { "Employee" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeData(data, forKey: "data")
      try coder.encodeObject(boss, forKey: "boss")
    }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      data = try coder.decodeData(forKey: "data")
      boss = try coder.decodeObjectIfPresent(Employee.self, forKey: "boss")
    }
  }

  private func archive(_ count: Int, dataSize: Int) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    for number in 0..<count {
      let data = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: dataSize)
      let boss = Employee("boss \(number)", data: data, boss: nil)
      try archiver.encodeObject(
        Employee("a rather long name \(number)", data: data, boss: boss), forKey: "e\(number)")
    }
    return try archiver.finish()
  }

  /// A source that counts what is read, and fails from one read on.
  private final class WatchedSource: RandomAccessSource {
    struct Failure: Error {}
    let bytes: [UInt8]
    let readsMax: Int
    let reads = Mutex((count: 0, bytes: 0))

    init(_ bytes: [UInt8], readsMax: Int = .max) {
      (self.bytes, self.readsMax) = (bytes, readsMax)
    }

    var byteCount: Int { bytes.count }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws {
      let count = reads.withLock { reads in
        reads.count += 1
        reads.bytes += target.count
        return reads.count
      }
      guard count <= readsMax else { throw Failure() }
      target.copyBytes(from: bytes[offset..<offset + target.count])
    }
  }

  @Test func `One object out of a large archive costs no more than itself`() throws {
    let bytes = try archive(60, dataSize: 40_000)
    let source = WatchedSource(bytes)
    let unarchiver = try KeyedUnarchiver(source: source)
    let object = try unarchiver.decodeObject(Employee.self, forKey: "e37")
    #expect(object.name == "a rather long name 37" && object.boss?.data.count == 40_000)
    #expect(object.data[0] == 37)
    try unarchiver.checkSource()
    #expect(bytes.count > 4_000_000)
    #expect(source.reads.withLock { $0.bytes } < 80_000 + 12 * 16_384)
  }

  @Test func `A read that fails at any moment is an error, never another object`() throws {
    let bytes = try archive(3, dataSize: 20_000)
    let whole = WatchedSource(bytes)
    _ = try KeyedUnarchiver(source: whole).decodeObject(Employee.self, forKey: "e1")
    let count = whole.reads.withLock { $0.count }
    #expect(count > 3)
    for reads in 0..<count {
      let error = #expect(throws: ArchiveError.self) {
        try KeyedUnarchiver(source: WatchedSource(bytes, readsMax: reads))
          .decodeObject(Employee.self, forKey: "e1")
      }
      #expect(error?.code == .unreadable)
    }
  }

  @Test(arguments: Seeds.some(2))
  func `Damage gives the same in parts`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sound = try archive(2, dataSize: 30)
    func outcome(_ open: () throws -> KeyedUnarchiver) -> String {
      do {
        let object = try open().decodeObject(Employee.self, forKey: "e0")
        return "\(object.name) \(object.data) \(object.boss?.name ?? "")"
      } catch {
        return "\(error)"
      }
    }
    for _ in 0..<150 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      }
      #expect(
        outcome { try KeyedUnarchiver(bytes) }
          == outcome { try KeyedUnarchiver(source: bytes.randomAccess) })
    }
  }

  @Test func `What cannot be opened is told`() {
    let error = #expect(throws: ArchiveError.self) { try KeyedUnarchiver(path: "/nonexistent/x") }
    #expect(error?.code == .unreadable)
    #expect(error?.reason.contains("No such file") == true)
  }
}
