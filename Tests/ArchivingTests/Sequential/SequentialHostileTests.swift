import Archiving
import PortolanTestSupport
import Testing

/// Typedstreams made to break readers, through the reader without classes and the unarchiver.
@Suite(.enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct SequentialHostileTests {
  static let files = HostileTests.files("typedstream/")

  @Test func `there are files to read`() {
    #expect(Self.files.count > 25)
  }

  @Test(arguments: files)
  func `a stream is accepted or refused as the manifest says`(
    _ file: String, _ expect: String
  ) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    let outcome = Result { try read(bytes) }
    switch (expect, outcome) {
    case ("reject", .success): Issue.record("\(file) was accepted")
    case ("accept", .failure(let error)), ("accept-sanitised", .failure(let error)):
      Issue.record("\(file) was refused: \(error)")
    default: break
    }
    // What is whole without classes is also written again.
    if let stream = try? Typedstream(bytes) {
      _ = try TypedstreamWriter.rewrite(stream)
      for number in 0..<stream.objectCount {
        _ = try? SequentialObject(stream: stream, number: number).groups()
      }
    }
  }

  /// Reads the only root of a stream as what it says it is, of the few classes that are admitted.
  private func read(_ bytes: [UInt8]) throws {
    let stream = try Typedstream(bytes)
    let unarchiver = Unarchiver(stream: stream)
    switch try stream.roots().first?.className {
    case "NSString", "NSMutableString": _ = try unarchiver.decodeString()
    case "NSArray", "NSMutableArray": _ = try unarchiver.decodeStrings(forKey: "")
    case "NSDate": _ = try unarchiver.decodeDate(forKey: "")
    case "NSData", "NSMutableData": _ = try unarchiver.decodeData()
    case "NSDictionary": _ = try unarchiver.decodeStringDictionary(forKey: "")
    default: _ = try unarchiver.decodeObject(HostileDocument.self)
    }
    guard unarchiver.isAtEnd else { throw ArchiveError(.corrupt, "more behind the root") }
  }

  @Test func `damaged archives of ours are values or errors`() throws {
    let archiver = Archiver()
    let views = [View(title: "a"), View(title: "b")]
    try archiver.encodeObject(Gallery(favourite: views[1], views: views))
    try archiver.encodeInts([1, 2_000], forKey: "")
    try archiver.encodePacked([1.5, 2.5] as [Double], forKey: "")
    try archiver.encodeStringPairs([("k", "v")], forKey: "")
    let bytes = try archiver.finish()
    for place in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        readAll(damaged)
      }
      readAll(Array(bytes[..<place]))
    }
    readAll(bytes)
  }

  private func readAll(_ bytes: [UInt8]) {
    guard let stream = try? Typedstream(bytes) else { return }
    let unarchiver = Unarchiver(stream: stream)
    _ = try? unarchiver.decodeObject(Gallery.self)
    _ = try? unarchiver.decodeInts(forKey: "")
    _ = try? unarchiver.decodePacked(Double.self, forKey: "")
    _ = try? unarchiver.decodeStringPairs(forKey: "")
    let keeper = Unarchiver(stream: stream)
    let archiver = Archiver()
    guard let kept = try? keeper.decodeObject(UnknownObject.self) else { return }
    _ = try? archiver.encodeObject(kept)
    _ = try? archiver.finish()
  }

  @Test func `a chain of any depth is refused before the stack ends, both ways`() throws {
    let bytes = chainStream(100_000)
    let codes = try onStack(bytes: 256 * 1024) {
      var limits = ArchiveLimits()
      limits.depthMax = .max
      var codes: [ArchiveError.Code?] = []
      var all = [Employee("e", "n", number: 0)]
      for number in 1..<100_000 {
        all.append(Employee("e", "n", number: number, manager: all[number - 1]))
      }
      let encode = Result { try Archiver.archive(all[99_999], limits: limits) }
      codes.append(code(of: encode))
      // From the newest on, so that none is released by another.
      while all.popLast() != nil {}
      let decode = Result {
        try Unarchiver.unarchive(Employee.self, from: bytes, limits: limits).number
      }
      codes.append(code(of: decode))
      let kept = try Unarchiver.unarchive(UnknownObject.self, from: bytes)
      codes.append(try Archiver.archive(kept) == bytes ? nil : .corrupt)
      return codes
    }
    #expect(codes == [.tooDeep, .tooDeep, nil])
    #expect(throws: ArchiveError.self) { try Unarchiver.unarchive(Employee.self, from: bytes) }
  }

  /// An employee with a manager with a manager.
  private func chainStream(_ count: Int) -> [UInt8] {
    var writer = TypedstreamWriter()
    for number in 0..<count {
      writer.beginGroup("@")
      writer.beginObject([("Employee", 0), ("NSObject", 0)])
      for text in ["e", "n"] {
        writer.beginGroup("@")
        writer.beginObject([("NSString", 1), ("NSObject", 0)])
        writer.beginGroup("+")
        writer.writeBytes(Array(text.utf8))
        writer.endObject()
      }
      writer.beginGroup("q")
      writer.writeInteger(Int64(number))
    }
    writer.beginGroup("@")
    writer.writeNone()
    for _ in 0..<count { writer.endObject() }
    return writer.bytes
  }
}

/// The code of an error of an archive; `nil` for success.
private func code(of result: Result<some Any, any Error>) -> ArchiveError.Code? {
  if case .failure(let error as ArchiveError) = result { error.code } else { nil }
}
