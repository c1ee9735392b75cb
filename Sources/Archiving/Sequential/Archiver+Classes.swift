/// A class of Foundation whose objects stand for plain values, as a typedstream has it.
enum FoundationObject: String {
  case string = "NSString"
  case data = "NSData"
  case date = "NSDate"
  case array = "NSArray"
  case set = "NSSet"
  case dictionary = "NSDictionary"
  case number = "NSNumber"

  /// The class by its name in a stream; mutable objects count as their immutable ones.
  init?(_ name: String) {
    switch name {
    case "NSString", "NSMutableString": self = .string
    case "NSData", "NSMutableData": self = .data
    case "NSDate": self = .date
    case "NSArray", "NSMutableArray": self = .array
    case "NSSet", "NSMutableSet": self = .set
    case "NSDictionary", "NSMutableDictionary": self = .dictionary
    case "NSNumber": self = .number
    default: return nil
    }
  }

  /// The class that is written, with its superclasses.
  var chain: [(name: String, version: Int)] {
    switch self {
    case .string: [(rawValue, 1), ("NSObject", 0)]
    case .number: [(rawValue, 0), ("NSValue", 0), ("NSObject", 0)]
    default: [(rawValue, 0), ("NSObject", 0)]
    }
  }
}

extension Archiver {
  /// Writes a class under another name; its superclasses and version stay.
  ///
  /// Tell so before an object of the class is encoded.
  public func encodeClassName(_ name: String, intoClassName archived: String) throws {
    guard !classes.contains(where: { $0.number >= 0 && $0.chain.contains { $0.name == name } })
    else {
      throw ArchiveError(.misuse, "the class \(name) was written already")
    }
    otherNames[name] = archived
  }

  /// The name under which a class is written.
  public func classNameEncoded(forTrueClassName name: String) -> String {
    otherNames[name] ?? classNames.name(forClassNamed: name) ?? name
  }

  /// Encodes another object, or none, wherever an object would be encoded from now on.
  public func replaceObject(_ object: some Coding & AnyObject, with other: (any Coding)?) {
    replacements[ObjectIdentifier(object)] = Replacement(original: object, final: other)
  }

  /// The entry of a type, made when it is met first.
  @inline(__always)
  func classIndex(of type: any Coding.Type) -> Int {
    let identity = ObjectIdentifier(type)
    if lastType.identity == identity { return lastType.index }
    return findClass(type, identity)
  }

  @inline(never)
  private func findClass(_ type: any Coding.Type, _ identity: ObjectIdentifier) -> Int {
    let index = classOfType[identity] ?? addClass(type, identity)
    lastType = (identity, index)
    return index
  }

  private func addClass(_ type: any Coding.Type, _ identity: ObjectIdentifier) -> Int {
    var entry = ClassEntry(type: identity, chain: Self.chain(of: type.archivedClass))
    entry.isObject = type is AnyObject.Type
    let isSpecial = type is any SpecialCoding.Type
    if isSpecial {
      entry.isSpecial = true
      entry.isIdentified = type is any IdentifiedCoding.Type
      entry.isSubstituting = type is any SubstitutingCoding.Type
      entry.isClassSubstituting = type is any ClassSubstitutingCoding.Type
      entry.isRestricted = type is any RestrictedCoding.Type
      entry.isUnknown = type is UnknownObject.Type
      entry.isFoundation = type is any FoundationValue.Type || type == Cocoa.Object.self
    }
    if ArchivedName.isOwn(type, isSpecial: isSpecial) {
      let name = type.archivedClass.name
      let other = classes.first { $0.claimant != nil && $0.chain.first?.name == name }?.claimant
      entry.claimant = type
      entry.nameFault =
        ArchivedName.inherited(by: type, isSpecial: isSpecial)
        ?? other.map { ArchivedName.clash(of: $0, type) }
      if entry.nameFault != nil { entry.isSpecial = true }
    }
    classes.append(entry)
    classOfType[identity] = classes.count - 1
    return classes.count - 1
  }

  /// The entry of a class under which an instance of another type is archived.
  func classIndex(of archived: ArchivedClass) -> Int {
    if let known = classOfArchived[archived] { return known }
    classes.append(ClassEntry(type: nil, chain: Self.chain(of: archived)))
    classOfArchived[archived] = classes.count - 1
    return classes.count - 1
  }

  /// The entry of a class of Foundation.
  func classIndex(of foundation: FoundationObject) -> Int {
    if let known = foundationClasses[foundation] { return known }
    classes.append(ClassEntry(type: nil, chain: foundation.chain))
    foundationClasses[foundation] = classes.count - 1
    return classes.count - 1
  }

  /// A class with its superclasses and their versions.
  static func chain(of archived: ArchivedClass) -> [(name: String, version: Int)] {
    var chain = [(name: archived.name, version: archived.version)]
    for (name, version) in zip(archived.ancestors, archived.ancestorVersions) {
      chain.append((name, version))
    }
    return chain
  }

  /// Writes the class of an object that begins: in full for the first, else its number.
  @inline(__always)
  func writeClass(_ index: Int) {
    let number = classes[index].number
    if number >= 0 { writer.writeReference(number) } else { writeNewClass(index) }
  }

  private func writeNewClass(_ index: Int) {
    classes[index].number = writer.writeClass(renamed(classes[index].chain)) ?? -1
  }

  /// The chain under the names that are written.
  func renamed(_ chain: [(name: String, version: Int)]) -> [(name: String, version: Int)] {
    chain.map { (classNameEncoded(forTrueClassName: $0.name), $0.version) }
  }
}
