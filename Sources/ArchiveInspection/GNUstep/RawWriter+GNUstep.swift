import Archiving

/// A GNUstep archive item by item.
extension RawWriter {
  mutating func write(_ items: GNUstepArchive) throws {
    var scanner = items.events()
    while true {
      let offset = scanner.offset
      guard let event = try scanner.next() else { return }
      line.add(offset: offset)
      if case .beginObject = event {} else { line.add("  ") }
      try write(event, items)
    }
  }

  private mutating func write(_ event: GNUstepArchiveEvent, _ items: GNUstepArchive) throws {
    switch event {
    case .integer(let value, let type): add(type, String(value))
    case .unsigned(let value, let type): add(type, String(value))
    case .wideInteger(let range, let type):
      add(type, archive.digits(ofWide: range, isSigned: type >= UInt8(ascii: "a")))
    case .float(let value): add(UInt8(ascii: "f"), value.description)
    case .double(let value): add(UInt8(ascii: "d"), value.description)
    case .bool(let value): add(UInt8(ascii: "B"), value ? "true" : "false")
    case .beginObject(let number, let kind):
      line.add("#\(number) ", .number)
      addClass(kind)
    case .reference(let number): add(UInt8(ascii: "@"), "→ #\(number)")
    case .classObject(let number, let kind):
      line.add("#\(number) ", .number)
      line.add("class ", .faint)
      addClass(kind)
    case .archivedClass(let number):
      line.add("# ", .faint)
      addClass(number)
    case .newSelector(let number, let name, let types):
      addText(name, ":", items)
      if !types.isEmpty { line.add(" types \(items.text(types))", .faint) }
      line.add(" *\(number)", .number)
    case .newCString(let number, let range):
      addText(range, "*", items)
      line.add(" *\(number)", .number)
    case .newPointer(let number):
      line.add("^ pointer to what follows", .faint)
      line.add(" *\(number)", .number)
    case .pointerReference(let number): add(UInt8(ascii: "^"), "→ *\(number)")
    case .none(let type):
      line.add(String(Unicode.Scalar(type)) + " nil", .faint)
    case .numbers(let type, let width, let range):
      let count = range.count / max(1, width)
      line.add("[\(count)\(Unicode.Scalar(type))] ", .faint)
      line.add("array of \(count) numbers of \(InspectionText.count(width, "byte"))")
      return try writeBytes(range)
    case .beginArray(let count):
      line.add("[\(count) ", .faint)
      line.add("an array, whose elements follow")
    case .beginStructure:
      line.add("{ ", .faint)
      line.add("a structure, whose members follow")
    }
    try end()
  }

  private mutating func add(_ type: UInt8, _ text: String) {
    line.add(String(Unicode.Scalar(type)) + " ", .faint)
    line.add(text, .number)
  }

  private mutating func addText(_ range: Range<Int>, _ code: String, _ items: GNUstepArchive) {
    line.add(code + " ", .faint)
    line.add("\"\(InspectionText.escaped(items.text(range)))\"", .text)
  }

  /// A class with its superclasses and their versions.
  private mutating func addClass(_ number: Int) {
    guard number > 0, number <= archive.classes.count else { return line.add("nil", .faint) }
    let archived = archive.classes[number - 1]
    line.add(archived.name, .className)
    let versions = zip(archived.chain, archived.versions).map { "\($0) v\($1)" }
    line.add("  (\(versions.joined(separator: " : ")))", .faint)
  }
}
