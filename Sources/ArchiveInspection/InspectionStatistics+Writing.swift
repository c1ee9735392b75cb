import PortolanTexts

/// The numbers as text and as JSON.
extension InspectionStatistics {
  package func write(_ options: TreeOptions, to output: TextOutput) throws {
    var output = output
    var line = InspectionLine(hasColours: options.hasColours)
    func end(_ line: inout InspectionLine) throws {
      try output.write(line.text + "\n")
      line.clear()
    }
    for entry in Inspector(archive).headerLines(isStable: false) + facts {
      line.add(entry.name, .faint)
      line.pad(to: 10)
      line.add(entry.text, entry.name == "note" ? .broken : .plain)
      try end(&line)
    }
    let all = (bare.count > 0 ? [bare] : []) + rows
    if !all.isEmpty {
      try end(&line)
      line.add("   count       bytes  class", .faint)
      try end(&line)
      for row in all.sorted(by: { ($0.bytes, $1.name) > ($1.bytes, $0.name) }) {
        line.add(Self.right(row.count, 8), .number)
        line.add(Self.right(row.bytes, 12), .number)
        line.add("  " + (SwiftName.demangled(row.name) ?? row.name), .className)
        if let version = row.version, version != 0 { line.add(" v\(version)", .faint) }
        for name in row.chain.dropFirst() {
          guard !options.cutsTexts || line.columns + name.count + 3 <= options.columns else {
            line.add(" : …", .faint)
            break
          }
          line.add(" : " + name, .faint)
        }
        try end(&line)
      }
    }
    try writeLargest(options, &line, &output)
    try writeDuplicates(options, &line, &output)
    try output.flush()
  }

  /// What is said above the tables.
  private var facts: [(name: String, text: String)] {
    var lines: [(name: String, text: String)] = []
    if strings > 0 {
      let shared =
        sharedStrings > 0 ? ", \(InspectionText.count(sharedStrings)) of them shared" : ""
      let size = InspectionText.count(stringBytes, "byte")
      lines.append(("strings", "\(InspectionText.count(strings)) of \(size)\(shared)"))
    }
    lines.append(("shared", InspectionText.count(sharedObjects, "object")))
    if duplicateBytes > 0 {
      lines.append(("repeated", "\(InspectionText.count(duplicateBytes, "byte")) of equal values"))
    }
    if conditionalNulls > 0 {
      lines.append(("left out", InspectionText.count(conditionalNulls, "conditional object")))
    }
    if unusedClasses > 0 {
      lines.append(("unused", InspectionText.count(unusedClasses, "class", "classes")))
    }
    if !archive.orphans.isEmpty {
      let count = InspectionText.count(archive.orphans.count, "object")
      lines.append(("orphans", "\(count) to which nothing leads"))
    }
    return lines
  }

  private func writeLargest(
    _ options: TreeOptions, _ line: inout InspectionLine, _ output: inout TextOutput
  ) throws {
    guard !largest.isEmpty else { return }
    try output.write("\n")
    line.add("   bytes  largest", .faint)
    try output.write(line.text + "\n")
    line.clear()
    for entry in largest {
      line.add(Self.right(entry.bytes, 8), .number)
      line.add("  ")
      let name = archive.archivedClass(of: entry.node)?.shownName
      line.add(name ?? archive.kindName(.node(entry.node)), .className)
      if let number = archive.number(of: entry.node) { line.add(" #\(number)", .faint) }
      let limit = options.cutsTexts ? 12 : Int.max
      line.add("  " + archive.path(of: entry.node, limit: limit), .key)
      try output.write(line.text + "\n")
      line.clear()
    }
  }

  private func writeDuplicates(
    _ options: TreeOptions, _ line: inout InspectionLine, _ output: inout TextOutput
  ) throws {
    guard !duplicates.isEmpty else { return }
    try output.write("\n")
    line.add("   bytes  copies  repeated", .faint)
    try output.write(line.text + "\n")
    line.clear()
    for entry in duplicates {
      line.add(Self.right(entry.bytes, 8), .number)
      line.add(Self.right(entry.copies, 8), .number)
      line.add("  ")
      let columns = options.cutsTexts ? options.columns : .max >> 8
      if let text = archive.text(of: entry.text, limit: columns) {
        line.add(InspectionText.quoted(text, columns: columns - line.columns), .text)
      } else if case .data(let range) = entry.text {
        let bytes = archive.slice(range, options.cutsTexts ? 24 : .max)
        line.add(InspectionText.hexadecimal(bytes, groups: 4), .text)
      }
      try output.write(line.text + "\n")
      line.clear()
    }
  }

  private static func right(_ number: Int, _ columns: Int) -> String {
    let text = InspectionText.count(number)
    return String(repeating: " ", count: max(0, columns - text.count)) + text
  }

  /// The numbers as one JSON object.
  package func writeJSON(to output: TextOutput) throws {
    var output = output
    let string = SafeJSON.string
    try output.write("{\"bytes\":\(archive.header.byteCount),\"depth\":\(archive.depth)")
    try output.write(",\"strings\":\(strings),\"stringBytes\":\(stringBytes)")
    try output.write(",\"sharedStrings\":\(sharedStrings),\"sharedObjects\":\(sharedObjects)")
    try output.write(",\"repeatedBytes\":\(duplicateBytes),\"orphans\":\(archive.orphans.count)")
    try output.write(",\"conditionalNulls\":\(conditionalNulls),\"unusedClasses\":\(unusedClasses)")
    try output.write(",\"bareValues\":\(bare.count),\"bareBytes\":\(bare.bytes),\"classes\":[")
    for (place, row) in rows.enumerated() {
      let chain = row.chain.map(string).joined(separator: ",")
      try output.write(place == 0 ? "\n" : ",\n")
      try output.write("{\"name\":\(string(row.name)),\"count\":\(row.count)")
      try output.write(",\"bytes\":\(row.bytes),\"chain\":[\(chain)]}")
    }
    try output.write("],\"largest\":[")
    for (place, entry) in largest.enumerated() {
      let path = string(archive.path(of: entry.node, limit: .max))
      try output.write(place == 0 ? "\n" : ",\n")
      try output.write("{\"path\":\(path),\"bytes\":\(entry.bytes)}")
    }
    try output.write("]}\n")
    try output.flush()
  }
}
