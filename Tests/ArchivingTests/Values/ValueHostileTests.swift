import Foundation
import PortolanTestSupport
import PropertyLists
import Synchronization
import Testing

@testable import Archiving

/// Archives made to break readers, decoded without knowing what they hold.
@Suite(.enabled(if: Shared.exists("hostile/MANIFEST.tsv"), "no shared/hostile"))
struct ValueHostileTests {
  /// The files whose fault is in a value, which stands under `meta` in a document.
  ///
  /// Regular expressions, selectors and time-zone data are not among them: they are kept as text
  /// and bytes, so that they do no harm.
  static let faulty = [
    "k083-dict-self-key", "k085-dict-self-value", "k090-dict-count-mismatch",
    "k091-dict-more-values", "k093-dict-objects-int",
    "k097-dict-null-value", "k104-countedset-huge", "k110-string-missing", "k112-mstring-uid",
    "k114-number-missing", "k119-data-missing", "k120-data-string", "k121-uuid-17",
    "k122-uuid-string", "k125-url-basetype", "k129-indexset-len-max", "k130-value-type-unknown",
    "k132-value-enc-array", "k133-oldarray-overflow", "k134-oldarray-neg", "k136-attrstring-nil",
    "k145-indexpath", "k148-dateinterval-neg", "k149-affine",
  ]

  static let files = HostileTests.files("keyed/").map(\.0)

  @Test(arguments: faulty)
  func `a value that contradicts itself is refused or kept with its place`(_ name: String) throws {
    let bytes = try Shared.bytes("hostile/keyed/\(name).doc")
    let document = try root(of: bytes)
    let unarchiver = try KeyedUnarchiver(graph: document.graph)
    var faults: [ArchiveError] = []
    for node in document.nodes {
      do {
        if let value = try unarchiver.decodeAnyValue(at: node) { faults += value.faults }
      } catch let error as ArchiveError {
        faults.append(error)
      }
    }
    #expect(!faults.isEmpty)
    for fault in faults {
      #expect(!fault.path.isEmpty || fault.offset != nil, "\(fault)")
      #expect(!fault.reason.isEmpty)
    }
    if name.contains("self") { #expect(faults.contains { $0.code == .cycle }) }
  }

  @Test(arguments: files)
  func `every object of a hostile archive is decoded or refused within bounds`(
    _ file: String
  ) throws {
    let bytes = try Shared.bytes("hostile/" + file)
    guard let graph = try? ObjectGraph(bytes), let unarchiver = try? KeyedUnarchiver(graph: graph)
    else { return }
    // Of very many objects that are nested, some are enough.
    let step = max(1, graph.nodeCount / 300)
    for number in stride(from: 1, to: graph.nodeCount, by: step) {
      guard
        let value = try? unarchiver.decodeAnyValue(at: NodeID(rawValue: UInt32(number)))
      else { continue }
      // What was decoded can be compared, hashed and written.
      #expect(value == value || file.contains("nan"))
      _ = value.hashValue
      if value.holdsUnknown { continue }
      let archiver = KeyedArchiver()
      try archiver.encodeAnyValue(value, forKey: "root")
      _ = try archiver.finish()
    }
  }

  @Test func `a shared collection is not expanded without bound`() throws {
    // Forty levels, each an array of the one below ten times.
    for name in ["NSArray", "NSSet", "NSDictionary"] {
      let bytes = try Shared.bytes("hostile/keyed/k162-laughs-\(name).doc")
      let graph = try ObjectGraph(bytes)
      let unarchiver = try KeyedUnarchiver(graph: graph)
      var codes: [ArchiveError.Code] = []
      for number in 1..<graph.nodeCount {
        do {
          _ = try unarchiver.decodeAnyValue(at: NodeID(rawValue: UInt32(number)))
        } catch let error as ArchiveError { codes.append(error.code) }
      }
      // A set of ten equal members has one.
      #expect(codes.contains(.tooLarge) || name == "NSSet")
    }
  }

  @Test(arguments: ["k161-nested-arrays-1000", "k161-nested-arrays-12000"])
  func `collections nested too deep are refused`(_ name: String) throws {
    let graph = try ObjectGraph(Shared.bytes("hostile/keyed/\(name).doc"))
    // Each with an unarchiver of its own, so that the innermost are not known before.
    var codes: Set<ArchiveError.Code> = []
    for number in stride(from: 1, to: graph.nodeCount, by: graph.nodeCount / 8) {
      do {
        _ = try KeyedUnarchiver(graph: graph).decodeAnyValue(at: NodeID(rawValue: UInt32(number)))
      } catch let error as ArchiveError { codes.insert(error.code) }
    }
    #expect(codes.contains(.tooDeep))
  }

  @Test func `patterns, selectors and time zones are kept and never used`() throws {
    let pattern = try meta("k137-regex-redos")
    guard case .regularExpression(let expression) = pattern else {
      Issue.record("\(pattern)")
      return
    }
    #expect(expression.pattern.hasPrefix("(a+)+$"))
    #expect(
      try meta("k147-sortdesc-selector")
        == .sortDescriptor(
          Cocoa.SortDescriptor(key: "self.@class", isAscending: false, selector: "system:")))
    guard case .timeZone(let zone) = try meta("k140-timezone-data") else { return }
    #expect(zone.data?.count == 45)
  }

