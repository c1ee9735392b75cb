import PortolanTexts
import PropertyLists

/// Writes a keyed archive or a property list as JSON from which it can be made again:
/// `Docs/values-json.md` describes it.
///
/// Nothing is resolved: each object is written once, with its number, the names of its class and
/// its superclasses, and its fields. What JSON has no kind for is tagged.
struct ExactWriter {
  private let archive: InspectedArchive
  private var isWritten: [Bool]
  private var frames: [Frame] = []

  private enum Style: UInt8 {
    case array, list, members, fields
  }

  private struct Frame {
    var node: UInt32
    var next: UInt32 = 0
    var count: UInt32
    var style: Style
    var hasHead: Bool
  }

  init(_ archive: InspectedArchive) {
    self.archive = archive
    isWritten = Array(repeating: false, count: archive.nodes.count)
  }

  /// Writes the whole archive as one line.
  mutating func writeAll(_ options: ValueOptions, to sink: inout ValueSink) throws {
    let header = archive.header
    var head = "{\"schema\":\"\(InspectedArchive.valuesSchema)\",\"exact\":true"
    if let digest = options.digest {
      head += ",\"sha256\":\"\(InspectionText.hexadecimal(digest))\""
    }
    head += ",\"format\":\"\(header.format.rawValue)\""
    if let archiver = header.archiver { head += ",\"archiver\":\(SafeJSON.string(archiver))" }
    if let version = header.version { head += ",\"version\":\(ValueText.integer(version))" }
    try sink.output.write(head + ",\"roots\":")
    if header.format == .propertyList {
      try sink.output.write("{\"root\":")
      try write(.node(archive.top), to: &sink)
      try sink.output.write("}")
    } else {
      isWritten[archive.top] = true
      try begin(archive.top, .members, "{", &sink)
      try run(&sink)
    }
    try writeEntries(to: &sink)
    try writeOrphans(to: &sink)
    // The text of a broken key is another one: nothing can be made of it.
    if let reason = archive.firstBrokenKey {
      try sink.output.write(",\"$broken\":\(SafeJSON.string(reason))")
    }
    try sink.output.write("}\n")
    try sink.output.flush()
  }

  /// What stands beside the objects in the outermost dictionary.
  private mutating func writeEntries(to sink: inout ValueSink) throws {
    for (place, entry) in archive.extraEntries.enumerated() {
      try sink.output.write(place == 0 ? ",\"entries\":{" : ",")
      try writeKey(entry.key, &sink)
      try write(entry.value, to: &sink)
    }
    if !archive.extraEntries.isEmpty { try sink.output.write("}") }
  }

  /// The objects that nothing leads to.
  private mutating func writeOrphans(to sink: inout ValueSink) throws {
    var isFirst = true
    for node in archive.orphans where !isWritten[node] {
      try sink.output.write(isFirst ? ",\"orphans\":[" : ",")
      isFirst = false
      try write(.node(node), to: &sink)
    }
    if !isFirst { try sink.output.write("]") }
  }

  /// Writes a value with all that it leads to.
  private mutating func write(_ value: InspectedValue, to sink: inout ValueSink) throws {
    try open(value, &sink)
    try run(&sink)
  }

  private mutating func run(_ sink: inout ValueSink) throws {
    while let last = frames.indices.last {
      let frame = frames[last]
      if frame.next < frame.count {
        frames[last].next += 1
        try writePart(Int(frame.next), frame, &sink)
      } else {
        frames.removeLast()
        try close(frame, &sink)
      }
    }
  }

  private mutating func writePart(
    _ index: Int, _ frame: Frame, _ sink: inout ValueSink
  ) throws {
    let node = Int(frame.node)
    switch frame.style {
    case .array, .list:
      if index > 0 { try sink.output.write(",") }
    case .members:
      if index > 0 || frame.hasHead { try sink.output.write(",") }
      try writeKey(archive.fieldName(index, of: node), &sink)
    case .fields:
      try sink.output.write(index == 0 ? "[" : "],[")
      try sink.output.write(SafeJSON.string(archive.fieldName(index, of: node)) + ",")
    }
    try open(archive.value(index, of: node), &sink)
  }

  private func close(_ frame: Frame, _ sink: inout ValueSink) throws {
    switch frame.style {
    case .array: try sink.output.write("]")
    case .list: try sink.output.write("]}")
    case .members: try sink.output.write("}")
    case .fields: try sink.output.write(frame.count == 0 ? "]}" : "]]}")
    }
  }

  private func writeKey(_ key: String, _ sink: inout ValueSink) throws {
    try sink.output.write(SafeJSON.string(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key))
    try sink.output.write(":")
  }

  // MARK: Nodes

  /// The mark of a node: its number, or a word of a container that several places share.
  private func mark(of node: Int) -> String? {
    if let number = archive.number(of: node) { return String(number) }
    // Nothing refers to the top but what is in it.
    let places = archive.nodes[node].references + (node == archive.top ? 1 : 0)
    return places > 1 ? "\"c\(node)\"" : nil
  }

