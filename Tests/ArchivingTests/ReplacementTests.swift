import Archiving
import Testing

/// A layer as the program has it; it is archived as a reference by name, or not at all.
private class Sheet: Coding, SubstitutingCoding {
  let name: String
  var asked = 0
  init(_ name: String) { self.name = name }
  class var archivedClass: ArchivedClass { "Sheet" }
  func replacementObject(for coder: any EncodingCoder) throws -> (any Coding)? {
    asked += 1
    return name.isEmpty ? nil : SheetName(name: name)
  }
  func encode(with coder: any EncodingCoder) throws {}
  required init(coder: any DecodingCoder) throws {
    throw coder.notSupported(by: Self.self, "it is archived as its name")
  }
}

/// What stands for a sheet in archives: a value without identity, which awakes as the sheet.
private struct SheetName: AwakingCoding {
  var name: String
  static var archivedClass: ArchivedClass { "SheetName" }
  init(name: String) { self.name = name }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "name")
  }
  init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }
  static func awake(_ decoded: SheetName, after coder: any DecodingCoder) -> (any Coding)? {
    decoded.name == "gone" ? nil : Sheet(decoded.name + "!")
  }
}

/// Holds two references to one sheet, one of them conditional, in either order.
private final class Board: Coding {
  var first: Sheet?
  var second: Sheet?
  let isFirstConditional: Bool
  init(_ first: Sheet?, _ second: Sheet?, isFirstConditional: Bool) {
    (self.first, self.second, self.isFirstConditional) = (first, second, isFirstConditional)
  }
  static var archivedClass: ArchivedClass { "Board" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeBool(isFirstConditional, forKey: "order")
    if isFirstConditional {
      try coder.encodeConditionalObject(first, forKey: "first")
      try coder.encodeObject(second, forKey: "second")
    } else {
      try coder.encodeObject(first, forKey: "first")
      try coder.encodeConditionalObject(second, forKey: "second")
    }
  }
  init(coder: any DecodingCoder) throws {
    isFirstConditional = try coder.decodeBool(forKey: "order")
    first = try coder.decodeObjectIfPresent(Sheet.self, forKey: "first")
    second = try coder.decodeObjectIfPresent(Sheet.self, forKey: "second")
  }
}

/// Replaced by a knot, which refers to the loop again.
private final class Loop: SubstitutingCoding {
  let isValue: Bool
  init(isValue: Bool) { self.isValue = isValue }
  static var archivedClass: ArchivedClass { "Loop" }
  func replacementObject(for coder: any EncodingCoder) -> (any Coding)? {
    isValue ? ValueKnot(loop: self) : SheetKnot(self)
  }
  func encode(with coder: any EncodingCoder) throws {}
  init(coder: any DecodingCoder) throws { throw coder.notSupported(by: Self.self) }
}

/// An object that holds itself again, and awakes as a sheet.
private final class SheetKnot: AwakingCoding {
  var loop: Loop?
  weak var own: Sheet?
  init(_ loop: Loop) { self.loop = loop }
  static var archivedClass: ArchivedClass { "Knot" }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeObject(loop, forKey: "loop") }
  init(coder: any DecodingCoder) throws {
    let tie = SheetTie.shared
    try coder.decodeReference(Sheet.self, forKey: "loop") { tie.delivered.append($0) }
  }
  static func awake(_ decoded: SheetKnot, after coder: any DecodingCoder) -> (any Coding)? {
    Sheet("knot")
  }
}

private final class SheetTie: @unchecked Sendable {
  // Only the one test that ties knots uses it.
  static let shared = SheetTie()
  var delivered: [Sheet] = []
}

private struct ValueKnot: Coding {
  var loop: Loop?
  static var archivedClass: ArchivedClass { "Knot" }
  init(loop: Loop) { self.loop = loop }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeObject(loop, forKey: "loop") }
  init(coder: any DecodingCoder) throws {
    _ = try coder.decodeObjectIfPresent(SheetKnot.self, forKey: "loop")
  }
}

/// Has another class for each kind of coder; none for ports, nor when it is hidden.
private final class Mask: ClassSubstitutingCoding {
  let isHidden: Bool
  init(isHidden: Bool = false) { self.isHidden = isHidden }
  static var archivedClass: ArchivedClass { "Mask" }
  func classForCoder(of kind: CoderKinds) -> ArchivedClass? {
    if isHidden { return nil }
    switch kind {
    case .keyed: return "KeyedMask"
    case .sequential: return ArchivedClass("SequentialMask", version: 3)
    default: return "SentMask"
    }
  }
  func encode(with coder: any EncodingCoder) throws { try coder.encodeInt(7, forKey: "n") }
  init(coder: any DecodingCoder) throws { isHidden = try coder.decodeInt(forKey: "n") != 7 }
}

