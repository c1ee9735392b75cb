import PortolanTexts
import PropertyLists

/// Writing the differences, as text or JSON.
extension ArchiveDifference {
  /// Steps of a path that are shown as text, and written as JSON.
  private static let (shownMax, writtenMax) = (24, 1_000)

  /// Writes the changes of the objects and of the headers; returns their number.
  mutating func writeChanges() throws -> Int {
    let rows = zip(first.headerRows, second.headerRows).filter { $0.text != $1.text }
    let count = rows.count + changes.count
    switch form {
    case .text:
      if count > 0 { try output.write("--- \(names.0)\n+++ \(names.1)\n") }
      for (one, two) in rows { try writeText(one, two) }
      try writeText()
    case .json:
      var separator = "["
      for (one, two) in rows {
        let sides =
          "\"old\":\(SafeJSON.string(one.text)),\"new\":\(SafeJSON.string(two.text))"
        try output.write(
          "\(separator)\n{\"header\":\"\(one.name)\",\"change\":\"changed\",\(sides)}")
        separator = ","
      }
      try writeJSON(after: separator)
      try output.write(count == 0 ? "[]\n" : "\n]\n")
    }
    try output.flush()
    return count
  }

  // MARK: Text

  private mutating func writeText(
    _ one: InspectedArchive.HeaderRow, _ two: InspectedArchive.HeaderRow
  ) throws {
    try output.write("@@ \(one.name) @@\n")
    for (margin, look, text) in [
      ("-", InspectionLine.Look.removed, one.text), ("+", .added, two.text),
    ] {
      var line = InspectionLine(hasColours: options.hasColours)
      line.add(margin, look)
      line.add(text)
      try output.write(line.text + "\n")
    }
  }

  private mutating func writeText() throws {
    // Each writer has an output of its own: nothing may wait in this one.
    try output.flush()
    var old = TreeWriter(first, options, output)
    var new = TreeWriter(second, options, output)
    (old.margin, old.marginLook) = ("-", .removed)
    (new.margin, new.marginLook) = ("+", .added)
    // An object of both archives is told as the place that it lies at.
    if !first.isPlainList {
      for node in first.nodes.indices { old.isShown[node] = partners.0[node] >= 0 }
      for node in second.nodes.indices { new.isShown[node] = partners.1[node] >= 0 }
    }
    var starts = EqualStarts(
      bytesLeft: 4 * min(first.reader.count + second.reader.count, .max >> 8))
    var shownStep = -2
    for change in changes {
      if shownStep != change.step {
        shownStep = change.step
        let place = path(change.step, limit: Self.shownMax)
        try output.write("@@ \(DisplayWidth.sanitised(place.isEmpty ? "/" : place)) @@\n")
      }
      try output.flush()
      if let one = change.old, let two = change.new {
        old.skip = equalStart(of: one, two, &starts)
        new.skip = old.skip
      }
      if let value = change.old {
        try old.write(value, label: change.name)
        try old.output.flush()
      }
      if let value = change.new {
        try new.write(value, label: change.name)
        try new.output.flush()
      }
      (old.skip, new.skip) = (0, 0)
    }
  }

  /// What was found of pairs of long values; a pair may stand at very many places.
  private struct EqualStarts {
    var known: [Pair: Int] = [:]
    var bytesLeft: Int
  }

  /// The equal beginning of two long texts, or bytes, too long to show: a line is
  /// cut, and the difference must be in it.
  private func equalStart(
    of one: InspectedValue, _ two: InspectedValue, _ starts: inout EqualStarts
  ) -> Int {
    let (left, right) = (first.bare(one) ?? one, second.bare(two) ?? two)
    let ranges = (first.valueRange(of: left), second.valueRange(of: right))
    let pair = Pair(left: ranges.0.lowerBound, right: ranges.1.lowerBound)
    if let known = starts.known[pair] { return known }
    let count = min(ranges.0.count, ranges.1.count)
    guard count > 0, count <= starts.bytesLeft else { return 0 }
    starts.bytesLeft -= count
    let start = equalStart(of: left, right)
    starts.known[pair] = start
    return start
  }

  private func equalStart(of left: InspectedValue, _ right: InspectedValue) -> Int {
    if let one = first.text(of: left)?.text, let two = second.text(of: right)?.text {
      let count = zip(one, two).prefix { $0 == $1 }.count
      return count < 24 ? 0 : count - 8
    }
    guard case .data(let one) = left, case .data(let two) = right else { return 0 }
    let count = zip(first.slice(one), second.slice(two)).prefix { $0 == $1 }.count
    return count < 8 ? 0 : (count - 4) / 4 * 4
  }

  /// The path of a step; of a very long one the last steps, behind the number of the others.
  private func path(_ step: Int, limit: Int) -> String {
    var names: [String] = []
    var current = step
    while current >= 0 {
      guard names.count < limit else {
        names.append("…\(steps[current].count)")
        break
      }
      if !steps[current].name.isEmpty { names.append(InspectionPath.escaped(steps[current].name)) }
      current = steps[current].parent
    }
    return names.reversed().map { "/" + $0 }.joined()
  }

  // MARK: JSON

  private mutating func writeJSON(after start: String) throws {
    var separator = start
    for change in changes {
      let path =
        path(change.step, limit: Self.writtenMax) + "/" + InspectionPath.escaped(change.name)
      let kind = change.old == nil ? "added" : change.new == nil ? "removed" : "changed"
      try output.write(
        "\(separator)\n{\"path\":\(SafeJSON.string(path)),\"change\":\"\(kind)\"")
      separator = ","
      try writeSide("old", change.old, first, path)
      try writeSide("new", change.new, second, path)
      try output.write("}")
    }
  }

  /// One side of a change: a value as in `inspect --json`, of an object its class and its place.
  private mutating func writeSide(
    _ name: String, _ value: InspectedValue?, _ archive: InspectedArchive, _ path: String
  ) throws {
    guard let value else { return }
    try output.write(",\"\(name)\":")
    switch archive.bare(value) ?? value {
    case .node(let node):
      let place = archive.path(of: node, limit: Self.writtenMax)
      let kind = SafeJSON.string(archive.kindName(.node(node)))
      try output.write("{\"object\":\(kind),\"path\":\(SafeJSON.string(place))}")
    case .archivedClass(let index):
      let words = index < archive.classes.count ? archive.classes[index].name : "?"
      try output.write("{\"class\":\(SafeJSON.string(words))}")
    case let leaf:
      var json = InspectionJSON(archive, output)
      try json.writeElement(leaf)
      output = json.output
    }
  }
}

extension InspectedArchive {
  /// A fact of an archive's header.
  typealias HeaderRow = (name: String, text: String)

  /// The header of a keyed archive, and the objects that nothing leads to; the same rows for each.
  var headerRows: [HeaderRow] {
    guard header.format == .keyed else { return [] }
    return [
      ("$version", header.version.map { String($0) } ?? "none"),
      ("$archiver", header.archiver ?? "none"),
      ("other entries", header.otherEntries.sorted().joined(separator: ", ")),
      ("nothing leads to", InspectionText.count(orphans.count, "object")),
    ]
  }
}
