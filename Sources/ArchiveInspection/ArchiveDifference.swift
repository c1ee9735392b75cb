import PortolanTerminals

/// Tells what differs between two archives: by the ways that lead to their objects, not by numbers.
///
/// Both are gone through together from their roots, without recursion. Two objects that were met
/// together once are taken for the same; where one of them is met with another object, the
/// references differ.
package struct ArchiveDifference {
  /// How differences are told.
  package enum Form: String, CaseIterable, Sendable {
    case text, json
  }

  let first: InspectedArchive
  let second: InspectedArchive
  private let hashes: (StructureHashes, StructureHashes)
  private var firstWriter: TreeWriter
  private var secondWriter: TreeWriter
  private var output: TextOutput
  private let form: Form
  private let names: (String, String)
  /// The partner of each node of the first archive, and the other way round; -1 for none.
  private var partners: ([Int32], [Int32])
  /// The steps to what was paired: the place of the step before, and a name.
  private var steps: [(parent: Int, name: String)] = []
  private var work: [(first: InspectedValue, second: InspectedValue, step: Int)] = []
  private var shownStep = -2
  private var count = 0

  package init(
    _ first: InspectedArchive, _ second: InspectedArchive, names: (String, String), form: Form,
    hasColours: Bool, columns: Int? = 80,
    send: @escaping ([UInt8]) throws -> Void
  ) {
    (self.first, self.second) = (first, second)
    (self.names, self.form) = (names, form)
    hashes = (StructureHashes(first), StructureHashes(second))
    var options = TreeOptions()
    options.isStable = true
    options.hasColours = hasColours
    options.columns = columns ?? options.columns
    options.cutsTexts = columns != nil
    output = TextOutput(inputCount: first.header.byteCount + second.header.byteCount, send: send)
    firstWriter = TreeWriter(first, options, output)
    secondWriter = TreeWriter(second, options, output)
    (firstWriter.margin, firstWriter.marginLook) = ("-", .removed)
    (secondWriter.margin, secondWriter.marginLook) = ("+", .added)
    partners = (
      Array(repeating: -1, count: first.nodes.count),
      Array(repeating: -1, count: second.nodes.count)
    )
  }

  /// Writes what differs; returns how many differences there are.
  package mutating func write() throws -> Int {
    let kinds = [first.header.format, second.header.format]
    guard kinds[0] == kinds[1] else {
      let advice =
        kinds.contains(.propertyList)
        ? "both must be archives, or both plain property lists" : "convert one of them first"
      throw InspectionError(
        .usage, "a \(kinds[0].words) and a \(kinds[1].words) cannot be compared: \(advice)")
    }
    work.append((.node(first.top), .node(second.top), -1))
    while let pair = work.popLast() { try compare(pair.first, pair.second, pair.step) }
    if form == .json, count > 0 { try output.write("\n]\n") }
    if form == .json, count == 0 { try output.write("[]\n") }
    try output.flush()
    return count
  }

  // MARK: Pairs

  private mutating func compare(
    _ one: InspectedValue, _ two: InspectedValue, _ step: Int
  ) throws {
    guard case .node(let left) = one, case .node(let right) = two else {
      let (one, two) = (first.bare(one) ?? one, second.bare(two) ?? two)
      if !Self.areEqual(one, first, two, second) { try report(one, two, step) }
      return
    }
    let (leftKind, rightKind) = (first.nodes[left].kind, second.nodes[right].kind)
    if leftKind == .bare || rightKind == .bare {
      let (one, two) = (first.bare(one) ?? one, second.bare(two) ?? two)
      if !Self.areEqual(one, first, two, second) { try report(one, two, step) }
      return
    }
    let known = (partners.0[left], partners.1[right])
    if known.0 >= 0 || known.1 >= 0 {
      if known.0 != Int32(truncatingIfNeeded: right) { try report(one, two, step) }
      return
    }
    guard leftKind == rightKind,
      first.archivedClass(of: left)?.chain == second.archivedClass(of: right)?.chain,
      first.archivedClass(of: left)?.versions == second.archivedClass(of: right)?.versions
    else { return try report(one, two, step) }
    partners.0[left] = Int32(truncatingIfNeeded: right)
    partners.1[right] = Int32(truncatingIfNeeded: left)
    try compareContents(left, right, step)
  }

  private mutating func compareContents(_ left: Int, _ right: Int, _ step: Int) throws {
    let start = work.count
    let forms = (first.knownForm(of: left), second.knownForm(of: right))
    switch (forms.0?.elements ?? .none, forms.1?.elements ?? .none) {
    case (.row, .row), (.tail, .tail):
      let name = first.archivedClass(of: left)?.name ?? ""
      try compareLists(
        first.elements(forms.0?.elements ?? .none, of: left),
        second.elements(forms.1?.elements ?? .none, of: right), step,
        isOrdered: !name.hasSuffix("Set") || name.contains("Ordered"))
    case (.pairs, .pairs), (.pairTail, .pairTail):
      try compareDictionaries(
        first.pairs(forms.0?.elements ?? .none, of: left),
        second.pairs(forms.1?.elements ?? .none, of: right), step)
    default:
      if first.nodes[left].kind == .array || first.nodes[left].kind == .set {
        let all = { (archive: InspectedArchive, node: Int) in
          (0..<archive.valueCount(of: node)).map { archive.value($0, of: node) }
        }
        try compareLists(
          all(first, left), all(second, right), step, isOrdered: first.nodes[left].kind == .array)
      } else {
        try compareFields(left, right, step)
      }
    }
    // The first pair is to be looked at first.
    work[start...].reverse()
  }

  private mutating func push(
    _ one: InspectedValue, _ two: InspectedValue, _ name: String, _ step: Int
  ) throws {
    switch (one, two) {
    case (.node, .node):
      steps.append((step, name))
      work.append((one, two, steps.count - 1))
    default:
      let (leaf, other) = (first.bare(one) ?? one, second.bare(two) ?? two)
      guard !Self.areEqual(leaf, first, other, second) else { return }
      try report(one, two, name, step)
    }
  }

  private mutating func compareFields(_ left: Int, _ right: Int, _ step: Int) throws {
    let rightNames = (0..<second.valueCount(of: right)).map { second.fieldName($0, of: right) }
    // A damaged archive may have a name twice: the first goes with the first.
    var places = Dictionary(grouping: rightNames.indices.reversed()) { rightNames[$0] }
    for index in 0..<first.valueCount(of: left) {
      let name = first.fieldName(index, of: left)
      let value = first.value(index, of: left)
      if let place = places[name]?.popLast() {
        try push(value, second.value(place, of: right), name, step)
      } else {
        try report(value, nil, name, step)
      }
    }
    for place in places.values.joined().sorted() {
      try report(nil, second.value(place, of: right), rightNames[place], step)
    }
  }

  private mutating func compareDictionaries(
    _ left: [(key: InspectedValue, value: InspectedValue)],
    _ right: [(key: InspectedValue, value: InspectedValue)], _ step: Int
  ) throws {
    var places = Dictionary(grouping: right.indices.reversed()) {
      hashes.1.of(right[$0].key, second)
    }
    var isPaired = Array(repeating: false, count: right.count)
    for pair in left {
      let name = first.stepText(pair.key) ?? first.kindName(pair.key)
      if let place = places[hashes.0.of(pair.key, first)]?.popLast() {
        isPaired[place] = true
        try push(pair.value, right[place].value, name, step)
      } else {
        try report(pair.value, nil, name, step)
      }
    }
    for (place, pair) in right.enumerated() where !isPaired[place] {
      try report(nil, pair.value, second.stepText(pair.key) ?? second.kindName(pair.key), step)
    }
  }

  private mutating func compareLists(
    _ left: [InspectedValue], _ right: [InspectedValue], _ step: Int, isOrdered: Bool
  ) throws {
    var (one, two) = (Array(left.indices), Array(right.indices))
    let (leftHashes, rightHashes) = (
      left.map { hashes.0.of($0, first) }, right.map { hashes.1.of($0, second) }
    )
    if !isOrdered {
      one.sort { (leftHashes[$0], $0) < (leftHashes[$1], $1) }
      two.sort { (rightHashes[$0], $0) < (rightHashes[$1], $1) }
    }
    let pairs = ListAlignment.pairs(one.map { leftHashes[$0] }, two.map { rightHashes[$0] })
    for pair in pairs {
      let (place, other) = (pair.first.map { one[$0] }, pair.second.map { two[$0] })
      switch (place, other) {
      case (let place?, let other?):
        try push(left[place], right[other], String(place), step)
      case (let place?, nil): try report(left[place], nil, String(place), step)
      case (nil, let other?): try report(nil, right[other], String(other), step)
      case (nil, nil): break
      }
    }
  }

  // MARK: Telling

  private mutating func report(
    _ one: InspectedValue, _ two: InspectedValue, _ step: Int
  ) throws {
    guard step >= 0 else { return try report(one, two, "", -1) }
    try report(one, two, steps[step].name, steps[step].parent)
  }

  private mutating func report(
    _ one: InspectedValue?, _ two: InspectedValue?, _ name: String, _ step: Int
  ) throws {
    count += 1
    guard form == .text else { return try reportJSON(one, two, name, step) }
    if count == 1 {
      try output.write("--- \(names.0)\n+++ \(names.1)\n")
    }
    if shownStep != step {
      shownStep = step
      try output.write("@@ \(DisplayWidth.sanitised(path(step))) @@\n")
    }
    try output.flush()
    if let one, let two {
      firstWriter.skip = equalStart(of: one, two)
      secondWriter.skip = firstWriter.skip
    }
    defer { (firstWriter.skip, secondWriter.skip) = (0, 0) }
    if let one {
      try firstWriter.write(one, label: name)
      try firstWriter.output.flush()
    }
    if let two {
      try secondWriter.write(two, label: name)
      try secondWriter.output.flush()
    }
  }

  /// How much two long texts, or bytes, have in common at the front beyond what is worth showing:
  /// a line is cut, and what differs must be in it.
  private func equalStart(of one: InspectedValue, _ two: InspectedValue) -> Int {
    let (left, right) = (first.bare(one) ?? one, second.bare(two) ?? two)
    if let one = first.text(of: left)?.text, let two = second.text(of: right)?.text {
      let count = zip(one, two).prefix { $0 == $1 }.count
      return count < 24 ? 0 : count - 8
    }
    guard case .data(let one) = left, case .data(let two) = right else { return 0 }
    let count = zip(first.slice(one), second.slice(two)).prefix { $0 == $1 }.count
    return count < 8 ? 0 : (count - 4) / 4 * 4
  }

  private mutating func reportJSON(
    _ one: InspectedValue?, _ two: InspectedValue?, _ name: String, _ step: Int
  ) throws {
    let path = (step < 0 ? "" : self.path(step)) + "/" + InspectionPath.escaped(name)
    var text = count == 1 ? "[\n" : ",\n"
    let change = one == nil ? "added" : two == nil ? "removed" : "changed"
    text += "{\"path\":\(SafeJSON.string(path)),\"change\":\"\(change)\""
    if let one { text += ",\"old\":\(SafeJSON.string(words(one, first)))" }
    if let two { text += ",\"new\":\(SafeJSON.string(words(two, second)))" }
    try output.write(text + "}")
  }

  /// A value in words: its text, or what it is.
  private func words(_ value: InspectedValue, _ archive: InspectedArchive) -> String {
    let bare = archive.bare(value) ?? value
    if let text = archive.text(of: bare) { return text.text }
    switch bare {
    case .bool(let value): return value ? "true" : "false"
    case .integer(let value): return String(value)
    case .unsigned(let value): return String(value)
    case .uid(let value): return "UID \(value)"
    case .float(let value): return InspectionText.number(value)
    case .double(let value): return InspectionText.number(value)
    case .date(let seconds): return InspectionText.date(seconds) ?? "\(seconds)"
    case .data(let range): return InspectionText.count(range.count, "byte")
    default: return archive.kindName(bare)
    }
  }

  /// The way to what was paired; long ones are cut in the middle.
  private func path(_ step: Int) -> String {
    var names: [String] = []
    var current = step
    while current >= 0 {
      guard names.count < 16 else {
        names.append("…")
        break
      }
      if !steps[current].name.isEmpty { names.append(InspectionPath.escaped(steps[current].name)) }
      current = steps[current].parent
    }
    return "/" + names.reversed().joined(separator: "/")
  }

  // MARK: Values

  /// Whether two values without children are equal; a real number of four bytes equals the same
  /// one of eight, because XML knows only one kind.
  static func areEqual(
    _ one: InspectedValue, _ first: InspectedArchive, _ two: InspectedValue,
    _ second: InspectedArchive
  ) -> Bool {
    func isReal(_ value: InspectedValue) -> Double? {
      switch value {
      case .float(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    }
    if let left = isReal(one), let right = isReal(two) {
      return left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
    }
    switch (one, two) {
    case (.date(let left), .date(let right)): return left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)), (.bytes(let left), .bytes(let right)),
      (.ascii(let left), .ascii(let right)), (.utf16(let left), .utf16(let right)),
      (.symbol(let left), .symbol(let right)), (.cString(let left), .cString(let right)):
      return left.count == right.count && first.slice(left) == second.slice(right)
    case (.archivedClass(let left), .archivedClass(let right)):
      guard left < first.classes.count, right < second.classes.count else { return left == right }
      return first.classes[left].chain == second.classes[right].chain
    // Neither can be read, else it would be something else by now.
    case (.node, .node): return true
    case (.node, _), (_, .node): return false
    default: return one == two
    }
  }
}
