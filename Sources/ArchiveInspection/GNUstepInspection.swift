import Archiving
import PortolanTerminals
import PropertyLists

/// A GNUstep archive as a list of its items.
///
/// The format does not tell where an object ends, so that there is no tree: every item stands
/// below the object that began last, and nothing is guessed.
package struct GNUstepInspection: Sendable {
  let archive: GNUstepArchive
  let byteCount: Int
  /// What the header counts, where it may be more than what is there.
  private let countedObjects: Int

  /// Reads and checks an archive.
  package init(_ bytes: [UInt8]) throws {
    do {
      archive = try GNUstepArchive(bytes)
    } catch let error as ArchiveError {
      throw InspectionError(.unreadable, error.description)
    }
    byteCount = bytes.count
    countedObjects = Int(String(decoding: bytes[33..<41], as: UTF8.self), radix: 16) ?? 0
  }

  /// Writes it in a form.
  package func write(
    _ form: InspectionForm, at path: InspectionPath, _ options: TreeOptions, to output: TextOutput
  ) throws {
    guard path.steps.isEmpty, options.depthMax == nil else {
      throw InspectionError(
        .usage,
        "the items of a GNUstep archive have no levels and no paths in this form: leave out "
          + (path.steps.isEmpty ? "--depth" : "--path"))
    }
    var output = output
    switch form {
    case .tree: try writeList(options, isRaw: false, &output)
    case .raw: try writeList(options, isRaw: true, &output)
    case .json: try writeJSON(&output)
    case .statistics: try writeStatistics(options, &output)
    case .statisticsJSON: try writeStatisticsJSON(&output)
    }
    try output.flush()
  }

  func name(ofClass number: Int) -> String {
    archive.chain(ofClass: number, atMost: 1).first ?? "?"
  }

  // MARK: Lists

  private func writeHeader(_ options: TreeOptions, _ output: inout TextOutput) throws {
    var lines = [("format", "GNUstep archive (sequential)")]
    if !options.isStable {
      lines.append(("written", "by NSArchiver of GNUstep, version \(archive.version)"))
      let counts = [
        InspectionText.count(byteCount, "byte"),
        InspectionText.count(archive.objectCount, "object"),
        InspectionText.count(archive.pointerCount, "string or pointer", "strings and pointers"),
        InspectionText.count(archive.classes.count, "class", "classes"),
      ]
      lines.append(("size", counts.joined(separator: ", ")))
      if countedObjects > archive.objectCount {
        let words = InspectionText.count(countedObjects, "object")
        lines.append(("besides", "the header counts \(words): replaced ones are not written"))
      }
    }
    var line = InspectionLine(hasColours: options.hasColours)
    for (name, text) in lines {
      line.add(name, .faint)
      line.pad(to: 10)
      line.add(text)
      try output.write(line.text + "\n")
      line.clear()
    }
    try output.write("\n")
  }

  private func writeList(
    _ options: TreeOptions, isRaw: Bool, _ output: inout TextOutput
  ) throws {
    try writeHeader(options, &output)
    var writer = GNUstepItemWriter(self, options, isRaw: isRaw)
    var scanner = archive.events()
    while true {
      let offset = scanner.offset
      guard let event = try scanner.next() else { return }
      try writer.write(event, at: offset, to: &output)
    }
  }

  // MARK: Numbers

  /// How many objects there are of each class, most first.
  private func objectCounts() throws -> (items: Int, references: Int, classes: [(Int, Int)]) {
    var counts = Array(repeating: 0, count: archive.classes.count + 1)
    var (items, references) = (0, 0)
    var scanner = archive.events()
    while let event = try scanner.next() {
      items += 1
      switch event {
      case .beginObject(_, let number), .classObject(_, let number): counts[number] += 1
      case .reference, .pointerReference: references += 1
      default: break
      }
    }
    let rows = counts.enumerated().filter { $0.element > 0 }.map { ($0.offset, $0.element) }
    return (items, references, rows.sorted { ($0.1, $1.0) > ($1.1, $0.0) })
  }

  private func writeStatistics(_ options: TreeOptions, _ output: inout TextOutput) throws {
    try writeHeader(options, &output)
    let counts = try objectCounts()
    var line = InspectionLine(hasColours: options.hasColours)
    for (name, count) in [("items", counts.items), ("shared", counts.references)] {
      line.add(name, .faint)
      line.pad(to: 10)
      line.add(InspectionText.count(count, name == "items" ? "item" : "reference"))
      try output.write(line.text + "\n")
      line.clear()
    }
    try output.write("\n   count  class\n")
    for (number, count) in counts.classes {
      let digits = InspectionText.count(count)
      line.pad(to: max(0, 8 - digits.count))
      line.add(digits, .number)
      line.add("  " + name(ofClass: number), .className)
      try output.write(line.text + "\n")
      line.clear()
    }
  }

  private func writeStatisticsJSON(_ output: inout TextOutput) throws {
    let counts = try objectCounts()
    try output.write("{\"format\":\"gnustep\",\"version\":\(archive.version)")
    try output.write(",\"bytes\":\(byteCount),\"objects\":\(archive.objectCount)")
    try output.write(",\"items\":\(counts.items),\"references\":\(counts.references)")
    try output.write(",\"classes\":[")
    for (place, (number, count)) in counts.classes.enumerated() {
      let name = SafeJSON.string(name(ofClass: number))
      try output.write("\(place == 0 ? "" : ",")\n{\"class\":\(name),\"count\":\(count)}")
    }
    try output.write("]}\n")
  }

  // MARK: JSON

  private func writeJSON(_ output: inout TextOutput) throws {
    try output.write("{\n\"format\":\"gnustep\",\n\"version\":\(archive.version),\n")
    try output.write("\"bytes\":\(byteCount),\n\"countedObjects\":\(countedObjects),\n")
    try output.write("\"classes\":[")
    for (place, archived) in archive.classes.enumerated() {
      try output.write(place == 0 ? "\n" : ",\n")
      try output.write("{\"id\":\(place + 1),\"name\":\(string(archived.name))")
      try output.write(",\"version\":\(archived.version),\"superclass\":\(archived.superclass)}")
    }
    try output.write("],\n\"items\":[")
    var scanner = archive.events()
    var isFirst = true
    while true {
      let offset = scanner.offset
      guard let event = try scanner.next() else { break }
      try output.write(isFirst ? "\n" : ",\n")
      isFirst = false
      try output.write("{\"at\":\(offset),\(members(of: event))}")
    }
    try output.write("]\n}\n")
  }

  /// The members that tell an item without loss.
  func members(of event: GNUstepArchiveEvent) -> String {
    switch event {
    case .integer(let value, let type): "\"type\":\(code(type)),\"value\":\(value)"
    case .unsigned(let value, let type): "\"type\":\(code(type)),\"value\":\(value)"
    case .wideInteger(let range, let type): "\"type\":\(code(type)),\"hex\":\"\(hex(range))\""
    case .float(let value):
      "\"type\":\"f\",\"value\":\(ValueText.exact(Double(value), as: value.description))"
    case .double(let value):
      "\"type\":\"d\",\"value\":\(ValueText.exact(value))"
    case .bool(let value): "\"type\":\"B\",\"value\":\(value)"
    case .beginObject(let number, let kind): "\"object\":\(number),\"class\":\(kind)"
    case .reference(let number): "\"ref\":\(number)"
    case .classObject(let number, let kind): "\"classObject\":\(number),\"class\":\(kind)"
    case .archivedClass(let number): "\"type\":\"#\",\"class\":\(number)"
    case .newSelector(let number, let name, let types):
      "\"selector\":\(number),\"name\":\(string(name)),\"types\":\(string(types))"
    case .newCString(let number, let range): "\"string\":\(number),\"value\":\(string(range))"
    case .newPointer(let number): "\"pointer\":\(number)"
    case .pointerReference(let number): "\"pointerRef\":\(number)"
    case .none(let type): "\"type\":\(code(type)),\"value\":null"
    case .numbers(let type, let width, let range):
      "\"type\":\(code(type)),\"width\":\(width),\"count\":\(range.count / max(1, width)),"
        + "\"hex\":\"\(hex(range))\""
    case .beginArray(let count): "\"array\":\(count)"
    case .beginStructure: "\"structure\":true"
    }
  }

  private func code(_ type: UInt8) -> String {
    SafeJSON.string(String(Unicode.Scalar(type)))
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    archive.reader.withBytes(in: range) { [UInt8]($0) } ?? []
  }

  private func hex(_ range: Range<Int>) -> String { InspectionText.hexadecimal(bytes(range)) }

  /// Bytes as a string, or in hexadecimal digits where they are no text.
  private func string(_ range: Range<Int>) -> String {
    String(validating: bytes(range), as: UTF8.self).map(SafeJSON.string)
      ?? "{\"hex\":\"\(hex(range))\"}"
  }
}
