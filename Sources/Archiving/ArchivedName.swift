/// Whether the names that types have in archives are theirs alone.
enum ArchivedName {
  /// Why a class cannot be archived under its name; `nil` unless it is that of its superclass.
  static func inherited(by type: any Coding.Type, isSpecial: Bool) -> String? {
    guard isOwn(type, isSpecial: isSpecial), let subclass = type as? AnyClass,
      let parent = _getSuperclass(subclass) as? any Coding.Type
    else { return nil }
    let name = type.archivedClass.name
    guard parent.archivedClass.name == name else { return nil }
    return "\(type) has the archived name of its superclass \(parent), which is \(name); "
      + "override archivedClass in \(type)"
  }

  /// Why two types cannot be archived together.
  static func clash(of first: any Coding.Type, _ second: any Coding.Type) -> String {
    "\(String(reflecting: first)) and \(String(reflecting: second)) have one archived name, "
      + "\(first.archivedClass.name); give each a name of its own"
  }

  /// Why a type cannot be read in a place of another: both have one name; `nil` if they have not.
  static func clash(of found: any Coding.Type, inPlaceOf type: any Coding.Type) -> String? {
    guard found.archivedClass.name == type.archivedClass.name,
      isOwn(found, isSpecial: true), isOwn(type, isSpecial: true)
    else { return nil }
    return clash(of: type, found)
  }

  /// Whether instances of a type are archived under its own name.
  static func isOwn(_ type: any Coding.Type, isSpecial: Bool) -> Bool {
    guard isSpecial else { return true }
    return
      !(type is any SubstitutingCoding.Type || type is any ClassSubstitutingCoding.Type
      || type is any FoundationValue.Type || type is any StandardCollection.Type
      || type == Cocoa.Object.self
      || type == UnknownObject.self)
  }
}
