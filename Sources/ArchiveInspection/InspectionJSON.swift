import Archiving
import PortolanTexts

/// Writes an archive as JSON that loses nothing: `Docs/inspecting.md` describes the members.
///
/// One object a line, in the order of their numbers. Values of kinds that JSON does not have are
/// objects of one member (`{"ref":12}`, `{"data":"…"}`); numbers of JSON are whole numbers.
struct InspectionJSON {
  let archive: InspectedArchive
  private(set) var output: TextOutput

  init(_ archive: InspectedArchive, _ output: TextOutput) {
    self.archive = archive
    self.output = output
  }

  /// Writes the whole archive.
  mutating func writeAll() throws {
    try output.write("{\n")
    try writeHeader()
    try output.write("\"top\":")
    try writeFields(of: archive.top)
    try output.write(",\n\"classes\":[")
    for (place, archived) in archive.classes.enumerated() {
      try output.write(place == 0 ? "\n" : ",\n")
      try write(archived)
    }
    try output.write("],\n\"objects\":[")
    var isFirst = true
    for node in archive.nodes.indices where isListed(node) {
      try output.write(isFirst ? "\n" : ",\n")
      isFirst = false
      try writeObject(node)
    }
    try output.write("]\n}\n")
    try output.flush()
  }

  /// Writes the objects that a value leads to, each once, and the value itself.
  mutating func write(_ value: InspectedValue, path: InspectionPath) throws {
    let steps = path.steps.map { "/" + InspectionPath.escaped($0) }.joined()
    try output.write("{\n\"path\":\(SafeJSON.string(steps)),\n\"value\":")
    try write(value)
    try output.write(",\n\"objects\":[")
    var isSeen = Array(repeating: false, count: archive.nodes.count)
    var work: [Int] = []
    if case .node(let node) = value { work.append(node) }
    var isFirst = true
    while let node = work.popLast() {
      if isSeen[node] { continue }
      isSeen[node] = true
      if isListed(node) {
        try output.write(isFirst ? "\n" : ",\n")
        isFirst = false
        try writeObject(node)
      }
      for index in (0..<archive.valueCount(of: node)).reversed() {
        if case .node(let child) = archive.value(index, of: node), !isSeen[child] {
          work.append(child)
        }
      }
    }
    try output.write("]\n}\n")
    try output.flush()
  }

  private mutating func writeHeader() throws {
    let header = archive.header
    var members = [("format", SafeJSON.string(header.format.rawValue))]
    if header.format == .keyed || header.format == .propertyList {
      members.append(
        ("notation", SafeJSON.string(header.isXML ? "xml" : header.isText ? "text" : "binary")))
    }
    if let version = header.version { members.append(("version", String(version))) }
    if let archiver = header.archiver { members.append(("archiver", SafeJSON.string(archiver))) }
    if let order = header.byteOrder { members.append(("byteOrder", SafeJSON.string(order))) }
    if let system = header.systemVersion { members.append(("systemVersion", String(system))) }
    members.append(("bytes", String(header.byteCount)))
    if !header.otherEntries.isEmpty {
      let names = header.otherEntries.map(SafeJSON.string).joined(separator: ",")
      members.append(("otherEntries", "[\(names)]"))
    }
    if header.startCount > 0 { members.append(("before", String(header.startCount))) }
    if header.restCount > 0 { members.append(("rest", String(header.restCount))) }
    if header.format == .nib, let name = archive.archivedClass(of: archive.top)?.name {
      members.append(("topClass", SafeJSON.string(name)))
    }
    if let reason = archive.unresolved { members.append(("unresolved", SafeJSON.string(reason))) }
    if archive.brokenCount > 0 { members.append(("broken", String(archive.brokenCount))) }
    for (name, value) in members { try output.write("\"\(name)\":\(value),\n") }
  }

  private mutating func write(_ archived: InspectedClass) throws {
    var text = "{"
    if let number = archived.number { text += "\"id\":\(number)," }
    text += "\"chain\":[" + archived.chain.map(SafeJSON.string).joined(separator: ",") + "]"
    if let name = archived.swiftName { text += ",\"swift\":\(SafeJSON.string(name))" }
    if !archived.versions.isEmpty {
      text += ",\"versions\":[" + archived.versions.map { String($0) }.joined(separator: ",") + "]"
    }
    try output.write(text + "}")
  }

  // MARK: Nodes

  /// Whether a node stands in the list of objects; the containers of an object stand inside it.
  private func isListed(_ node: Int) -> Bool { node != archive.top && !isInline(node) }

  private func isInline(_ node: Int) -> Bool {
    let record = archive.nodes[node]
    guard record.isContainer, record.number == InspectedNode.absent, record.references <= 1,
      record.parent != InspectedNode.absent
    else { return false }
    return !archive.nodes[Int(record.parent)].isContainer
  }

  private func identity(_ node: Int) -> String {
    archive.number(of: node).map { String($0) } ?? "\"c\(node)\""
  }

  /// Whether classes have no numbers that objects could name.
  private var hasClassIndexes: Bool { if case .list = archive.source { false } else { true } }