@Suite struct ReplacementTests {
  /// Encodes and decodes with both kinds of coders.
  private func both(
    _ classes: [any Coding.Type] = [], _ encode: (any EncodingCoder) throws -> Void,
    _ check: (any DecodingCoder) throws -> Void
  ) throws {
    let keyed = KeyedArchiver()
    try encode(keyed)
    try check(KeyedUnarchiver(keyed.finish(), classes: classes))
    let sequential = Archiver()
    try encode(sequential)
    try check(Unarchiver(sequential.finish(), classes: classes))
  }

  @Test(arguments: [true, false])
  func `an object goes through a value of another class and comes back as one object`(
    isFirstConditional: Bool
  ) throws {
    let sheet = Sheet("roads")
    let board = Board(sheet, sheet, isFirstConditional: isFirstConditional)
    try both(
      [SheetName.self], { try $0.encodeObject(board, forKey: "root") },
      { (coder) throws in
        let again = try coder.decodeObject(Board.self, forKey: "root")
        #expect(again.first?.name == "roads!")
        #expect(again.first === again.second)
      })
    #expect(sheet.asked == 2)
    let here = PortObjects()
    let message = try PortArchiver(.request("show", sequence: 1), objects: here)
    try message.encodeBycopyObject(board, forKey: "board")
    let received = try PortUnarchiver(
      message.finish(), objects: PortObjects(), classes: [SheetName.self])
    let again = try received.decodeObject(Board.self, forKey: "board")
    #expect(again.first?.name == "roads!")
    #expect(again.first === again.second)
  }

  @Test func `a conditional reference alone to a replaced object is none`() throws {
    let board = Board(Sheet("roads"), nil, isFirstConditional: true)
    try both(
      [SheetName.self], { try $0.encodeObject(board, forKey: "root") },
      { (coder) throws in
        let board = try coder.decodeObject(Board.self, forKey: "root")
        #expect(board.first == nil)
      })
  }

