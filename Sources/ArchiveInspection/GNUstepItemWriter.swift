import Archiving
import PortolanTerminals
import PropertyLists

/// Writes the items of a GNUstep archive, one a line, below the object that began last.
struct GNUstepItemWriter {
  private let inspection: GNUstepInspection
  private let options: TreeOptions
  /// Whether offsets stand in front, and nothing is cut or interpreted.
  private let isRaw: Bool
  private var line: InspectionLine
  private var isClassShown: [Bool]

  init(_ inspection: GNUstepInspection, _ options: TreeOptions, isRaw: Bool) {
    self.inspection = inspection
    self.options = options
    self.isRaw = isRaw
    line = InspectionLine(hasColours: options.hasColours)
    isClassShown = Array(repeating: false, count: inspection.archive.classes.count + 1)
  }

  /// Writes one item, and the bytes of an array below it if they are shown as they stand.
  mutating func write(
    _ event: GNUstepArchiveEvent, at offset: Int, to output: inout TextOutput
  ) throws {
    if isRaw { line.add(offset: offset) }
    switch event {
    case .beginObject(let number, let kind):
      addNumber(number)
      addClass(kind)
    default:
      line.add("  ")
      add(event)
    }
    try end(&output)
    guard isRaw, case .numbers(_, _, let range) = event else { return }
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 24) {
      line.add(offset: start)
      let row = start..<min(start + 24, range.upperBound)
      line.add("    " + InspectionText.hexadecimal(inspection.bytes(row), groups: 4), .text)
      try end(&output)
    }
  }

  private mutating func end(_ output: inout TextOutput) throws {
    try output.write(line.text + "\n")
    line.clear()
  }

  private mutating func addNumber(_ number: Int) {
    if !options.isStable || isRaw { line.add("#\(number) ", .number) }
  }

  private mutating func addType(_ code: UInt8) {
    line.add(String(Unicode.Scalar(code)) + " ", .faint)
  }

  /// A class; its superclasses and the versions at the first place.
  private mutating func addClass(_ number: Int) {
    guard number > 0, number < isClassShown.count else { return line.add("nil", .faint) }
    line.add(inspection.name(ofClass: number), .className)
    guard isRaw || !isClassShown[number] else { return }
    isClassShown[number] = true
    line.add("  (\(inspection.chain(ofClass: number)))", .faint)
  }

  private mutating func add(_ event: GNUstepArchiveEvent) {
    switch event {
    case .integer(let value, let type): addScalar(type, String(value))
    case .unsigned(let value, let type): addScalar(type, String(value))
    case .wideInteger(let range, let type):
      addScalar(type, "0x" + InspectionText.hexadecimal(inspection.bytes(range)))
    case .float(let value): addScalar(UInt8(ascii: "f"), InspectionText.number(value))
    case .double(let value): addScalar(UInt8(ascii: "d"), InspectionText.number(value))
    case .bool(let value): addScalar(UInt8(ascii: "B"), value ? "true" : "false")
    case .beginObject: break
    case .reference(let number): addReference("@", number)
    case .classObject(let number, let kind):
      addNumber(number)
      line.add("class ", .faint)
      addClass(kind)
    case .archivedClass(let number):
      line.add("# ", .faint)
      addClass(number)
    case .newSelector(let number, let name, let types):
      line.add(": ", .faint)
      addText(inspection.archive.text(name), count: name.count)
      if !types.isEmpty { line.add(" types \(inspection.archive.text(types))", .faint) }
      addPointer(number)
    case .newCString(let number, let range):
      line.add("* ", .faint)
      addText(inspection.archive.text(range), count: range.count)
      addPointer(number)
    case .newPointer(let number):
      line.add("^ pointer to what follows", .faint)
      addPointer(number)
    case .pointerReference(let number): addReference("^", number)
    case .none(let type):
      addType(type)
      line.add("nil", .faint)
    case .numbers(let type, let width, let range): addNumbers(type, width, range)
    case .beginArray(let count):
      line.add("[\(InspectionText.count(count, "item"))] ", .faint)
      line.add("follow")
    case .beginStructure: line.add("{ a structure, whose members follow", .faint)
    }
  }

  private mutating func addScalar(_ type: UInt8, _ text: String) {
    addType(type)
    line.add(text, .number)
  }

  /// References in the stable form have no number, which changes with every edit.
  private mutating func addReference(_ code: String, _ number: Int) {
    line.add(code + " ", .faint)
    let mark = code == "^" ? "*" : "#"
    line.add(options.isStable && !isRaw ? "→" : "→ \(mark)\(number)", .number)
  }

  private mutating func addPointer(_ number: Int) {
    if !options.isStable || isRaw { line.add(" *\(number)", .number) }
  }

  private mutating func addText(_ text: String, count: Int) {
    let whole = InspectedArchive.Text(text: text, count: count, isCut: false)
    let room = isRaw || !options.cutsTexts ? Int.max : max(16, options.columns - line.columns)
    line.add(InspectionText.quoted(whole, columns: room), .text)
  }

  // MARK: Arrays of numbers

  private mutating func addNumbers(_ type: UInt8, _ width: Int, _ range: Range<Int>) {
    let count = range.count / max(1, width)
    line.add("[\(count)\(String(Unicode.Scalar(type)))] ", .faint)
    if isRaw { return line.add("array of \(count) numbers of \(width) bytes") }
    if let text = text(type, width, range) { return addText(text, count: count) }
    let room = options.cutsTexts ? max(16, options.columns - line.columns - 2) : .max >> 8
    var shown = ""
    for place in 0..<count {
      let part =
        (place == 0 ? "" : " ") + number(type, width, at: range.lowerBound + place * width)
      guard shown.count + part.count <= room else {
        shown += " …"
        break
      }
      shown += part
    }
    line.add(shown, .number)
  }

  /// What an array of characters says; `nil` where it is not text.
  private func text(_ type: UInt8, _ width: Int, _ range: Range<Int>) -> String? {
    guard !range.isEmpty else { return nil }
    let text: String?
    switch (type, width) {
    case (UInt8(ascii: "S"), 2): text = inspection.archive.text(ofNumbers: range, type: type)
    case (UInt8(ascii: "c"), 1), (UInt8(ascii: "C"), 1):
      text = String(validating: inspection.bytes(range), as: UTF8.self)
    default: text = nil
    }
    guard let text, !text.utf8.contains(where: { $0 < 9 || $0 == 0x7F }) else { return nil }
    return text
  }

  private func number(_ type: UInt8, _ width: Int, at offset: Int) -> String {
    let reader = inspection.archive.reader
    guard width <= 8, let bits = reader.bigEndian(at: offset, width: width) else {
      return "0x" + InspectionText.hexadecimal(inspection.bytes(offset..<offset + width))
    }
    switch type {
    case UInt8(ascii: "f"):
      return InspectionText.number(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case UInt8(ascii: "d"): return InspectionText.number(Double(bitPattern: bits))
    case UInt8(ascii: "B"): return bits == 0 ? "false" : "true"
    case UInt8(ascii: "C"), UInt8(ascii: "S"), UInt8(ascii: "I"), UInt8(ascii: "L"),
      UInt8(ascii: "Q"):
      return String(bits)
    default:
      let unused = UInt64(64 - 8 * width)
      return String(Int64(bitPattern: bits << unused) >> Int64(unused))
    }
  }
}
