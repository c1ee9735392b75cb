import Archiving
import Foundation
import PropertyLists
import Testing

/// What an archiver accepts, the unarchiver reads on the same thread.
@Suite struct StackSymmetryTests {
  @Test(arguments: [true, false], [512 << 10, 2 << 20])
  func `what is just not too deep to write is read with the same stack`(
    isKeyed: Bool, stack: Int
  ) throws {
    let (reason, height) = try onStack(bytes: stack) { () -> (String, Int) in
      var limits = ArchiveLimits()
      limits.depthMax = .max
      func archive(_ employee: Employee) throws -> [UInt8] {
        try isKeyed
          ? KeyedArchiver.archive(employee, limits: limits)
          : Archiver.archive(employee, limits: limits)
      }
      func read(_ bytes: [UInt8]) throws -> Employee {
        try isKeyed
          ? KeyedUnarchiver.unarchive(Employee.self, from: bytes, limits: limits)
          : Unarchiver.unarchive(Employee.self, from: bytes, limits: limits)
      }
      var employees: [Employee] = [Employee("A", "A", number: 0)]
      for number in 1..<30_000 {
        employees.append(Employee("A", "A", number: number, manager: employees[number - 1]))
      }
      // Released from the top down, so that the test itself does not recurse.
      defer { while employees.popLast() != nil {} }
      var reason = ""
      do {
        _ = try archive(employees[employees.count - 1])
      } catch let error as ArchiveError where error.code == .tooDeep {
        reason = error.reason
      }
      let depth = Int(reason.split(separator: " ").first { Int($0) != nil } ?? "") ?? 0
      guard depth > 0 else { return (reason, 0) }
      return (reason, ArchivingTests.height(try read(archive(employees[depth - 1]))))
    }
    #expect(height > 50)
    #expect(reason == "objects are nested \(height) deep; a thread with a larger stack writes more")
  }

  @Test func `an unlisted subclass is an error that says where to list it`() throws {
    let map = MapView(title: "map", magnification: 2)
    for error in [
      #expect(throws: ArchiveError.self) {
        try KeyedUnarchiver.unarchive(View.self, from: KeyedArchiver.archive(map))
      },
      #expect(throws: ArchiveError.self) {
        try Unarchiver.unarchive(View.self, from: Archiver.archive(map))
      },
    ] {
      #expect(
        error?.reason == "expected View, found an object of class MapView; list it in `classes:`")
    }
    let other = #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchive(Employee.self, from: KeyedArchiver.archive(map))
    }
    #expect(other?.reason == "expected Employee, found an object of class MapView")
  }
}

private class Named: Coding {
  init() {}
  class var archivedClass: ArchivedClass { "Named" }
  func encode(with coder: any EncodingCoder) throws {}
  required init(coder: any DecodingCoder) throws {}
}

/// Declares no name of its own.
private final class Forgetful: Named {}

private struct Namesake: Coding {
  static var archivedClass: ArchivedClass { "Named" }
  func encode(with coder: any EncodingCoder) throws {}
  init() {}
  init(coder: any DecodingCoder) throws {}
}

/// Types whose archived names are not theirs alone.
@Suite struct NameTests {
  private func check(_ names: [String], _ attempts: [() throws -> Void]) {
    for attempt in attempts {
      let error = #expect(throws: ArchiveError.self) { try attempt() }
      #expect(error?.code == .misuse)
      for name in names { #expect(error?.reason.contains(name) == true, "\(error as Any)") }
    }
  }

  @Test func `a subclass that forgets its name is refused in both directions`() throws {
    let (keyed, sequential) = (
      try KeyedArchiver.archive(Named()), try Archiver.archive(Named())
    )
    let list = ClassList<Named>([Forgetful.self])
    check(
      ["Forgetful", "superclass Named"],
      [
        { _ = try KeyedArchiver.archive(Forgetful()) }, { _ = try Archiver.archive(Forgetful()) },
        { _ = try KeyedUnarchiver.unarchive(Forgetful.self, from: keyed) },
        { _ = try Unarchiver.unarchive(Forgetful.self, from: sequential) },
        { _ = try KeyedUnarchiver.unarchive(Named.self, from: keyed, classes: [Forgetful.self]) },
        { _ = try Unarchiver.unarchive(Named.self, from: sequential, classes: [Forgetful.self]) },
        { _ = try KeyedUnarchiver(keyed).decodeObject(in: list, forKey: "root") },
        { _ = try Unarchiver(sequential).decodeObject(in: list) },
      ])
  }

  @Test func `two types with one name are refused when the second is met`() throws {
    let both: [any Coding] = [Named(), Namesake()]
    let keyed = try KeyedArchiver.archive(Named())
    check(
      ["Named and ", "Namesake have one archived name, Named"],
      [
        { try KeyedArchiver().encodeObjects(both, forKey: "both") },
        { try Archiver().encodeObjects(both, forKey: "both") },
        {
          let classes: [any Coding.Type] = [Named.self, Namesake.self]
          _ = try KeyedUnarchiver.unarchive(Named.self, from: keyed, classes: classes)
        },
        {
          let list = ClassList<any Coding>([Named.self, Namesake.self])
          _ = try KeyedUnarchiver(keyed).decodeObject(in: list, forKey: "root")
        },
      ])
    #expect(throws: Never.self) { try KeyedArchiver.archive(Namesake()) }
  }
}

/// What other writers make of Foundation's classes.
@Suite struct ForgivingTests {
  /// An NSURL without a text.
  private struct BrokenURL: Coding {
    static var archivedClass: ArchivedClass { "NSURL" }
    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(3, forKey: "NS.relative")
    }
    init() {}
    init(coder: any DecodingCoder) throws {}
  }

