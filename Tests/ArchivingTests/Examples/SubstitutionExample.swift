import Archiving
// snippet: font-import
import Synchronization
// end
import Testing

/// Objects that are replaced, renamed, or not coded at all.
@Suite struct SubstitutionExample {
  // snippet: font
  final class Font: AwakingCoding, Sendable {
    let name: String
    let size: Double

    private init(name: String, size: Double) { (self.name, self.size) = (name, size) }

    /// The fonts in use: there is one for each name and size.
    private static let inUse = Mutex<[String: Font]>([:])

    /// The only font of a name and a size.
    static func named(_ name: String, size: Double) -> Font {
      unique(Font(name: name, size: size))
    }

    private static func unique(_ font: Font) -> Font {
      inUse.withLock { fonts in
        let key = "\(font.name) \(font.size)"
        if let known = fonts[key] { return known }
        fonts[key] = font
        return font
      }
    }

    static var archivedClass: ArchivedClass { "Font" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
      try coder.encodeDouble(size, forKey: "size")
    }

    init(coder: any DecodingCoder) throws {
      name = try coder.decodeString(forKey: "name")
      size = try coder.decodeDouble(forKey: "size")
    }

    static func awake(_ decoded: Font, after coder: any DecodingCoder) -> (any Coding)? {
      unique(decoded)
    }
  }
  // end

  // snippet: cluster
  /// The public class of a cluster; files know no other name.
  class Label: Coding {
    var text: String { stored }
    private let stored: String

    init(_ text: String) { stored = text }

    class var archivedClass: ArchivedClass { "Label" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(text, forKey: "text")
    }

    required init(coder: any DecodingCoder) throws {
      stored = try coder.decodeString(forKey: "text")
    }
  }

  /// A private member of the cluster.
  final class NumberLabel: Label, ClassSubstitutingCoding {
    private let number: Int

    init(_ number: Int) {
      self.number = number
      super.init("")
    }

    override var text: String { "No. \(number)" }

    override class var archivedClass: ArchivedClass { "NumberLabel" }
    var classForCoder: ArchivedClass { Label.archivedClass }

    required init(coder: any DecodingCoder) throws {
      throw coder.notSupported(by: Self.self, "it is archived as a Label")
    }
  }
  // end

  // snippet: stand-in
  /// A symbol of the program's own library; documents hold its name only.
  final class Symbol: SubstitutingCoding {
    let name: String

    init(_ name: String) { self.name = name }

    static var archivedClass: ArchivedClass { "Symbol" }

    func replacementObject(for coder: any EncodingCoder) -> (any Coding)? {
      // A symbol without a name is not archived at all.
      name.isEmpty ? nil : SymbolName(name: name)
    }

    func encode(with coder: any EncodingCoder) throws {
      throw coder.notSupported(by: Self.self, "it is archived as a SymbolName")
    }

    init(coder: any DecodingCoder) throws {
      throw coder.notSupported(by: Self.self, "it is archived as a SymbolName")
    }
  }

  /// What stands for a symbol in archives, and becomes a symbol again.
  struct SymbolName: AwakingCoding {
    var name: String

    init(name: String) { self.name = name }

    static var archivedClass: ArchivedClass { "SymbolName" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeString(name, forKey: "name")
    }

    init(coder: any DecodingCoder) throws { name = try coder.decodeString(forKey: "name") }

    static func awake(_ decoded: SymbolName, after coder: any DecodingCoder) -> (any Coding)? {
      Symbol(decoded.name)
    }
  }

  /// The place asks for a symbol; what stands for it is listed.
  func symbols(in bytes: [UInt8]) throws -> [Symbol] {
    try KeyedUnarchiver(bytes, classes: [SymbolName.self])
      .decodeObjects(Symbol.self, forKey: "symbols")
  }
  // end

  // snippet: restricted
  /// Means something between running programs only.
  struct Channel: RestrictedCoding {
    static var archivedClass: ArchivedClass { "Channel" }
    static var supportedCoders: CoderKinds { .port }

    init() {}
    init(coder: any DecodingCoder) throws {}
    func encode(with coder: any EncodingCoder) throws {}
  }

  /// Inherits coding, and opts out of it.
  final class Tooltip: Label, RestrictedCoding {
    override class var archivedClass: ArchivedClass {
      ArchivedClass("Tooltip", superclass: super.archivedClass)
    }
    static var supportedCoders: CoderKinds { [] }
  }
  // end

  @Test func `equal fonts are one instance after decoding`() throws {
    let font = Font.named("Optima", size: 12)
    let keyed = try KeyedArchiver.archive(font)
    let sequential = try Archiver.archive(font)
    #expect(try KeyedUnarchiver.unarchive(Font.self, from: keyed) === font)
    #expect(try Unarchiver.unarchive(Font.self, from: sequential) === font)
    #expect(Font.named("Optima", size: 13) !== font)
  }

  @Test func `a member of a cluster is archived as the public class`() throws {
    let keyed = try KeyedArchiver.archive(NumberLabel(7))
    #expect(try ObjectGraph(keyed).node(NodeID(rawValue: 1)).classChain == ["Label", "NSObject"])
    let label = try KeyedUnarchiver.unarchive(Label.self, from: keyed)
    #expect(type(of: label) == Label.self && label.text == "No. 7")
    let sequential = try Archiver.archive(NumberLabel(7))
    #expect(try Typedstream(sequential).version(forClassName: "NumberLabel") == nil)
    #expect(try Unarchiver.unarchive(Label.self, from: sequential).text == "No. 7")
  }

  @Test func `a symbol is archived as its name, and is one symbol again`() throws {
    let symbol = Symbol("anchor")
    let archiver = KeyedArchiver()
    try archiver.encodeObjects([symbol, Symbol(""), symbol], forKey: "symbols")
    let symbols = try symbols(in: archiver.finish())
    #expect(symbols.map(\.name) == ["anchor", "anchor"])
    #expect(symbols[0] === symbols[1])
  }

  @Test func `a class refuses the coders that it does not support`() throws {
    let keyed = #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(Channel()) }
    #expect(
      keyed?.description
        .contains("Channel cannot be coded by KeyedArchiver: it supports other coders only") == true
    )
    let sequential = #expect(throws: ArchiveError.self) { try Archiver.archive(Channel()) }
    #expect(sequential?.code == .coderNotSupported)
    let message = try PortArchiver(.request("open", sequence: 1), objects: PortObjects())
    try message.encodeObject(Channel(), forKey: "channel")
    let received = try PortUnarchiver(message.finish(), objects: PortObjects())
    #expect(throws: Never.self) { try received.decodeObject(Channel.self, forKey: "channel") }
  }

  @Test func `a subclass opts out of the coding that it inherits`() throws {
    let keyed = #expect(throws: ArchiveError.self) { try KeyedArchiver.archive(Tooltip("t")) }
    #expect(keyed?.description.contains("Tooltip cannot be coded by KeyedArchiver") == true)
    let sequential = #expect(throws: ArchiveError.self) { try Archiver.archive(Tooltip("t")) }
    #expect(sequential?.code == .coderNotSupported)
  }
}
