import Archiving
import Foundation
import PropertyLists
import Testing

/// Runs a body on a thread with a stack of a given size, and gives what it returns.
func onStack<Value: Sendable>(
  bytes: Int, _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let box = ResultBox<Value>()
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    box.result = Result { try body() }
    done.signal()
  }
  thread.stackSize = bytes
  thread.start()
  done.wait()
  return try #require(box.result).get()
}

/// Carries a result from a thread to the one that waits for it.
final class ResultBox<Value: Sendable>: @unchecked Sendable {
  var result: Result<Value, any Error>?
}

/// A chain of employees, each the manager of the next, written without any coder.
func chainArchive(_ length: Int) throws -> [UInt8] {
  var writer = BinaryPropertyListWriter()
  let top = writer.reserve()
  var nodes = [writer.addString("$null")]
  let uids = (0...length + 3).map { writer.addUID(UInt32($0)) }
  nodes.append(writer.addString("A"))
  let record = writer.reserve()
  let chain = writer.reserve()
  writer.setArray(chain, [writer.addString("Employee"), writer.addString("NSObject")])
  writer.setDictionary(
    record, keys: [writer.addString("$classname"), writer.addString("$classes")],
    values: [writer.addString("Employee"), chain])
  nodes.append(record)
  let keys = ["firstName", "lastName", "employeeNumber", "manager", "$class"].map {
    writer.addString($0)
  }
  for index in 0..<length {
    let body = writer.reserve()
    let next = index + 1 < length ? uids[index + 4] : uids[0]
    writer.setDictionary(
      body, keys: keys,
      values: [uids[1], uids[1], writer.addInteger(Int64(index)), next, uids[2]])
    nodes.append(body)
  }
  let objects = writer.reserve()
  writer.setArray(objects, nodes)
  let roots = writer.reserve()
  writer.setDictionary(roots, keys: [writer.addString("root")], values: [uids[3]])
  writer.setDictionary(
    top,
    keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
    values: [
      writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, objects,
    ])
  return try writer.finish(top: top)
}

/// How many managers are above an employee.
func height(_ employee: Employee) -> Int {
  var height = 1
  var next = employee.manager
  while let manager = next {
    height += 1
    next = manager.manager
  }
  return height
}

/// A chain in memory; released without recursion by `dismantle`.
func chain(_ length: Int) -> Employee {
  var last = Employee("A", "A", number: 0)
  for number in 1..<length { last = Employee("A", "A", number: number, manager: last) }
  return last
}

@Suite struct DepthTests {
  @Test func `five thousand levels go in and out on eight mebibytes`() throws {
    // Without optimisation a level takes about three times the stack.
    #if DEBUG
      let stack = 24 << 20
    #else
      let stack = 8 << 20
    #endif
    let height = try onStack(bytes: stack) {
      let bytes = try KeyedArchiver.archive(chain(5_000))
      return try ArchivingTests.height(KeyedUnarchiver.unarchive(Employee.self, from: bytes))
    }
    #expect(height == 5_000)
  }

  @Test(arguments: [256 << 10, 512 << 10, 8 << 20])
  func `a hundred thousand levels are refused before the stack ends`(_ stack: Int) throws {
    let archive = try chainArchive(100_000)
    let codes = try onStack(bytes: stack) { () -> [ArchiveError.Code] in
      var codes: [ArchiveError.Code] = []
      var limits = ArchiveLimits()
      limits.depthMax = .max
      do {
        _ = try KeyedUnarchiver.unarchive(Employee.self, from: archive, limits: limits)
      } catch let error as ArchiveError {
        codes.append(error.code)
      }
      return codes
    }
    #expect(codes == [.tooDeep])
    let code = try onStack(bytes: stack) { () -> ArchiveError.Code? in
      var employees: [Employee] = [Employee("A", "A", number: 0)]
      for number in 1..<100_000 {
        employees.append(Employee("A", "A", number: number, manager: employees[number - 1]))
      }
      defer {
        // Released from the top down, so that the test itself does not recurse.
        while employees.popLast() != nil {}
      }
      var limits = ArchiveLimits()
      limits.depthMax = .max
      do {
        _ = try KeyedArchiver.archive(employees[employees.count - 1], limits: limits)
        return nil
      } catch let error as ArchiveError {
        return error.code
      }
    }
    #expect(code == .tooDeep)
  }

  @Test func `a deep chain is read, kept and written back as a graph on a small stack`() throws {
    let archive = try chainArchive(100_000)
    let count = try onStack(bytes: 256 << 10) { () -> Int in
      let kept = try KeyedUnarchiver(archive).decodeObject(UnknownObject.self, forKey: "root")
      return try ObjectGraph(KeyedArchiver.archive(kept)).nodeCount
    }
    #expect(count == 100_003)
  }

  @Test func `a deep chain is looked at, changed and put into XML and back on a small stack`()
    throws
  {
    let archive = try chainArchive(20_000)
    let (nodes, rewritten, converted) = try onStack(bytes: 256 << 10) { () -> (Int, Int, Int) in
      let graph = try ObjectGraph(archive)
      try graph.list.validate()
      var objects = 0
      for number in 0..<graph.nodeCount {
        if case .object = try graph.node(NodeID(rawValue: UInt32(number))).kind { objects += 1 }
      }
      var rewriter = GraphRewriter(graph)
      rewriter.renameClass("Employee", to: "Clerk")
      let again = try rewriter.finish()
      let xml = try XMLPropertyListWriter().write(again.list)
      let back = try XMLPropertyListReader().read(xml)
      try back.validate()
      return (objects, try GraphRewriter(again).nodes(ofClass: "Clerk").count, back.count)
    }
    #expect(nodes == 20_000)
    #expect(rewritten == 20_000)
    #expect(converted > 20_000)
  }

  @Test func `the named limit of depth holds`() throws {
    let archive = try chainArchive(60)
    var limits = ArchiveLimits()
    limits.depthMax = 50
    let error = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Employee.self, from: archive, limits: limits)
    }
    #expect(error?.code == .tooDeep)
  }
}

/// A part whose identity is made of that of another part, with the default way of reading it.
private struct Link: IdentifiedCoding {
  struct ID: ArchiveIdentity { var name: String }

  var name: String
  var next: ID?

  static var archivedClass: ArchivedClass { "Link" }
  var archiveIdentity: ID { ID(name: name) }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
    try coder.encodeReference(next, forKey: "next")
  }

  init(name: String, next: String) { (self.name, self.next) = (name, ID(name: next)) }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "name")
    next = try coder.decodeIdentityIfPresent(of: Link.self, forKey: "next")
  }
}

@Suite struct IdentityCycleTests {
  @Test(arguments: [true, false])
  func `identities that need each other are refused before the stack ends`(
    isKeyed: Bool
  ) throws {
    let links = [Link(name: "a", next: "b"), Link(name: "b", next: "a")]
    let bytes: [UInt8]
    if isKeyed {
      let archiver = KeyedArchiver()
      try archiver.encodeObjects(links, forKey: "links")
      bytes = try archiver.finish()
    } else {
      let archiver = Archiver()
      try archiver.encodeObjects(links, forKey: "links")
      bytes = try archiver.finish()
    }
    let code = try onStack(bytes: 256 << 10) { () -> ArchiveError.Code? in
      do {
        let coder: any DecodingCoder =
          isKeyed ? try KeyedUnarchiver(bytes) : try Unarchiver(bytes)
        _ = try coder.decodeObjects(Link.self, forKey: "links")
        return nil
      } catch let error as ArchiveError {
        return error.code
      }
    }
    #expect(code == .tooDeep)
  }
}
