import Archiving
import Foundation
import PortolanTestSupport
import Testing

/// A link of a chain that does something at one place of it.
private final class Ring: Coding {
  /// What a link does besides.
  enum Deed: Int32, CaseIterable {
    case nothing, fail, archive
  }

  struct Fault: Error, Hashable {}

  let deed: Deed
  let next: Ring?
  let thread: pthread_t

  init(_ deed: Deed, _ next: Ring?) {
    (self.deed, self.next, thread) = (deed, next, pthread_self())
  }

  static var archivedClass: ArchivedClass { "Ring" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt32(deed.rawValue, forKey: "deed")
    if deed == .archive {
      let bytes = try KeyedArchiver.archive(Ring.chain(20))
      #expect(try KeyedUnarchiver.unarchive(Ring.self, from: bytes).height == 20)
    }
    #expect(pthread_equal(thread, pthread_self()) != 0)
    try coder.encodeObject(next, forKey: "next")
  }

  init(coder: any DecodingCoder) throws {
    deed = Deed(rawValue: try coder.decodeInt32(forKey: "deed")) ?? .nothing
    thread = pthread_self()
    if deed == .fail { throw Fault() }
    next = try coder.decodeObjectIfPresent(Ring.self, forKey: "next")
  }

  static func chain(_ height: Int, _ deed: Deed = .nothing, at place: Int = 0) -> Ring {
    var ring: Ring?
    for number in 0..<height { ring = Ring(height - 1 - number == place ? deed : .nothing, ring) }
    return ring ?? Ring(.nothing, nil)
  }

  var height: Int {
    var (height, ring) = (1, self)
    while let next = ring.next { (height, ring) = (height + 1, next) }
    return height
  }
}

/// Objects that go on upon a second stack.
@Suite struct FurtherStackTests {
  /// Writes and reads chains on small stacks, each in the same thread.
  private func travel(
    _ isKeyed: Bool, _ height: Int, _ deed: Ring.Deed = .nothing, at place: Int = 0,
    stack: Int = 768 << 10
  ) throws -> (height: Int, isOneThread: Bool) {
    try onStack(bytes: stack) {
      let chain = Ring.chain(height, deed, at: place)
      let bytes = try isKeyed ? KeyedArchiver.archive(chain) : Archiver.archive(chain)
      let read =
        try isKeyed
        ? KeyedUnarchiver.unarchive(Ring.self, from: bytes)
        : Unarchiver.unarchive(Ring.self, from: bytes)
      var isOneThread = true
      var ring: Ring? = read
      while let present = ring {
        if pthread_equal(present.thread, pthread_self()) == 0 { isOneThread = false }
        ring = present.next
      }
      return (read.height, isOneThread)
    }
  }

  @Test(arguments: [true, false])
  func `objects beyond the stack stay on their thread`(_ isKeyed: Bool) throws {
    let read = try travel(isKeyed, 400)
    #expect(read.height == 400 && read.isOneThread)
  }

  @Test(arguments: [true, false])
  func `an error beyond the stack arrives, and later objects are coded`(_ isKeyed: Bool) throws {
    #expect(throws: Ring.Fault.self) { try travel(isKeyed, 400, .fail, at: 390) }
    #expect(try travel(isKeyed, 400).height == 400)
  }

  @Test func `an archive is made and read beyond the stack`() throws {
    #expect(try travel(true, 400, .archive, at: 395).height == 400)
  }

  @Test func `wide graphs go beyond the stack often`() throws {
    let sizes = try onStack(bytes: 768 << 10) {
      let trunk = Trunk(height: 380, leaves: 300)
      let bytes = try KeyedArchiver.archive(trunk)
      return try KeyedUnarchiver.unarchive(Trunk.self, from: bytes).sizes
    }
    #expect(sizes == [380, 300])
  }
}

/// A chain with many objects at its end.
private final class Trunk: Coding {
  let next: Trunk?
  let leaves: [Ring]

  init(height: Int, leaves: Int) {
    next = height > 1 ? Trunk(height: height - 1, leaves: leaves) : nil
    self.leaves = next == nil ? (0..<leaves).map { _ in Ring.chain(2) } : []
  }

  static var archivedClass: ArchivedClass { "Trunk" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeObject(next, forKey: "next")
    try coder.encodeObjects(leaves, forKey: "leaves")
  }

  init(coder: any DecodingCoder) throws {
    next = try coder.decodeObjectIfPresent(Trunk.self, forKey: "next")
    leaves = try coder.decodeObjects(Ring.self, forKey: "leaves")
  }

  var sizes: [Int] {
    var (height, trunk) = (1, self)
    while let next = trunk.next { (height, trunk) = (height + 1, next) }
    return [height, trunk.leaves.count]
  }
}
