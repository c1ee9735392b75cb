/// What stands in one place of an archive, one level deep, in the terms of both kinds of archive.
///
/// Texts and bytes are places in the file, so that looking at a value copies nothing.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum InspectedValue: Hashable, Sendable {
  /// No object.
  case none
  /// The null of property lists.
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  /// A whole number of sixteen bytes that needs more than eight: the place of its bytes.
  case wide(Range<Int>)
  case float(Float)
  case double(Double)
  /// A reference of a keyed archive, where it stands outside of one.
  case uid(UInt32)
  /// Seconds since 2001.
  case date(Double)
  case data(Range<Int>)
  /// Text of one byte a character.
  case ascii(Range<Int>)
  /// Text of big-endian UTF-16.
  case utf16(Range<Int>)
  /// Counted bytes of a sequential archive, most often UTF-8.
  case bytes(Range<Int>)
  /// A selector or a unique string of a sequential archive: the place of its bytes.
  case symbol(Range<Int>)
  /// A C string: the place of its bytes.
  case cString(Range<Int>)
  /// A class as a value, by its place among the classes.
  case archivedClass(Int)
  /// A type that takes no room.
  case nothing
  /// An object, or a container inside an object.
  case node(Int)
  /// What cannot be read, and why.
  case broken(String)
}

/// How a value is called inside the node that holds it.
public enum InspectedLabel: Hashable, Sendable {
  /// A key, as it stands in the archive.
  case key(String)
  /// A place in an array or set.
  case index(Int)
  /// A value of a sequential archive: its group, its place there if there are several, its type.
  case position(group: Int, item: Int?, type: String)
}

/// An object or a container of an archive.
public struct InspectedNode: Sendable {
  /// What a node is.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Kind: UInt8, Sendable {
    /// `$null`: no object.
    case null
    /// An object with a class.
    case object
    /// A string, number, date or data that stands for itself.
    case bare
    /// The description of a class.
    case classRecord
    /// An array inside an object, or of a property list.
    case array
    /// A set inside an object, or of a property list.
    case set
    /// A dictionary inside an object, or of a property list.
    case dictionary
    /// A C structure.
    case structure
    /// What cannot be read.
    case broken
    /// What holds the roots.
    case top
  }

  /// No class, number, parent or place.
  static let absent = UInt32.max

  /// What it is.
  public internal(set) var kind: Kind
  /// In a property list the number of the list's object, else the place of the first value.
  var start: UInt32
  /// In a property list the place of the class among the keys, else the number of values.
  var count: UInt32 = absent
  var classIndex: UInt32 = absent
  /// Its number in the archive.
  var number: UInt32 = absent
  /// How many places refer to it.
  public internal(set) var references: UInt32 = 0
  /// The node from which it is met first, and the place there.
  var parent: UInt32 = absent
  var slot: UInt32 = 0
  /// Whether it is a collection of a compiled nib, with its elements behind a mark.
  var isInlined = false
  /// In a sequential archive, its first group.
  var groupStart: UInt32 = absent

  /// Whether it is a part of an object and not one itself.
  var isContainer: Bool {
    switch kind {
    case .array, .set, .dictionary, .structure: true
    default: false
    }
  }
}

/// A class that an archive describes.
public struct InspectedClass: Hashable, Sendable {
  /// Its names, the class first; very long ones are cut.
  public internal(set) var chain: [String]
  /// Its version and those of the superclasses, where the archive has them.
  public internal(set) var versions: [Int] = []
  /// The classes that a reader without this one may take instead.
  var hints: [String] = []
  /// Whether something of the description was cut or left out.
  var isCut = false
  /// The number of its description; `nil` where that is not numbered.
  public internal(set) var number: Int?

  /// Its name as programs of Swift write it; `nil` where that is the name in the archive.
  public private(set) var swiftName: String?

  /// The name in the archive.
  public var name: String { chain.first ?? "?" }

  /// The name as it is shown.
  public var shownName: String { swiftName ?? name }

  init(chain: [String], versions: [Int] = [], number: Int? = nil) {
    self.chain = chain
    self.versions = versions
    self.number = number
  }

  /// The chain as it is shown: without `NSObject` at its end.
  public var superclasses: [String] {
    var rest = Array(chain.dropFirst())
    if rest.last == "NSObject" { rest.removeLast() }
    return rest.map { SwiftName.demangled($0) ?? $0 }
  }

  /// The class with its name as it is shown.
  func named() -> InspectedClass {
    var named = self
    named.swiftName = SwiftName.demangled(name)
    return named
  }
}
