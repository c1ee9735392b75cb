import Archiving
import PropertyLists

/// Writes an archive as it stands in the file, with the offset of everything: nothing is cut,
/// interpreted or put in another order.
struct RawWriter {
  let archive: InspectedArchive
  var output: TextOutput
  var line: InspectionLine
  private var longValues: LongValues
  /// The first broken place that was written.
  private(set) var firstBroken: String?

  init(_ archive: InspectedArchive, _ output: TextOutput, hasColours: Bool) {
    self.archive = archive
    self.output = output
    line = InspectionLine(hasColours: hasColours)
    longValues = LongValues(byteCount: archive.reader.count)
  }

  mutating func writeAll() throws {
    switch archive.source {
    case .list(let list, _):
      if archive.header.format == .keyed {
        try writeArchive(list)
      } else {
        for number in 0..<UInt32(list.count) {
          try writeObject(number, list, label: "@\(number)", isArchive: false)
        }
      }
    case .stream(let stream, _): try write(stream)
    case .nib(let nib): try write(nib)
    case .items(let items, _): try write(items)
    }
    try output.flush()
  }

  mutating func end() throws {
    line.end()
    try output.write(line.bytes)
    line.clear()
  }

  // MARK: Property lists

  private mutating func writeArchive(_ list: BinaryPropertyList) throws {
    line.add("$top")
    try end()
    try writeObject(archive.start(of: archive.top), list, label: "", isArchive: true)
    line.add("$objects")
    try end()
    for number in 0..<archive.objectCount {
      try writeObject(
        archive.start(of: number), list, label: "[\(number)]", isArchive: true)
    }
  }

  /// One object of the list; in an archive with the containers that it holds.
  private mutating func writeObject(
    _ reference: PropertyListReference, _ list: BinaryPropertyList, label: String, isArchive: Bool
  ) throws {
    guard let offset = try? list.offset(of: reference) else {
      let reason = "no object \(reference)"
      if firstBroken == nil { firstBroken = reason }
      line.add("\(label) broken: \(reason)", .broken)
      return try end()
    }
    line.add(offset: offset)
    if !label.isEmpty { line.add(label + " ", .number) }
    var work: [(reference: PropertyListReference, depth: Int)] = []
    try writeValue(reference, list, isArchive, 1, &work)
    // Containers in containers follow below, each once, called by their numbers.
    var seen: Set<PropertyListReference> = [reference]
    while let next = work.popLast() {
      guard seen.insert(next.reference).inserted else { continue }
      line.pad(to: 10 + 2 * min(next.depth, 8))
      line.add("@\(next.reference) ", .faint)
      try writeValue(next.reference, list, isArchive, next.depth + 1, &work)
    }
  }

  /// Ends the line with an object; entries of containers follow on lines of their own.
  private mutating func writeValue(
    _ reference: PropertyListReference, _ list: BinaryPropertyList, _ isArchive: Bool,
    _ depth: Int, _ work: inout [(reference: PropertyListReference, depth: Int)]
  ) throws {
    do {
      switch try list.object(reference) {
      case .array(let row), .set(let row):
        line.add("array or set of \(row.count)")
        try end()
        for place in 0..<row.count {
          line.pad(to: 10 + 2 * min(depth, 8))
          try writeEntry(list.reference(place, of: row), list, isArchive, depth, &work)
        }
      case .dictionary(let keys, let values):
        line.add("dictionary of \(keys.count)")
        try end()
        for place in 0..<keys.count {
          line.pad(to: 10 + 2 * min(depth, 8))
          let key = try list.reference(place, of: keys)
          if isArchive {
            let leaf = try InspectedArchive.leaf(list.object(key))
            line.add(leaf.flatMap { archive.text(of: $0)?.text } ?? "?", .key)
          } else {
            line.add("@\(key)", .key)
          }
          line.add(": ")
          try writeEntry(list.reference(place, of: values), list, isArchive, depth, &work)
        }
      case let object: try writeLeaf(object)
      }
    } catch let error as PropertyListError {
      if let range = list.wideRange(reference) {
        line.add(archive.digits(ofWide: range), .number)
        return try end()
      }
      if firstBroken == nil { firstBroken = "\(error)" }
      line.add("broken: \(error)", .broken)
      try end()
    }
  }

  private mutating func writeEntry(
    _ reference: PropertyListReference, _ list: BinaryPropertyList, _ isArchive: Bool,
    _ depth: Int, _ work: inout [(reference: PropertyListReference, depth: Int)]
  ) throws {
    guard isArchive else {
      line.add("@\(reference)", .number)
      return try end()
    }
    if let range = list.wideRange(reference) {
      line.add(archive.digits(ofWide: range), .number)
      return try end()
    }
    let object = try list.object(reference)
    switch object {
    case .array, .set, .dictionary:
      line.add("@\(reference)", .faint)
      work.append((reference, depth))
      try end()
    default: try writeLeaf(object)
    }
  }

