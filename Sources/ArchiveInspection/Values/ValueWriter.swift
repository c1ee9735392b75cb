import PortolanTexts
import PropertyLists

/// Writes the values of an archive as JSON: `Docs/values-json.md` describes it.
///
/// The way down is kept in an array, a few bytes a level, and output leaves in pieces.
struct ValueWriter {
  let archive: InspectedArchive
  let options: ValueOptions
  private let shaper: ValueShaper
  private var sharing: ValueSharing
  private var lists = ValueLists()
  private var frames: [Frame] = []
  /// The runs of the texts that are open, the innermost last.
  private var textRuns: [[ValueRun]] = []
  /// How many archives this one is inside of.
  private let depth: Int

  /// How the parts of an open value are written.
  private enum Style: UInt8 {
    /// Elements between commas, closed by a bracket, or a bracket and a brace.
    case array, list
    /// Members called by their labels, or by texts that are keys.
    case members, textKeys
    /// `[key,value]` each, or `[type,value]`.
    case pairs, fields
    case runs
  }

  private struct Frame {
    var parts: ValueParts
    var next: UInt32 = 0
    var style: Style
    /// Whether members stand before the first part.
    var hasHead: Bool
  }

  /// - Parameter root: what will be written.
  init(
    _ archive: InspectedArchive, _ options: ValueOptions, root: InspectedValue, depth: Int = 0
  ) throws {
    self.archive = archive
    self.options = options
    self.depth = depth
    shaper = ValueShaper(archive)
    let workMax = 8 * min(archive.header.byteCount, .max >> 8) + 1_000_000
    sharing = try ValueSharing(shaper, from: root, workMax: workMax)
  }

  /// Writes a value with all that it leads to.
  mutating func write(_ value: InspectedValue, to sink: inout ValueSink) throws {
    try open(value, &sink)
    while let last = frames.indices.last {
      let frame = frames[last]
      if frame.next < frame.parts.count {
        frames[last].next += 1
        try writePart(Int(frame.next), frame, &sink)
      } else {
        frames.removeLast()
        try close(frame, &sink)
      }
    }
  }

  /// The roots by their names: those of a keyed archive's top, `root` for a whole property list and
  /// for the only object of a typedstream, else the numbers of its groups.
  mutating func writeRoots(to sink: inout ValueSink) throws {
    if archive.header.format == .propertyList {
      try sink.output.write("{\"root\":")
      try write(.node(archive.top), to: &sink)
      return try sink.output.write("}")
    }
    try write(.node(archive.top), to: &sink)
  }

  // MARK: Parts

  private mutating func writePart(
    _ index: Int, _ frame: Frame, _ sink: inout ValueSink
  ) throws {
    let value = lists.part(index, of: frame.parts, archive)
    switch frame.style {
    case .array, .list:
      if index > 0 { try sink.output.write(",") }
    case .members:
      if index > 0 || frame.hasHead { try sink.output.write(",") }
      try writeKey(archive.fieldName(index, of: Int(frame.parts.node)), &sink)
    case .textKeys:
      guard index & 1 == 1 else {
        if index > 0 || frame.hasHead { try sink.output.write(",") }
        let text = archive.resolved(value).flatMap { archive.text(of: $0) }
        if let text { sink.note(text) }
        return try writeKey(text?.text ?? "", &sink)
      }
    case .pairs:
      try sink.output.write(index & 1 == 1 ? "," : index == 0 ? "[" : "],[")
    case .fields:
      try sink.output.write(index == 0 ? "[" : "],[")
      try sink.output.write(SafeJSON.string(archive.typeName(index, of: Int(frame.parts.node))))
      try sink.output.write(",")
    case .runs:
      let run = textRuns[textRuns.count - 1][index]
      try sink.output.write(index == 0 ? "{" : "},{")
      try sink.output.write("\"utf16\":[\(run.start),\(run.length)],")
      try sink.output.write("\"characters\":[\(run.scalarStart),\(run.scalarLength)],")
      try sink.output.write("\"attributes\":")
    }
    try open(value, &sink)
  }