  /// The value under `meta` of a file's document.
  private func meta(_ name: String) throws -> Cocoa.Object {
    let document = try root(of: Shared.bytes("hostile/keyed/\(name).doc"))
    let unarchiver = try KeyedUnarchiver(graph: document.graph)
    let node = try #require(document.nodes.first)
    return try #require(try unarchiver.decodeAnyValue(at: node))
  }

  /// The graph of a file, and the nodes to which its document refers, `meta` first.
  private func root(of bytes: [UInt8]) throws -> (graph: ObjectGraph, nodes: [NodeID]) {
    let graph = try ObjectGraph(bytes)
    guard case .reference(let node) = try graph.content(of: #require(graph.top.first).value)
    else { return (graph, []) }
    let fields = try graph.node(node).fields
    let ordered = fields.filter { $0.key == "meta" } + fields.filter { $0.key != "meta" }
    return (
      graph,
      try ordered.compactMap {
        if case .reference(let node) = try graph.content(of: $0.value) { node } else { nil }
      }
    )
  }
}

@Suite struct ValueBoundsTests {
  @Test func `nested values are compared and released on a stack of 256 KiB`() throws {
    let value = try nested(127)
    let bytes = try archive(value)
    let again = try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
    let isEqual = onSmallStack { [value, again] in
      var copy: Cocoa.Object? = again
      defer { copy = nil }
      return copy == value && again.hashValue == value.hashValue ? "equal" : "other"
    }
    #expect(isEqual == "equal")
    let decoded = onSmallStack {
      do {
        let made = try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
        return made == value ? "equal" : "other"
      } catch let error as ArchiveError {
        return error.code == .tooDeep ? "refused" : "\(error)"
      } catch { return "\(error)" }
    }
    #expect(decoded == "equal" || decoded == "refused")
  }

  @Test func `a value is no deeper for the parts that were known before`() throws {
    // Written by hand: a row of arrays, each of which refers to the one before.
    let bytes = try rowOfArrays(300)
    #expect {
      try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
    } throws: { ($0 as? ArchiveError)?.code == .tooDeep }
  }