  private mutating func open(_ value: InspectedValue, _ sink: inout ValueSink) throws {
    guard case .node(let node) = value else { return try writeLeaf(value, &sink) }
    let mark = mark(of: node)
    if isWritten[node], let mark { return try sink.output.write("{\"$ref\":\(mark)}") }
    isWritten[node] = true
    let head = mark.map { "{\"$id\":\($0)" } ?? "{"
    let comma = mark == nil ? "" : ","
    switch archive.nodes[node].kind {
    case .null: try sink.output.write(head + comma + "\"$null\":true}")
    case .bare:
      if mark == nil { return try writeLeaf(archive.value(0, of: node), &sink) }
      try sink.output.write(head + ",\"$value\":")
      try writeLeaf(archive.value(0, of: node), &sink)
      try sink.output.write("}")
    case .broken:
      sink.noteBroken("an object that cannot be read")
      try sink.output.write(head + comma + "\"$broken\":\"an object that cannot be read\"}")
    case .array, .structure:
      if mark == nil { return try begin(node, .array, "[", &sink) }
      try begin(node, .list, head + ",\"$array\":[", &sink)
    case .set: try begin(node, .list, head + comma + "\"$set\":[", &sink)
    case .object:
      let archived = archive.archivedClass(of: node)
      if archived?.isCut == true { throw Self.longName }
      let names = (archived?.chain ?? []).map(SafeJSON.string).joined(separator: ",")
      let hints = (archived?.hints ?? []).map(SafeJSON.string).joined(separator: ",")
      let told = hints.isEmpty ? "" : ",\"$hints\":[\(hints)]"
      try beginMembers(node, head + comma + "\"$class\":[\(names)]" + told, &sink)
    case .dictionary, .classRecord, .top: try beginMembers(node, head, &sink)
    }
  }

  private static let longName = InspectionError(
    .unsupported,
    "a class whose description has more than names, or far too long ones, cannot be written")

  private mutating func beginMembers(
    _ node: Int, _ head: String, _ sink: inout ValueSink
  ) throws {
    if archive.hasNames(node) { return try begin(node, .members, head, &sink) }
    let comma = head.utf8.count > 1 ? "," : ""
    try begin(node, .fields, head + comma + "\"$fields\":[", &sink)
  }

  private mutating func begin(
    _ node: Int, _ style: Style, _ head: String, _ sink: inout ValueSink
  ) throws {
    try sink.output.write(head)
    frames.append(
      Frame(
        node: UInt32(truncatingIfNeeded: node),
        count: UInt32(clamping: archive.valueCount(of: node)), style: style,
        hasHead: head.utf8.count > 1))
  }

  // MARK: Leaves

  private func writeLeaf(_ value: InspectedValue, _ sink: inout ValueSink) throws {
    switch value {
    case .none, .nothing, .node: try sink.output.write("null")
    case .null: try sink.output.write("{\"$null\":true}")
    case .bool(let value): try sink.output.write(value ? "true" : "false")
    case .integer(let value): try sink.output.write(ValueText.integer(value))
    case .unsigned(let value): try sink.output.write("{\"$int\":\"\(value)\"}")
    case .wide(let range):
      try sink.output.write("{\"$int\":\"\(archive.digits(ofWide: range))\"}")
    case .uid(let value): try sink.output.write("{\"$uid\":\(value)}")
    case .double(let value):
      let text = ValueText.exact(value)
      try sink.output.write(value.isFinite ? text : "{\"$real\":\(text)}")
    case .float(let value):
      let text = ValueText.exact(
        Double(value), as: value.description, bits: UInt64(value.bitPattern))
      try sink.output.write("{\"$float\":\(text)}")
    case .date(let value):
      let text = ValueText.exact(value)
      try sink.output.write("{\"$date\":\(text)}")
    case .data(let range): try writeBytes("$data", range, &sink)
    case .ascii(let range), .utf16(let range), .bytes(let range), .symbol(let range),
      .cString(let range):
      guard archive.isValid(value) else { return try writeBytes("$utf16", range, &sink) }
      _ = try sink.output.writeJSON(value, of: archive)
    case .archivedClass: try sink.output.write("null")
    case .broken(let reason):
      sink.noteBroken(reason)
      try sink.output.write("{\"$broken\":\(SafeJSON.string(reason))}")
    }
  }

  private func writeBytes(
    _ tag: String, _ range: Range<Int>, _ sink: inout ValueSink
  ) throws {
    try sink.output.write("{\"\(tag)\":\"")
    try ValueText.write(range, of: archive, .base64, to: &sink.output)
    try sink.output.write("\"}")
  }
}

extension InspectedArchive {
  /// Writes an archive or a property list as JSON from which `convert` makes it again.
  ///
  /// - Returns: the first broken place; `nil` where all could be read.
  /// - Throws: `InspectionError` for other kinds of archive.
  package func writeExact(_ options: ValueOptions, to output: TextOutput) throws -> String? {
    try requireObjects()
    var sink = ValueSink(output, byteCount: header.byteCount)
    switch (source, header.format) {
    case (.list, .keyed), (.list, .propertyList):
      var writer = ExactWriter(self)
      try writer.writeAll(options, to: &sink)
    case (.stream(let stream, _), .typedstream):
      var writer = ExactStreamWriter(stream, self)
      try writer.writeAll(options, to: &sink)
    default:
      throw InspectionError(
        .unsupported,
        "--exact is for keyed archives, typedstreams and property lists: --json loses nothing of "
          + "others")
    }
    return firstBroken ?? sink.firstBroken
  }
}