  private mutating func close(_ frame: Frame, _ sink: inout ValueSink) throws {
    let isEmpty = frame.parts.count == 0
    if !isEmpty { lists.drop(frame.parts) }
    switch frame.style {
    case .array: try sink.output.write("]")
    case .list: try sink.output.write("]}")
    case .members, .textKeys: try sink.output.write("}")
    case .pairs, .fields: try sink.output.write(isEmpty ? "]}" : "]]}")
    case .runs:
      textRuns.removeLast()
      try sink.output.write(isEmpty ? "]}" : "}]}")
    }
  }

  /// A key of the archive; one that begins with `$` gets another, so that it is none of ours.
  private func writeKey(_ key: String, _ sink: inout ValueSink) throws {
    try sink.output.write(SafeJSON.string(key.utf8.first == UInt8(ascii: "$") ? "$" + key : key))
    try sink.output.write(":")
  }

  // MARK: Values

  /// Writes a value without parts, or begins one with parts.
  private mutating func open(_ value: InspectedValue, _ sink: inout ValueSink) throws {
    guard case .node(let node) = value else { return try writeLeaf(value, &sink) }
    var head = "{"
    if sharing.isReferred(node) {
      let number = archive.number(of: node) ?? node
      if sharing.write(node) { return try sink.output.write("{\"$ref\":\(number)}") }
      head = "{\"$id\":\(number)"
    }
    let shape = shaper.shape(of: node)
    let comma = head == "{" ? "" : ","
    switch shape.form {
    case .null: try sink.output.write("null")
    case .leaf(let leaf): try writeLeaf(leaf, &sink)
    case .words(let words): try sink.output.write("\"\(words)\"")
    case .decimal(let digits): try sink.output.write("{\"$decimal\":\(SafeJSON.string(digits))}")
    case .seconds(let seconds):
      try sink.output.write("{\"$date\":\(ValueText.real(seconds, seconds.description))}")
    case .array:
      if comma.isEmpty {
        try begin(shape, .array, "[", &sink)
      } else {
        try begin(shape, .list, head + ",\"$array\":[", &sink)
      }
    case .set: try begin(shape, .list, head + comma + "\"$set\":[", &sink)
    case .orderedSet: try begin(shape, .list, head + comma + "\"$orderedSet\":[", &sink)
    case .countedSet: try begin(shape, .pairs, head + comma + "\"$countedSet\":[", &sink)
    case .dictionary:
      if archive.hasTextKeys(shape.parts, lists) {
        try begin(shape, .textKeys, head, &sink)
      } else {
        try begin(shape, .pairs, head + comma + "\"$dictionary\":[", &sink)
      }
    case .record: try beginRecord(shape, node, head, &sink)
    case .attributedText(let text):
      try sink.output.write(head + comma + "\"$text\":")
      try writeLeaf(text, &sink)
      textRuns.append(archive.runs(shape.runs.map(\.length), of: text))
      try begin(shape, .runs, ",\"$runs\":[", &sink)
    case .object(let name, let words):
      var told = ""
      if let archived = archive.archivedClass(of: node), archived.swiftName != nil {
        told = ",\"$mangled\":" + SafeJSON.string(archived.name)
      }
      if let words { told += ",\"$value\":" + SafeJSON.string(words) }
      try beginRecord(
        shape, node, head + comma + "\"$class\":" + SafeJSON.string(name) + told, &sink)
    case .broken(let reason):
      sink.noteBroken(reason)
      try beginRecord(
        shape, node, head + comma + "\"$broken\":" + SafeJSON.string(reason), &sink)
    }
  }

  /// Begins an object whose parts have labels: names, which become members if each is there once,
  /// or the types of a typedstream.
  private mutating func beginRecord(
    _ shape: ValueShape, _ node: Int, _ head: String, _ sink: inout ValueSink
  ) throws {
    let isFirst = head == "{"
    if shape.parts.count == 0 || archive.hasNames(node) {
      return try begin(shape, .members, head, &sink)
    }
    try begin(shape, .fields, head + (isFirst ? "" : ",") + "\"$fields\":[", &sink)
  }

