import Archiving
import Testing

/// Notes what it is told, and replaces what it was given replacements for.
private final class Witness: KeyedArchiverDelegate, KeyedUnarchiverDelegate {
  var events: [String] = []
  var onEncode: (any Coding) throws -> (any Coding)? = { $0 }
  var onDecode: (any Coding) throws -> (any Coding)? = { $0 }
  var onUnknown: (String, [String]) -> (any Coding.Type)? = { _, _ in nil }
  var onFinish: (KeyedArchiver) throws -> Void = { _ in }

  private func name(_ object: (any Coding)?) -> String {
    switch object {
    case let view as View: view.title
    case let employee as Employee: employee.firstName
    case .some(let other): "\(type(of: other))"
    case .none: "none"
    }
  }

  func archiver(
    _ archiver: KeyedArchiver, willEncode object: any Coding
  ) throws -> (any Coding)? {
    events.append("will " + name(object))
    return try onEncode(object)
  }
  func archiver(_ archiver: KeyedArchiver, didEncode object: any Coding) {
    events.append("did " + name(object))
  }
  func archiver(
    _ archiver: KeyedArchiver, willReplace object: any Coding, with newObject: (any Coding)?
  ) {
    events.append(name(object) + " by " + name(newObject))
  }
  func archiverWillFinish(_ archiver: KeyedArchiver) throws {
    events.append("will finish")
    try onFinish(archiver)
  }
  func archiverDidFinish(_ archiver: KeyedArchiver) { events.append("finished") }

  func unarchiver(
    _ unarchiver: KeyedUnarchiver, cannotDecodeObjectOfClassName name: String,
    originalClasses: [String]
  ) -> (any Coding.Type)? {
    events.append("unknown " + originalClasses.joined(separator: ">"))
    return onUnknown(name, originalClasses)
  }
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
  ) throws -> (any Coding)? {
    events.append("did " + name(object))
    return try onDecode(object)
  }
  func unarchiver(
    _ unarchiver: KeyedUnarchiver, willReplace object: any Coding, with newObject: (any Coding)?
  ) {
    events.append(name(object) + " by " + name(newObject))
  }
  func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) { events.append("will finish") }
  func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) { events.append("finished") }
}

@Suite struct ArchiverDelegateTests {
  @Test func `it is asked once for each object and told once of each that is encoded`() throws {
    let witness = Witness()
    let archiver = KeyedArchiver()
    archiver.delegate = witness
    let boss = Employee("boss", "", number: 1)
    let clerk = Employee("clerk", "", number: 2, manager: boss)
    try archiver.encodeConditionalObject(boss, forKey: "conditional")
    try archiver.encodeObject(nil as Employee?, forKey: "nil")
    try archiver.encodeObjects([clerk, boss, clerk], forKey: "staff")
    _ = try archiver.finish()
    #expect(
      witness.events == [
        "will boss", "will clerk", "did boss", "did clerk", "will finish", "finished",
      ])
  }

  @Test func `what it answers is encoded in the place, everywhere`() throws {
    let witness = Witness()
    let (secret, blank) = (View(title: "secret"), View(title: "blank"))
    let gone = View(title: "gone")
    witness.onEncode = { object in
      switch object as? View {
      case .some(let view) where view === secret: blank
      case .some(let view) where view === gone: nil
      default: object
      }
    }
    let archiver = KeyedArchiver()
    archiver.delegate = witness
    try archiver.encodeObjects([secret, blank, secret], forKey: "views")
    try archiver.encodeObject(gone, forKey: "gone")
    try archiver.encodeConditionalObject(gone, forKey: "goneToo")
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    let views = try unarchiver.decodeObjects(View.self, forKey: "views")
    #expect(views.map(\.title) == ["blank", "blank", "blank"])
    #expect(views[0] === views[1] && views[1] === views[2])
    #expect(try unarchiver.decodeObjectIfPresent(View.self, forKey: "gone") == nil)
    #expect(
      witness.events == [
        "will secret", "secret by blank", "did blank", "will blank", "will gone", "gone by none",
        "will finish", "finished",
      ])
  }

  @Test func `an object's own replacement comes before the delegate's`() throws {
    let witness = Witness()
    let archiver = KeyedArchiver()
    archiver.delegate = witness
    try archiver.encodeObject(Proxy(View(title: "subject")), forKey: "root")
    #expect(witness.events == ["will subject", "Proxy by subject", "did subject"])
  }

  @Test func `an error of the delegate ends the archive, and is thrown again`() throws {
    struct Refusal: Error {}
    let witness = Witness()
    witness.onEncode = { object in
      if (object as? Employee)?.firstName == "boss" { throw Refusal() }
      return object
    }
    let archiver = KeyedArchiver()
    archiver.delegate = witness
    let clerk = Employee("clerk", "", number: 2, manager: Employee("boss", "", number: 1))
    #expect(throws: Refusal.self) { try archiver.encodeObject(clerk, forKey: "root") }
    #expect(throws: Refusal.self) { try archiver.finish() }
  }

  @Test func `it may encode something at the end, and nothing after`() throws {
    let witness = Witness()
    witness.onFinish = { try $0.encodeInt(7, forKey: "last") }
    let archiver = KeyedArchiver()
    archiver.delegate = witness
    #expect(try KeyedUnarchiver(archiver.finish()).decodeInt(forKey: "last") == 7)
    let attempts: [() throws -> Void] = [
      { try archiver.encodeInt(1, forKey: "more") }, { try archiver.encodeInt(1) },
      { try archiver.encodeObject(View(title: "t"), forKey: "view") },
      { _ = try archiver.finish() },
    ]
    for attempt in attempts {
      let error = #expect(throws: ArchiveError.self) { try attempt() }
      #expect(error?.code == .misuse)
    }
  }
}

