import Archiving
import ArchivingFoundation
import Foundation
import PortolanTestSupport
import Testing

private class Person: NSObject, Coding {
  let name: String
  init(_ name: String) { self.name = name }

  override func isEqual(_ object: Any?) -> Bool { (object as? Person)?.name == name }
  override var hash: Int { name.hash }

  class var archivedClass: ArchivedClass { "Person" }
  func encode(with coder: any EncodingCoder) throws { try coder.encode(name, forKey: "name") }
  required init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
}

private final class Chief: Person {
  override class var archivedClass: ArchivedClass {
    ArchivedClass("Chief", superclass: super.archivedClass)
  }
}

/// No `NSObject`.
private final class Plain: Coding {
  init() {}
  static var archivedClass: ArchivedClass { "Plain" }
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws {}
}

/// Objects of one's own classes in Foundation's collections, in the lines that `NSSecureCoding` has.
@Suite struct OwnClassTests {
  /// Each array has the next one twice: a small archive that unfolds to 2⁴⁰ objects.
  @Test func `Collections that share their parts are refused when they unfold to too much`() throws
  {
    let depth = 40
    let uid = { (number: Int) in "<dict><key>CF$UID</key><integer>\(number)</integer></dict>" }
    var objects = "<string>$null</string><dict><key>$classname</key><string>NSArray</string>"
    objects += "<key>$classes</key><array><string>NSArray</string><string>NSObject</string></array>"
    objects += "</dict>"
    for place in 0..<depth {
      let parts = place + 1 < depth ? uid(place + 3) + uid(place + 3) : ""
      objects += "<dict><key>NS.objects</key><array>\(parts)</array>"
      objects += "<key>$class</key>\(uid(1))</dict>"
    }
    let text = """
      <plist version="1.0"><dict><key>$version</key><integer>100000</integer>
      <key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key>\(uid(2))</dict>
      <key>$objects</key><array>\(objects)</array></dict></plist>
      """
    let classes: [AnyClass] = [NSArray.self]
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedArrayOfObjects(ofClasses: classes, from: Data(text.utf8))
    }
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver(forReadingFrom: Data(text.utf8))
        .decodeObject(of: classes, forKey: "root")
    }
  }

  @Test func `the usual lines of NSSecureCoding classes work`() throws {
    let staff = [Person("a"), Person("b")]
    let typed = try KeyedArchiver.archivedData(withRootObject: staff)
    let untyped = try KeyedArchiver.archivedData(withRootObject: staff as NSArray)
    #expect(typed == untyped)
    let classes: [AnyClass] = [NSArray.self, Person.self]
    let made = try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: typed)
    #expect(made as? [Person] == staff)
    let archiver = KeyedArchiver()
    try archiver.encode(staff as NSArray, forKey: "staff")
    try archiver.encodeFoundation(["boss": staff[0], "n": 1] as [String: Any], forKey: "any")
    try archiver.encode(staff[0] as NSObject, forKey: "one")
    try archiver.encode(NSSet(array: staff))
    let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(try unarchiver.decodeObject(of: classes, forKey: "staff") as? [Person] == staff)
    #expect(try unarchiver.decodeArrayOfObjects(ofClass: Person.self, forKey: "staff") == staff)
    let list = try unarchiver.decodeArrayOfObjects(
      ofClasses: [Person.self, NSString.self], forKey: "staff")
    #expect(list as? [Person] == staff)
    let any = try unarchiver.decodeObject(
      of: [NSDictionary.self, NSString.self, NSNumber.self, Person.self], forKey: "any")
    #expect(any as? NSDictionary == ["boss": staff[0], "n": 1])
    #expect(try unarchiver.decodeObject(of: Person.self, forKey: "one") == staff[0])
    #expect(try unarchiver.decodeObject(Set<Person>.self) == Set(staff))
    let array = try KeyedUnarchiver.unarchivedArrayOfObjects(
      ofClasses: [Person.self, NSNumber.self], from: typed)
    #expect(array as? [Person] == staff)
  }

  @Test func `classes that are not listed are refused at every depth`() throws {
    let value: NSDictionary = ["k": [Person("a"), "s"] as NSArray]
    let data = try KeyedArchiver.archivedData(withRootObject: value)
    let all: [AnyClass] = [NSDictionary.self, NSArray.self, NSString.self, Person.self]
    #expect(
      try KeyedUnarchiver.unarchivedObject(ofClasses: all, from: data) as? NSDictionary == value)
    for left in all.indices {
      var some = all
      some.remove(at: left)
      let error = #expect(throws: ArchiveError.self) {
        try KeyedUnarchiver.unarchivedObject(ofClasses: some, from: data)
      }
      #expect(error?.code == .classNotAllowed, "\(all[left])")
      #expect(error?.path.contains("root") == true)
    }
  }

  @Test func `subclasses that the unarchiver lists stand for a listed class`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Chief("c")] as NSArray)
    let classes: [AnyClass] = [NSArray.self, Person.self]
    #expect(throws: ArchiveError.self) {
      try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }
    let unarchiver = try KeyedUnarchiver(forReadingFrom: data, classes: [Chief.self])
    let made = try unarchiver.decodeObject(of: classes, forKey: "root") as? [Person]
    #expect(made?.first is Chief)
  }

  @Test func `objects that are no NSObject go too`() throws {
    let data = try KeyedArchiver.archivedData(withRootObject: [Plain(), 1] as NSArray)
    let classes: [AnyClass] = [NSArray.self, NSNumber.self, Plain.self]
    let made = try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? NSArray
    #expect(made?.firstObject is Plain)
  }

  @Test func `collections nested too deep are refused`() throws {
    let ring = NSMutableArray()
    ring.add(Person("a"))
    var value: Any = ring
    for _ in 0..<200 { value = NSArray(object: value) }
    let error = #expect(throws: ArchiveError.self) {
      try KeyedArchiver().encodeFoundation(value, forKey: "x")
    }
    #expect(error?.code == .tooDeep)
  }

  private static let classes: [AnyClass] = [
    NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self, NSString.self, NSNumber.self,
    NSDate.self, NSURL.self, NSData.self, Person.self,
  ]

  private func tree(_ random: inout SeededGenerator, _ depth: Int) -> NSObject {
    func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    func some() -> [NSObject] { (0..<number(4)).map { _ in tree(&random, depth + 1) } }
    // Foundation on Linux ends the program over arrays in sets, and keeps equal ones in ordered sets.
    func leaves() -> [NSObject] {
      (0..<number(4)).reduce(into: []) { leaves, _ in
        let leaf = tree(&random, 9)
        if !leaves.contains(leaf) { leaves.append(leaf) }
      }
    }
    switch number(depth < 4 ? 14 : 7) {
    case 0: return "text \(number(9))" as NSString
    case 1: return NSNumber(value: 2 + number(1_000))
    case 2: return NSNumber(value: 0.5 + Double(number(9)))
    case 3: return Date(timeIntervalSinceReferenceDate: Double(number(99))) as NSDate
    case 4: return NSData(data: Data([UInt8(number(256))]))
    case 5, 6: return Person("p\(number(20))")
    case 7, 8: return NSArray(array: some())
    case 9: return NSMutableArray(array: some())
    case 10: return NSSet(array: leaves())
    case 11: return NSOrderedSet(array: leaves())
    case 12:
      let set = NSCountedSet(array: leaves())
      if let first = set.anyObject() { set.add(first) }
      return set
    default:
      let pairs = NSMutableDictionary()
      for value in some() { pairs.setObject(value, forKey: "k\(number(9))" as NSString) }
      pairs.setObject("by person" as NSString, forKey: Person("key"))
      return pairs
    }
  }

  @Test(arguments: Seeds.some(200))
  func `collections with one's own objects at every depth come back`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = NSArray(array: [tree(&random, 0), Person("first"), tree(&random, 0)])
    for format in [ArchiveFormat.binary, .xml] {
      let archiver = KeyedArchiver()
      archiver.outputFormat = format
      try archiver.encode(value, forKey: "root")
      let unarchiver = try KeyedUnarchiver(archiver.finish())
      let made = try unarchiver.decodeObject(of: Self.classes, forKey: "root")
      #expect(made as? NSArray == value)
    }
    let archiver = Archiver()
    try archiver.encode(value, forKey: "root")
    let unarchiver = try Unarchiver(archiver.finish())
    #expect(try unarchiver.decodeObject(of: Self.classes, forKey: "root") as? NSArray == value)
  }
}