  private mutating func begin(
    _ shape: ValueShape, _ style: Style, _ head: String, _ sink: inout ValueSink
  ) throws {
    try sink.output.write(head)
    var parts = shape.parts
    lists.keep(shape, in: &parts)
    frames.append(Frame(parts: parts, style: style, hasHead: head.utf8.count > 1))
  }

  // MARK: Leaves

  private func writeLeaf(_ value: InspectedValue, _ sink: inout ValueSink) throws {
    switch value {
    case .none, .null, .nothing: try sink.output.write("null")
    case .bool(let value): try sink.output.write(value ? "true" : "false")
    case .integer(let value): try sink.output.write(ValueText.integer(value))
    case .unsigned(let value): try sink.output.write(ValueText.unsigned(value))
    case .wide(let range):
      try sink.output.write("{\"$int\":\"\(archive.digits(ofWide: range))\"}")
    case .uid(let value): try sink.output.write("{\"$uid\":\(value)}")
    case .float(let value):
      try sink.output.write(ValueText.real(Double(value), value.description))
    case .double(let value): try sink.output.write(ValueText.real(value, value.description))
    case .date(let seconds):
      let text = ValueText.date(seconds).map { "\"\($0)\"" }
      try sink.output.write(
        text ?? "{\"$date\":\(ValueText.real(seconds, seconds.description))}")
    case .data(let range): try writeData(range, &sink)
    case .bytes(let range):
      guard archive.isText(value) else { return try writeData(range, &sink) }
      try writeText(value, &sink)
    case .ascii, .utf16, .symbol, .cString: try writeText(value, &sink)
    case .archivedClass(let index):
      let archived = index < archive.classes.count ? archive.classes[index] : nil
      let name = SafeJSON.string(archived?.shownName ?? "?")
      let raw = archived?.swiftName == nil ? nil : archived?.name
      let mangled = raw.map { ",\"$mangled\":" + SafeJSON.string($0) } ?? ""
      try sink.output.write("{\"$isClass\":\(name)\(mangled)}")
    case .broken(let reason):
      sink.noteBroken(reason)
      try sink.output.write("{\"$broken\":\(SafeJSON.string(reason))}")
    case .node: break
    }
  }

  private func writeText(_ value: InspectedValue, _ sink: inout ValueSink) throws {
    if let fault = try sink.output.writeJSON(value, of: archive) { sink.noteBroken(fault) }
  }

  private func writeData(_ range: Range<Int>, _ sink: inout ValueSink) throws {
    let kind = ValueText.holds(archive.slice(range, 16))
    if kind != nil, options.isNested, try writeNested(range, &sink) { return }
    try sink.output.write("{\"$data\":\"")
    try ValueText.write(range, of: archive, options.dataForm, to: &sink.output)
    try sink.output.write("\",\"bytes\":\(range.count)")
    if let kind { try sink.output.write(",\"holds\":\"\(kind)\"") }
    if let numbers = archive.packedNumbers(range, forPeople: false) {
      try sink.output.write(
        ",\"holds\":\"numbers\",\"numbers\":[\(numbers.joined(separator: ","))]")
    }
    if kind == "bookmark", range.count <= sink.nestedBytesLeft {
      sink.nestedBytesLeft -= range.count
      if let path = BookmarkWords.of(range, in: archive)?.path {
        try sink.output.write(",\"path\":\(SafeJSON.string(path))")
      }
    }
    try sink.output.write("}")
  }

  /// Writes the archive that data hold; `false` where they hold none that can be read.
  private func writeNested(_ range: Range<Int>, _ sink: inout ValueSink) throws -> Bool {
    guard depth < archive.limits.nestedDepthMax, range.count <= sink.nestedBytesLeft else {
      return false
    }
    sink.nestedBytesLeft -= range.count
    guard var nested = try? InspectedArchive(graphOf: archive.slice(range)),
      nested.unresolved == nil
    else { return false }
    nested.limits = archive.limits
    guard
      var writer = try? ValueWriter(nested, options, root: .node(nested.top), depth: depth + 1)
    else { return false }
    try sink.output.write("{\"$nested\":\"\(nested.header.format.rawValue)\",\"roots\":")
    try writer.writeRoots(to: &sink)
    try sink.output.write("}")
    return true
  }
}
