import Archiving
import PortolanTexts
import PropertyLists

/// Writes a typedstream as JSON from which it can be made again, as `Docs/values-json.md` has it.
///
/// The steps of the stream are written as they come, so that nothing recurses and nothing is kept
/// but the way down.
struct ExactStreamWriter {
  private let stream: Typedstream
  private let archive: InspectedArchive
  private var levels = [Level(kind: .groups)]

  private struct Level {
    enum Kind {
      /// Groups, at the top or in an object.
      case groups
      /// A group, behind its types.
      case group
      /// The elements of an array or a structure.
      case row
    }

    var kind: Kind
    var isEmpty = true
  }

  init(_ stream: Typedstream, _ archive: InspectedArchive) {
    (self.stream, self.archive) = (stream, archive)
  }

  /// Writes the whole stream as one line.
  mutating func writeAll(_ options: ValueOptions, to sink: inout ValueSink) throws {
    var head = "{\"schema\":\"\(InspectedArchive.valuesSchema)\",\"exact\":true"
    if let digest = options.digest {
      head += ",\"sha256\":\"\(InspectionText.hexadecimal(digest))\""
    }
    let order = stream.byteOrder == .littleEndian ? "little" : "big"
    head += ",\"format\":\"typedstream\",\"version\":\(stream.streamerVersion)"
    head += ",\"byteOrder\":\"\(order)\",\"systemVersion\":\(stream.systemVersion),\"roots\":["
    try sink.output.write(head)
    var scanner = stream.events()
    while let event = try scanner.next() { try write(event, scanner.typeCode, &sink) }
    while let level = levels.popLast() {
      if level.kind != .groups || levels.isEmpty {
        try sink.output.write("]")
      } else {
        try sink.output.write("]}")
      }
    }
    if let damage = stream.damage {
      sink.noteBroken(damage.reason)
      try sink.output.write(",\"$broken\":\(SafeJSON.string(damage.reason))")
    }
    try sink.output.write("}\n")
    try sink.output.flush()
  }

  private mutating func write(
    _ event: TypedstreamEvent, _ type: UInt8, _ sink: inout ValueSink
  ) throws {
    switch event {
    case .beginGroup(let types):
      try endGroup(&sink)
      try separate(&sink)
      try sink.output.write("[" + SafeJSON.string(try text(types)))
      levels.append(Level(kind: .group, isEmpty: false))
    case .beginObject(let number):
      try separate(&sink)
      var index: Int?
      if case .object(let found)? = stream.entry(number) { index = found }
      let described = try index.map { try words(ofClass: $0, "$class") } ?? "\"$class\":[]"
      try sink.output.write("{\"$id\":\(number),\(described),\"$fields\":[")
      levels.append(Level(kind: .groups))
    case .endObject:
      try endGroup(&sink)
      levels.removeLast()
      try sink.output.write("]}")
    case .beginArray, .beginStructure:
      try separate(&sink)
      try sink.output.write("[")
      levels.append(Level(kind: .row))
    case .endArray, .endStructure:
      levels.removeLast()
      try sink.output.write("]")
    default:
      try separate(&sink)
      try writeLeaf(event, type, &sink)
    }
  }

  /// Ends the group that is open, if one is.
  private mutating func endGroup(_ sink: inout ValueSink) throws {
    guard levels.last?.kind == .group else { return }
    levels.removeLast()
    try sink.output.write("]")
  }

  private mutating func separate(_ sink: inout ValueSink) throws {
    guard let last = levels.indices.last else { return }
    if !levels[last].isEmpty { try sink.output.write(",") }
    levels[last].isEmpty = false
  }

  // MARK: Leaves

  private func writeLeaf(
    _ event: TypedstreamEvent, _ type: UInt8, _ sink: inout ValueSink
  ) throws {
    switch event {
    case .byte(let value):
      try sink.output.write(
        type == UInt8(ascii: "c") ? String(Int8(bitPattern: value)) : String(value))
    case .integer(let value, let form):
      try write(ValueText.integer(value), form, usual: .usual(value, type: type), &sink)
    case .float(let value, let form):
      let text = ValueText.exact(
        Double(value), as: value.description, bits: UInt64(value.bitPattern))
      try write(
        value.isFinite ? text : "{\"$real\":\(text)}", form, usual: .shortest(Double(value)), &sink)
    case .double(let value, let form):
      let text = ValueText.exact(value)
      try write(
        value.isFinite ? text : "{\"$real\":\(text)}", form, usual: .shortest(value), &sink)
    case .bytes(let range):
      let bytes = InspectedValue.bytes(range)
      if let text = archive.text(of: bytes) {
        try sink.output.write(SafeJSON.string(text.text))
      } else {
        try writeData(range, &sink)
      }
    case .byteArray(let range): try writeData(range, &sink)
    case .string(let number): try writeString(number, &sink)
    case .newCString(let number, let string):
      try sink.output.write("{\"$id\":\(number),\"$string\":")
      try writeString(string, &sink)
      try sink.output.write("}")
    case .archivedClass(let index):
      try sink.output.write("{\(try words(ofClass: index, "$isClass"))}")
    case .reference(let number):
      if type == UInt8(ascii: "#"), case .archivedClass(let index)? = stream.entry(number) {
        return try sink.output.write("{\(try words(ofClass: index, "$isClass"))}")
      }
      try sink.output.write("{\"$ref\":\(number)}")
    default: try sink.output.write("null")
    }
  }

  /// Writes a number, and its form where Apple's archiver would use another.
  private func write(
    _ text: String, _ form: NumberForm, usual: NumberForm, _ sink: inout ValueSink
  ) throws {
    guard form != usual else { return try sink.output.write(text) }
    let name = form == .real ? "\"real\"" : String(form.rawValue)
    try sink.output.write("{\"$form\":\(name),\"$value\":\(text)}")
  }

  private func writeString(_ number: Int, _ sink: inout ValueSink) throws {
    let bytes = stream.string(number)
    if let text = String(validating: bytes, as: UTF8.self) {
      try sink.output.write(SafeJSON.string(text))
    } else {
      try writeData(stream.range(ofString: number), &sink)
    }
  }

  private func writeData(_ range: Range<Int>, _ sink: inout ValueSink) throws {
    try sink.output.write("{\"$data\":\"")
    try ValueText.write(range, of: archive, .base64, to: &sink.output)
    try sink.output.write("\"}")
  }

  /// The names and versions of a class and its superclasses.
  private func words(ofClass first: Int, _ name: String) throws -> String {
    var names: [String] = []
    var versions: [String] = []
    var next: Int? = first
    while let index = next, index < stream.classes.count, names.count <= stream.classes.count {
      names.append(SafeJSON.string(try text(stream.classes[index].name)))
      versions.append(String(stream.classes[index].version))
      next = stream.classes[index].superclass
    }
    let (chain, numbers) = (names.joined(separator: ","), versions.joined(separator: ","))
    return "\"\(name)\":[\(chain)],\"$versions\":[\(numbers)]"
  }

  /// A type string, or the name of a class.
  private func text(_ string: Int) throws -> String {
    guard let text = String(validating: stream.string(string), as: UTF8.self) else {
      throw InspectionError(
        .unsupported, "a name or type that is not UTF-8 cannot go into JSON: --json shows it")
    }
    return text
  }
}