  @Test func `the place is checked after the replacement`() throws {
    try both(
      [SheetName.self], { try $0.encodeObject(Sheet("a"), forKey: "root") },
      { (coder) throws in
        // A text of another kind is asked for: the sheet that awoke does not fit, nor its name.
        let error = #expect(throws: ArchiveError.self) {
          try coder.decodeObject(Board.self, forKey: "root")
        }
        #expect(error?.code == .classNotAllowed)
      })
    try both(
      [], { try $0.encodeObject(Sheet("a"), forKey: "root") },
      { (coder) throws in
        // It is not listed, so that nothing of it is made.
        let error = #expect(throws: ArchiveError.self) {
          try coder.decodeObject(Sheet.self, forKey: "root")
        }
        #expect(error?.code == .classNotAllowed)
      })
    let list = ClassList<any Coding>([SheetName.self, Sheet.self])
    let strict = ClassList<any Coding>([SheetName.self])
    try both(
      [], { try $0.encodeObject(Sheet("a"), forKey: "root") },
      { (coder) throws in
        let sheet = try coder.decodeObject(in: list, forKey: "root") as? Sheet
        #expect(sheet?.name == "a!")
      })
    try both(
      [], { try $0.encodeObject(Sheet("a"), forKey: "root") },
      { (coder) throws in
        #expect(throws: ArchiveError.self) {
          _ = try coder.decodeObject(in: strict, forKey: "root")
        }
      })
  }

  @Test func `what is replaced by nothing is none, and left out of collections`() throws {
    let (hidden, gone, shown) = (Sheet(""), Sheet("gone"), Sheet("x"))
    try both(
      [SheetName.self],
      { (coder) throws in
        try coder.encodeObject(hidden, forKey: "hidden")
        try coder.encodeObject(gone, forKey: "gone")
        try coder.encodeObjects([hidden, shown, gone], forKey: "array")
        try coder.encodeObjects([hidden, shown] as [any Coding], forKey: "mixed")
        try coder.encodeObjectSet([shown, hidden], forKey: "set")
        try coder.encodeDictionary(["h": hidden, "s": shown, "t": gone], forKey: "dictionary")
        try coder.encodeObject(gone, forKey: "again")
      },
      { (coder) throws in
        #expect(try coder.decodeObjectIfPresent(Sheet.self, forKey: "hidden") == nil)
        #expect(try coder.decodeObjectIfPresent(Sheet.self, forKey: "gone") == nil)
        #expect(try coder.decodeObjects(Sheet.self, forKey: "array").map(\.name) == ["x!"])
        #expect(try coder.decodeObjects(Sheet.self, forKey: "mixed").map(\.name) == ["x!"])
        #expect(try coder.decodeObjectSet(Sheet.self, forKey: "set").map(\.name) == ["x!"])
        let dictionary = try coder.decodeDictionary(of: Sheet.self, forKey: "dictionary")
        #expect(dictionary.mapValues(\.name) == ["s": "x!"])
        let error = #expect(throws: ArchiveError.self) {
          try coder.decodeObject(Sheet.self, forKey: "again")
        }
        #expect(error?.code == .valueNotFound)
      })
  }

  @Test func `a replacement that refers to the replaced object refers to itself`() throws {
    for isValue in [true, false] {
      SheetTie.shared.delivered = []
      let loop = Loop(isValue: isValue)
      try both(
        [SheetKnot.self], { try $0.encodeObject(loop, forKey: "root") },
        { (coder) throws in
          let sheet = try coder.decodeObject(Sheet.self, forKey: "root")
          #expect(SheetTie.shared.delivered.last === sheet)
        })
      #expect(SheetTie.shared.delivered.count == 2)
      // Who needs itself at once cannot be made.
      try both(
        [], { try $0.encodeObject(loop, forKey: "root") },
        { (coder) throws in
          let error = #expect(throws: ArchiveError.self) {
            try coder.decodeObject(ValueKnot.self, forKey: "root")
          }
          #expect(error?.code == .cycle || error?.code == .classNotAllowed)
        })
    }
  }

  @Test func `each kind of coder has a class of its own for an object, or none`() throws {
    var masks = ArchivedClassNames()
    for name in ["KeyedMask", "SequentialMask", "SentMask"] {
      masks.setType(Mask.self, forName: name)
    }
    let keyed = try KeyedArchiver.archive(Mask())
    #expect(try ObjectGraph(keyed).node(NodeID(rawValue: 1)).classChain.first == "KeyedMask")
    let sequential = try Archiver.archive(Mask())
    #expect(try Typedstream(sequential).version(forClassName: "SequentialMask") == 3)
    let message = try PortArchiver(.request("wear", sequence: 1), objects: PortObjects())
    try message.encodeBycopyObject(Mask(), forKey: "mask")
    try message.encodeBycopyObject(Mask(isHidden: true), forKey: "hidden")
    let received = try PortUnarchiver(message.finish(), objects: PortObjects())
    received.classNames = masks
    #expect(try received.decodeObject(Mask.self, forKey: "mask").isHidden == false)
    #expect(try received.decodeObjectIfPresent(Mask.self, forKey: "hidden") == nil)
    let hidden = Mask(isHidden: true)
    try both(
      [],
      { (coder) throws in
        try coder.encodeObject(hidden, forKey: "hidden")
        try coder.encodeObjects([hidden, hidden], forKey: "all")
      },
      { (coder) throws in
        #expect(try coder.decodeObjectIfPresent(Mask.self, forKey: "hidden") == nil)
        #expect(try coder.decodeObjects(Mask.self, forKey: "all").isEmpty)
      })
  }

  @Test func `a delegate may hand out an object of another class, or none`() throws {
    final class Swapper: KeyedUnarchiverDelegate {
      func unarchiver(
        _ unarchiver: KeyedUnarchiver, didDecode object: any Coding
      ) throws -> (any Coding)? {
        guard let view = object as? View else { return object }
        return view.title == "none" ? nil : Employee(view.title, "", number: 1)
      }
    }
    let archiver = KeyedArchiver()
    let view = View(title: "clerk")
    try archiver.encodeObjects([view, View(title: "none"), view], forKey: "staff")
    let delegate = Swapper()
    let unarchiver = try KeyedUnarchiver(archiver.finish(), classes: [View.self])
    unarchiver.delegate = delegate
    let staff = try unarchiver.decodeObjects(Employee.self, forKey: "staff")
    #expect(staff.map(\.firstName) == ["clerk", "clerk"])
    #expect(staff[0] === staff[1])
  }
}