  private mutating func writeLeaf(_ object: PropertyListObject) throws {
    switch object {
    case .uid(let uid): line.add("→ \(uid)", .number)
    case .date(let seconds): line.add("date \(seconds)", .number)
    case .float(let value): line.add("float \(value)", .number)
    case .double(let value): line.add("real \(value)", .number)
    case .data(let range):
      line.add("data of \(range.count)")
      if longValues.contains(range) {
        addSeen(range)
        return try end()
      }
      return try writeBytes(range)
    default:
      guard let leaf = InspectedArchive.leaf(object) else { break }
      let range = archive.textRange(of: leaf)
      if longValues.contains(range), let text = archive.text(of: leaf, limit: 32) {
        line.add("\"\(InspectionText.escaped(text.text))…\"", .text)
        addSeen(range)
      } else if let text = archive.text(of: leaf) {
        line.add("\"\(InspectionText.escaped(text.text))\"", .text)
        if case .utf16 = leaf { line.add(" utf-16", .faint) }
      } else if case .bool(let value) = leaf {
        line.add(value ? "true" : "false", .number)
      } else if case .integer(let value) = leaf {
        line.add(String(value), .number)
      } else if case .unsigned(let value) = leaf {
        line.add(String(value), .number)
      } else {
        line.add("null", .faint)
      }
    }
    try end()
  }

  /// Tells where a long value stands that was shown before.
  private mutating func addSeen(_ range: Range<Int>) {
    let place = InspectionText.hexadecimal(UInt64(clamping: range.lowerBound), digits: 6)
    line.add(
      " \(InspectionText.count(range.count, "byte")) as shown above, from 0x\(place) on", .faint)
  }

  /// Ends the line with bytes: few stand in it, more follow in rows of 32.
  mutating func writeBytes(_ range: Range<Int>) throws {
    if range.count <= 16 {
      if !range.isEmpty {
        line.add(" " + InspectionText.hexadecimal(archive.slice(range), groups: 4), .text)
      }
      return try end()
    }
    try end()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 24) {
      let bytes = archive.slice(start..<min(start + 24, range.upperBound))
      line.add(offset: start)
      line.pad(to: 14)
      line.add(InspectionText.hexadecimal(bytes, groups: 4), .text)
      try end()
    }
  }

  // MARK: Typedstreams

  private mutating func write(_ stream: Typedstream) throws {
    var scanner = stream.events()
    var depth = 0
    while true {
      let offset = scanner.offset
      guard let event = try scanner.next() else { break }
      switch event {
      case .endObject, .endArray, .endStructure: depth -= 1
      default: break
      }
      line.add(offset: offset)
      line.pad(to: line.columns + 2 * min(max(0, depth), 24))
      if depth > 24 { line.add("‹\(depth)› ", .faint) }
      try write(event, stream)
      switch event {
      case .beginObject, .beginArray, .beginStructure: depth += 1
      default: break
      }
    }
    guard let damage = stream.damage else { return }
    line.add(offset: damage.offset)
    line.add("broken: \(damage.reason)", .broken)
    try end()
    line.add(offset: damage.offset)
    let rest = damage.offset..<stream.bytes.count
    line.add(InspectionText.count(rest.count, "byte") + " cannot be read")
    try writeBytes(rest)
  }

  private mutating func write(_ event: TypedstreamEvent, _ stream: Typedstream) throws {
    switch event {
    case .beginGroup(let types):
      line.add("types ", .faint)
      line.add(stream.text(ofString: types), .key)
      line.add("  (string \(types))", .faint)
    case .byte(let value): line.add("byte \(value)", .number)
    case .integer(let value, let form): line.add("\(value)  (\(words(form)))", .number)
    case .float(let value, let form): line.add("\(value)  (\(words(form)))", .number)
    case .double(let value, let form): line.add("\(value)  (\(words(form)))", .number)
    case .byteArray(let range):
      line.add("array of \(range.count) bytes")
      return try writeBytes(range)
    case .bytes(let range):
      line.add("bytes of \(range.count)")
      if let text = archive.text(of: .bytes(range)) {
        line.add(" \"\(InspectionText.escaped(text.text))\"", .text)
      } else {
        return try writeBytes(range)
      }
    case .string(let number): addString(number, stream, "string \(number)")
    case .newCString(let number, let string): addString(string, stream, "#\(number) C string")
    case .archivedClass(let index):
      line.add("class ", .faint)
      line.add(stream.chain(ofClass: index).joined(separator: " : "), .className)
    case .beginObject(let number):
      line.add("#\(number) ", .number)
      if case .object(let index)? = stream.entry(number), index < archive.classes.count {
        let archived = archive.classes[index]
        line.add(archived.name, .className)
        let versions = zip(archived.chain, archived.versions).map { "\($0) v\($1)" }
        line.add("  (\(versions.joined(separator: " : ")))", .faint)
      }
    case .endObject: line.add("end", .faint)
    case .reference(let number): line.add("→ #\(number)", .number)
    case .none: line.add("nil", .faint)
    case .beginArray(let count): line.add("array of \(count)")
    case .endArray, .endStructure: line.add("end", .faint)
    case .beginStructure: line.add("structure")
    case .nothing: line.add("nothing", .faint)
    }
    try end()
  }

  private mutating func addString(_ number: Int, _ stream: Typedstream, _ what: String) {
    line.add(what + " ", .faint)
    line.add("\"\(InspectionText.escaped(stream.text(ofString: number)))\"", .text)
  }

  private func words(_ form: NumberForm) -> String {
    switch form {
    case .oneByte: "1 byte"
    case .twoBytes: "2 bytes"
    case .fourBytes: "4 bytes"
    case .eightBytes: "8 bytes"
    case .real: "real"
    }
  }
}