  /// An array of arrays, each of which holds the one before it alone.
  private func rowOfArrays(_ count: Int) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    func dictionary(_ pairs: [(String, PropertyListReference)]) -> PropertyListReference {
      let reference = writer.reserve()
      writer.setDictionary(
        reference, keys: pairs.map { writer.addString($0.0) }, values: pairs.map(\.1))
      return reference
    }
    func array(_ elements: [PropertyListReference]) -> PropertyListReference {
      let reference = writer.reserve()
      writer.setArray(reference, elements)
      return reference
    }
    // $null, the record of the class, the row, the innermost array, the others.
    let record = ("$class", writer.addUID(1))
    var objects = [writer.addString("$null")]
    objects.append(dictionary([("$classname", writer.addString("NSArray"))]))
    let row = (3..<UInt32(count + 3)).map { writer.addUID($0) }
    objects.append(dictionary([("NS.objects", array(row)), record]))
    objects.append(dictionary([("NS.objects", array([])), record]))
    for number in 3..<UInt32(count + 2) {
      objects.append(dictionary([("NS.objects", array([writer.addUID(number)])), record]))
    }
    let top = dictionary([
      ("$version", writer.addInteger(100_000)), ("$archiver", writer.addString("NSKeyedArchiver")),
      ("$top", dictionary([("root", writer.addUID(2))])), ("$objects", array(objects)),
    ])
    return try writer.finish(top: top)
  }

  private func nested(_ depth: Int) throws -> Cocoa.Object {
    var value: Cocoa.Object = "end"
    for _ in 0..<depth { value = .array(Cocoa.Array([value])) }
    return value
  }

  private func archive(_ value: Cocoa.Object) throws -> [UInt8] {
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(value, forKey: "root")
    return try archiver.finish()
  }

  /// Runs a body on a thread with little stack.
  private func onSmallStack(_ body: @escaping @Sendable () -> String) -> String {
    let outcome = Mutex("")
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let text = body()
      outcome.withLock { $0 = text }
      done.signal()
    }
    thread.stackSize = 256 * 1024
    thread.start()
    done.wait()
    return outcome.withLock { $0 }
  }

  @Test func `sets in sets cost what the archive justifies`() throws {
    // Each of 200 sets holds the one below and 400 numbers of its own.
    var value: Cocoa.Object = .set(Cocoa.Set([]))
    for level in 0..<40 {
      value = .set(Cocoa.Set([value] + (0..<400).map { .number(Cocoa.Number(level * 400 + $0)) }))
    }
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(value, forKey: "root")
    let bytes = try archiver.finish()
    #expect(try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root") == value)
    var limits = ArchiveLimits()
    limits.expansionBase = 0
    limits.expansionFactor = 8
    let unarchiver = try KeyedUnarchiver(bytes, limits: limits)
    #expect {
      try unarchiver.decodeAnyValue(forKey: "root")
    } throws: { ($0 as? ArchiveError)?.code == .tooLarge }
  }

  @Test func `a URL has at most sixteen bases`() throws {
    var url = Cocoa.URL("a")
    for _ in 0..<16 { url = try #require(Cocoa.URL("b", relativeTo: url)) }
    #expect(Cocoa.URL("c", relativeTo: url) == nil)
    let bytes = try KeyedArchiver.archive(url)
    #expect(try KeyedUnarchiver.unarchive(Cocoa.URL.self, from: bytes) == url)
  }

  @Test func `kept objects keep what they share`() throws {
    let unknown = try KeyedUnarchiver(KeyedArchiver.archive(Circle(radius: 3)))
    let value = try unknown.decodeAnyValue(forKey: "root")
    guard case .unknown(let kept) = value else {
      Issue.record("\(value)")
      return
    }
    #expect(kept.className == "Circle")
    let bytes = try KeyedArchiver.archive(Cocoa.Array([value, value]))
    let circles = try KeyedUnarchiver(bytes, classes: [Circle.self])
    let graph = circles.graph
    var names: [String] = []
    for number in 1..<graph.nodeCount {
      names += try graph.node(NodeID(rawValue: UInt32(number))).classChain.prefix(1)
    }
    #expect(names.filter { $0 == "Circle" }.count == 1)
  }
}

/// A class of the program's own.
private final class Circle: Coding {
  let radius: Double

  static var archivedClass: ArchivedClass { "Circle" }

  init(radius: Double) { self.radius = radius }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDouble(radius, forKey: "radius")
  }

  init(coder: any DecodingCoder) throws { radius = try coder.decodeDouble(forKey: "radius") }
}

extension Cocoa.Object {
  /// The faults of the values that were kept because they could not be read.
  fileprivate var faults: [ArchiveError] {
    switch self {
    case .unknown(let kept): kept.fault.map { [$0] } ?? []
    case .array(let array): array.elements.flatMap(\.faults)
    case .set(let set): set.elements.flatMap(\.faults)
    case .dictionary(let dictionary):
      dictionary.pairs.flatMap { $0.key.faults + $0.value.faults }
    default: []
    }
  }
}