@Suite struct UnarchiverDelegateTests {
  private func staff() throws -> [UInt8] {
    let boss = Employee("boss", "", number: 1)
    let archiver = KeyedArchiver()
    try archiver.encodeObjects(
      [Employee("clerk", "", number: 2, manager: boss), boss], forKey: "staff")
    return try archiver.finish()
  }

  @Test func `it is told once of each object, and what it answers is handed out`() throws {
    let witness = Witness()
    let other = Employee("other", "", number: 9)
    witness.onDecode = { ($0 as? Employee)?.firstName == "boss" ? other : $0 }
    let unarchiver = try KeyedUnarchiver(staff())
    unarchiver.delegate = witness
    let staff = try unarchiver.decodeObjects(Employee.self, forKey: "staff")
    #expect(staff[1] === other && staff[0].manager === other)
    try unarchiver.finishDecoding()
    #expect(
      witness.events == ["did boss", "boss by other", "did clerk", "will finish", "finished"])
  }

  @Test func `what it answers must be admitted at the place`() throws {
    let witness = Witness()
    witness.onDecode = { _ in View(title: "intruder") }
    let unarchiver = try KeyedUnarchiver(staff())
    unarchiver.delegate = witness
    for attempt in [
      { _ = try unarchiver.decodeObjects(Employee.self, forKey: "staff") },
      {
        _ = try unarchiver.decodeObjects(
          in: ClassList<any Coding>([Employee.self]), forKey: "staff")
      },
    ] as [() throws -> Void] {
      let error = #expect(throws: ArchiveError.self) { try attempt() }
      #expect(error?.code == .classNotAllowed)
    }
  }

  @Test func `it may name a type for a class that is unknown, if the place admits it`() throws {
    let witness = Witness()
    let bytes = try KeyedArchiver.archive(MapView(title: "map", magnification: 2))
    let unarchiver = try KeyedUnarchiver(bytes)
    unarchiver.delegate = witness
    #expect(throws: ArchiveError.self) { try unarchiver.decodeObject(View.self, forKey: "root") }
    witness.onUnknown = { _, _ in Employee.self }
    let error = #expect(throws: ArchiveError.self) {
      try unarchiver.decodeObject(View.self, forKey: "root")
    }
    #expect(error?.code == .classNotAllowed)
    witness.onUnknown = { name, chain in name == "MapView" && chain.count == 3 ? View.self : nil }
    #expect(try unarchiver.decodeObject(View.self, forKey: "root").title == "map")
    #expect(witness.events.first == "unknown MapView>View>NSObject")
  }

  @Test func `awaking tells of the replacement`() throws {
    try Font.$cabinet.withValue(Font.CabinetBox()) {
      let bytes = try KeyedArchiver.archive(Font("Optima", size: 12))
      Font.cabinet.cabinet.fonts["Optima"] = Font("Optima", size: 9)
      let witness = Witness()
      let unarchiver = try KeyedUnarchiver(bytes)
      unarchiver.delegate = witness
      #expect(try unarchiver.decodeObject(Font.self, forKey: "root").size == 9)
      #expect(witness.events == ["Font by Font", "did Font"])
    }
  }

  @Test func `nothing can be decoded after the end`() throws {
    let archiver = KeyedArchiver()
    try archiver.encodeInt(1, forKey: "one")
    try archiver.encodeInt(2)
    let unarchiver = try KeyedUnarchiver(archiver.finish())
    try unarchiver.finishDecoding()
    let attempts: [() throws -> Void] = [
      { _ = try unarchiver.decodeInt(forKey: "one") },
      { _ = try unarchiver.decodeIntIfPresent(forKey: "one") }, { _ = try unarchiver.decodeInt() },
      { _ = try unarchiver.containsValue(forKey: "one") }, { try unarchiver.finishDecoding() },
    ]
    for attempt in attempts {
      let error = #expect(throws: ArchiveError.self) { try attempt() }
      #expect(error?.code == .misuse)
    }
  }
}