  private mutating func writeObject(_ node: Int) throws {
    let record = archive.nodes[node]
    var text = "{\"id\":\(identity(node))"
    switch record.kind {
    case .null: return try output.write(text + ",\"null\":true}")
    case .broken: return try output.write(text + ",\"broken\":true}")
    case .classRecord: text += ",\"kind\":\"class\""
    case .object:
      let name = archive.archivedClass(of: node)?.name
      text += ",\"class\":\(name.map(SafeJSON.string) ?? "null")"
      if hasClassIndexes, record.classIndex != InspectedNode.absent {
        text += ",\"classIndex\":\(record.classIndex)"
      }
      if let number = archive.archivedClass(of: node)?.number { text += ",\"classRef\":\(number)" }
    default: break
    }
    try output.write(text)
    if let value = archive.brokenClass(of: node) {
      try output.write(",\"classValue\":")
      try writeElement(value)
    }
    if record.references != 1 { try output.write(",\"references\":\(record.references)") }
    switch record.kind {
    case .bare:
      try output.write(",\"value\":")
      try write(archive.value(0, of: node))
    case .array, .set, .structure,
      .dictionary where archive.number(of: node) == nil:
      try output.write(",\"value\":")
      try writeContainer(node)
    default:
      try output.write(",\"fields\":")
      try writeFields(of: node)
    }
    try output.write("}")
  }

  /// Fields as pairs of name and value, because a name may be there twice; those of a sequential
  /// archive have their type between.
  private mutating func writeFields(of node: Int) throws {
    try output.write("[")
    for index in 0..<archive.valueCount(of: node) {
      try output.write(index == 0 ? "[" : ",[")
      switch archive.label(index, of: node) {
      case .key(let key): try output.write(SafeJSON.string(key))
      case .index(let index): try output.write(String(index))
      case .position(let group, let item, let type):
        try output.write("\(SafeJSON.string(item.map { "\(group).\($0)" } ?? "\(group)")),")
        try output.write(SafeJSON.string(type))
      }
      try output.write(",")
      try write(archive.value(index, of: node))
      if let form = archive.unusualForm(index, of: node) { try output.write(",\(form)") }
      try output.write("]")
    }
    try output.write("]")
  }

  /// The values of a container; containers in it are referred to.
  private mutating func writeContainer(_ node: Int) throws {
    let kind = archive.nodes[node].kind
    switch kind {
    case .array: break
    case .set: try output.write("{\"set\":")
    case .structure: try output.write("{\"structure\":")
    default: try output.write("{\"dictionary\":")
    }
    try output.write("[")
    for index in 0..<archive.valueCount(of: node) {
      if index > 0 { try output.write(",") }
      let value = archive.value(index, of: node)
      if case .key(let key) = archive.label(index, of: node) {
        try output.write("[\(SafeJSON.string(key)),")
        try writeElement(value)
        try output.write("]")
      } else {
        try writeElement(value)
      }
    }
    try output.write(kind == .array ? "]" : "]}")
  }

  // MARK: Values

  private mutating func write(_ value: InspectedValue) throws {
    if case .node(let node) = value, isInline(node) { return try writeContainer(node) }
    try writeElement(value)
  }

  /// Writes one value; of a node only the reference to it.
  mutating func writeElement(_ value: InspectedValue) throws {
    switch value {
    case .none: try output.write("null")
    case .null: try output.write("{\"null\":true}")
    case .nothing: try output.write("{\"nothing\":true}")
    case .bool(let value): try output.write(value ? "true" : "false")
    case .integer(let value): try output.write(String(value))
    case .unsigned(let value): try output.write(String(value))
    case .wide(let range): try output.write(archive.digits(ofWide: range))
    case .uid(let value): try output.write("{\"uid\":\(value)}")
    case .float(let value):
      try output.write("{\"float\":\(ValueText.exact(Double(value), as: value.description))}")
    case .double(let value): try output.write("{\"real\":\(ValueText.exact(value))}")
    case .date(let value):
      let text = InspectionText.date(value).map { ",\"text\":\"\($0)\"" } ?? ""
      try output.write("{\"date\":\(ValueText.exact(value))\(text)}")
    case .data(let range): try writeBytes("data", range)
    case .ascii, .utf16: try writeText(value)
    case .bytes(let range):
      guard archive.isText(value) else { return try writeBytes("bytes", range) }
      try output.write("{\"bytes\":")
      try writeText(value)
      try output.write("}")
    case .symbol(let range), .cString(let range):
      var name = "string"
      if case .symbol = value { name = "symbol" }
      if !archive.isValid(value) {
        return try writeBytes(name, range)
      }
      try output.write("{\"\(name)\":")
      try writeText(value)
      try output.write("}")
    case .archivedClass(let index): try output.write("{\"class\":\(index)}")
    case .node(let node): try output.write("{\"ref\":\(identity(node))}")
    case .broken(let reason): try output.write("{\"broken\":\(SafeJSON.string(reason))}")
    }
  }

  private mutating func writeText(_ value: InspectedValue) throws {
    switch value {
    case .utf16(let range) where !archive.isValid(value): try writeBytes("utf16", range)
    case .ascii(let range) where !archive.isValid(value): try writeBytes("ascii", range)
    default: _ = try output.writeJSON(value, of: archive)
    }
  }

  /// Bytes in hexadecimal digits, piece by piece.
  private mutating func writeBytes(_ name: String, _ range: Range<Int>) throws {
    try output.write("{\"\(name)\":{\"hex\":\"")
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 8_192) {
      let end = min(start + 8_192, range.upperBound)
      try output.write(InspectionText.hexadecimal(archive.slice(start..<end)))
    }
    try output.write("\"}}")
  }
}

extension InspectedArchive {
  /// How many bytes a number takes, where that is not what Apple's archiver would take.
  func unusualForm(_ index: Int, of node: Int) -> Int? {
    guard case .stream(_, let tables) = source else { return nil }
    let place = Int(nodes[node].start) + index
    guard index < Int(nodes[node].count), place < tables.values.count,
      let form = tables.values[place].form
    else { return nil }
    switch tables.values[place].tag {
    case .integer:
      let value = tables.values[place]
      return form == .usual(value.payload, type: value.type) ? nil : Int(form.rawValue)
    default: return nil
    }
  }
}