  private func check(_ coder: any DecodingCoder) throws {
    guard case .array(let array) = try coder.decodeAnyValue(forKey: "root") else {
      Issue.record("no array")
      return
    }
    #expect(array.elements.count == 4)
    #expect(array.elements[0] == "a" && array.elements[3] == .url(Cocoa.URL("b")))
    for element in array.elements[1...2] {
      guard case .unknown(let kept) = element else {
        Issue.record("read as \(element)")
        continue
      }
      #expect(kept.className == "NSURL")
      #expect(kept.fault?.code == .typeMismatch)
    }
  }

  @Test func `a broken value is kept with its fault, and all others are read`() throws {
    let values: [any Coding] = [
      Cocoa.Object.string("a"), BrokenURL(), BrokenURL(), Cocoa.URL("b"),
    ]
    let keyed = KeyedArchiver()
    try keyed.encodeObjects(values, forKey: "root")
    let bytes = try keyed.finish()
    try check(KeyedUnarchiver(bytes))
    // It is written back as it was.
    let again = KeyedArchiver()
    try again.encodeAnyValue(
      KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root"), forKey: "root")
    try check(KeyedUnarchiver(again.finish()))
    let sequential = Archiver()
    try sequential.encodeObjects(values, forKey: "root")
    try check(Unarchiver(sequential.finish()))
  }

  @Test func `values inside an object are read where objects are asked for`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let numbers = writer.reserve()
    writer.setArray(numbers, [writer.addInteger(1), writer.addDouble(2), writer.addUID(1)])
    let texts = writer.reserve()
    writer.setArray(texts, [writer.addString("x"), writer.addString("y")])
    let roots = writer.reserve()
    writer.setDictionary(
      roots, keys: ["n", "t", "numbers", "texts"].map { writer.addString($0) },
      values: [writer.addInteger(5), writer.addString("text"), numbers, texts])
    let objects = writer.reserve()
    writer.setArray(objects, [writer.addString("$null"), writer.addInteger(3)])
    writer.setDictionary(
      top, keys: ["$version", "$archiver", "$top", "$objects"].map { writer.addString($0) },
      values: [writer.addInteger(100_000), writer.addString("NSKeyedArchiver"), roots, objects])
    let unarchiver = try KeyedUnarchiver(writer.finish(top: top))
    #expect(try unarchiver.decodeAnyValue(forKey: "n") == 5)
    #expect(try unarchiver.decodeObject(Cocoa.Number.self, forKey: "n") == Cocoa.Number(5))
    #expect(try unarchiver.decodeAnyValue(forKey: "t") == "text")
    #expect(try unarchiver.decodeInts(forKey: "numbers") == [1, 2, 3])
    #expect(try unarchiver.decodeDoubles(forKey: "numbers") == [1, 2, 3])
    #expect(try unarchiver.decodeAnyValues(forKey: "numbers") == [1, 2.0, 3])
    #expect(try unarchiver.decodeStrings(forKey: "texts") == ["x", "y"])
    #expect(throws: ArchiveError.self) { try unarchiver.decodeObject(View.self, forKey: "n") }
  }

  @Test func `keys that differ only in Unicode composition are two keys`() throws {
    let pairs = [(key: "caf\u{E9}", value: "1"), (key: "cafe\u{301}", value: "2")]
    let keyed = KeyedArchiver()
    try keyed.encodeStringPairs(pairs, forKey: "root")
    let sequential = Archiver()
    try sequential.encodeStringPairs(pairs, forKey: "root")
    let coders: [any DecodingCoder] = [
      try KeyedUnarchiver(keyed.finish()), try Unarchiver(sequential.finish()),
    ]
    for coder in coders where coder.allowsKeyedCoding {
      let error = #expect(throws: ArchiveError.self) {
        try coder.decodeStringDictionary(forKey: "root")
      }
      #expect(error?.reason.contains("differ only in Unicode composition") == true)
      guard case .dictionary(let all) = try coder.decodeAnyValue(forKey: "root") else {
        Issue.record("no dictionary")
        continue
      }
      #expect(all.pairs.count == 2)
    }
    for coder in coders {
      let again = try coder.decodeStringPairs(forKey: "root")
      #expect(again.map(\.value) == ["1", "2"])
      #expect(again.map { Array($0.key.utf8) } == pairs.map { Array($0.key.utf8) })
    }
    #expect(throws: ArchiveError.self) {
      try KeyedArchiver().encodeStringPairs([pairs[0], pairs[0]], forKey: "root")
    }
  }

  @Test func `an affine transform of Foundation on Linux is read`() throws {
    let transform = NSAffineTransform()
    transform.translateX(by: 2.5, yBy: -3)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: transform, requiringSecureCoding: false)
    let value = try KeyedUnarchiver([UInt8](data)).decodeAnyValue(forKey: "root")
    #expect(Cocoa.AffineTransform([1, 0, 0, 1, 2.5, -3]).map { .affineTransform($0) } == value)
  }
}
