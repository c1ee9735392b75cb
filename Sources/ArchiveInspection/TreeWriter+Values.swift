import PropertyLists

/// How single values and the lines of objects look.
extension TreeWriter {
  /// Columns that a line needs behind a value, for its size.
  private static let sizeColumns = 10

  /// Columns that are left in the line.
  private var room: Int {
    guard cutsTexts else { return .max >> 8 }
    return options.columns - line.columns - (options.isStable ? 1 : 2)
  }

  private var cutsTexts: Bool { options.cutsTexts || isRepeat }

  /// Ends the line with a value; what it leads to is put on the way.
  mutating func writeValue(_ value: InspectedValue, depth: Int) throws {
    if case .node(let node) = value { return try writeNode(node, depth: depth) }
    addLeaf(value)
    try end()
  }

  private mutating func addLeaf(_ value: InspectedValue) {
    switch value {
    case .none, .null: line.add("nil", .faint)
    case .nothing: line.add("nothing", .faint)
    case .bool(let value): line.add(value ? "true" : "false", .number)
    case .integer(let value): line.add(String(value), .number)
    case .unsigned(let value): line.add(String(value), .number)
    case .wide(let range): line.add(archive.digits(ofWide: range), .number)
    case .uid(let value): line.add("UID \(value)", .number)
    case .double(let value): line.add(InspectionText.number(value), .number)
    case .float(let value): line.add(InspectionText.number(value), .number)
    case .date(let seconds):
      line.add(InspectionText.date(seconds) ?? "\(seconds) s after 2001", .number)
    case .data(let range): addData(range)
    case .ascii, .utf16, .symbol, .cString: addText(value)
    case .bytes(let range):
      if archive.text(of: value, limit: 400) != nil { addText(value) } else { addData(range) }
    case .archivedClass(let index):
      line.add("class ", .faint)
      line.add(index < archive.classes.count ? archive.classes[index].shownName : "?", .className)
    case .broken(let reason): line.add("broken: \(reason)", .broken)
    case .node: break
    }
  }

  /// A text in quotes, as far as the line has room.
  mutating func addText(_ value: InspectedValue, reserve: Int = 0) {
    let outer = (isRepeat, skip)
    noteValue(at: archive.textRange(of: value))
    defer { (isRepeat, skip) = outer }
    addSkip()
    let room = max(24, room - reserve)
    if skip == 0, !line.hasColours, let range = archive.plainRange(of: value, atMost: room - 2) {
      line.add("\"", .text)
      archive.reader.withBytes(in: range) { line.add(visible: $0, .text) }
      return line.add("\"", .text)
    }
    guard var text = archive.text(of: value, limit: skip > 0 ? .max : room + 1) else {
      // Bytes that only begin like a text.
      if case .bytes(let range) = value { addNotedData(range, reserve: reserve) }
      return
    }
    if skip > 0 { text.text = String(text.text.dropFirst(skip)) }
    line.add(InspectionText.quoted(text, columns: room), .text)
    if text.isRepaired { line.add(" (not valid text)", .broken) }
  }

  /// Cuts what was shown whole before; the difference of two long values is shown once.
  private mutating func noteValue(at range: Range<Int>) {
    guard !options.cutsTexts || skip > 0, longValues.contains(range) else { return }
    (isRepeat, skip) = (true, 0)
  }

  /// Tells how much is left out at the front.
  private mutating func addSkip() {
    if skip > 0 { line.add("behind \(InspectionText.count(skip)) equal ones: ", .faint) }
  }

  /// The first bytes and how many there are.
  mutating func addData(_ range: Range<Int>, reserve: Int = 0) {
    let outer = (isRepeat, skip)
    noteValue(at: range)
    defer { (isRepeat, skip) = outer }
    addSkip()
    addNotedData(range, reserve: reserve)
  }

  private mutating func addNotedData(_ range: Range<Int>, reserve: Int) {
    if !isRepeat, skip == 0, let kind = ValueText.holds(archive.slice(range, 16)) {
      heldCount += 1
      if kind == "bookmark", addBookmark(range, reserve: reserve) { return }
    }
    if skip == 0, let numbers = archive.packedNumbers(range, forPeople: true) {
      line.add("numbers ", .faint)
      return line.add("{" + numbers.joined(separator: ", ") + "}", .number)
    }
    let range = range.dropFirst(skip)
    let length = InspectionText.count(range.count, "byte")
    let room = max(20, room - reserve - length.count - 4)
    // Four bytes take nine columns with the blank behind them.
    let fitting = room / 9 * 4
    let isCut = range.count > fitting
    let bytes = archive.slice(range, isCut ? fitting : .max)
    line.add(length, .faint)
    if !bytes.isEmpty { line.add(" " + InspectionText.hexadecimal(bytes, groups: 4), .text) }
    if isCut { line.add(" …", .faint) }
  }

  /// What a bookmark leads to; `false` where the bytes are none that can be read.
  private mutating func addBookmark(_ range: Range<Int>, reserve: Int) -> Bool {
    guard range.count <= bookmarkBytesLeft else { return false }
    bookmarkBytesLeft -= range.count
    guard let words = BookmarkWords.of(range, in: archive), let path = words.path else {
      return false
    }
    line.add(InspectionText.count(range.count, "byte") + ", bookmark of ", .faint)
    let text = InspectedArchive.Text(text: path, count: path.count, isCut: false)
    let rest = words.rest.isEmpty ? "" : " " + words.rest
    let room = max(24, room - reserve - rest.count)
    line.add(InspectionText.quoted(text, columns: room), .text)
    line.add(rest, .faint)
    return true
  }

  // MARK: Nodes

  private mutating func writeNode(_ node: Int, depth: Int) throws {
    let record = archive.record(of: node)
    switch record.kind {
    case .null:
      line.add("nil", .faint)
      if !options.isStable, record.number > 0 {
        line.add(" #\(record.number), a conditional object left out", .faint)
      }
      isShown[node] = true
      return try end()
    case .bare:
      isRepeat = isShown[node]
      isShown[node] = true
      addLeaf(archive.value(0, of: node))
      isRepeat = false
      if record.references > 1 { line.add(own: suffix(of: node), .faint) }
      return try end()
    case .broken:
      line.add("broken", .broken)
      return try end()
    case .classRecord:
      line.add("class description", .faint)
    case .array, .set, .dictionary, .structure, .top:
      line.add(archive.kindName(.node(node)).split(separator: " ").last.map(String.init) ?? "")
    case .object:
      line.add(archive.archivedClass(of: node)?.shownName ?? "?", .className)
      if let value = archive.brokenClass(of: node) { addBrokenClass(value) }
    }
    if isShown[node] { return try writeReference(node) }
    try writeHead(node, depth: depth)
  }

  /// What stands in place of a class.
  private mutating func addBrokenClass(_ value: InspectedValue) {
    line.add(" broken $class: ", .broken)
    guard case .node(let node) = value else { return addLeaf(value) }
    line.add(archive.number(of: node).map { "→ #\($0)" } ?? archive.kindName(value), .faint)
  }

  /// A line for what was shown before.
  private mutating func writeReference(_ node: Int) throws {
    if options.isStable {
      line.add(" → ", .faint)
      line.add(path(of: node), .faint)
    } else {
      line.add(own: archive.number(of: node).map { " → #\($0)" } ?? " → shown above", .faint)
    }
    isRepeat = true
    defer { isRepeat = false }
    if case .text(let text)? = archive.knownForm(of: node)?.summary, room > 30 {
      line.add(" ")
      addText(text)
    }
    try end()
  }

  /// The path of an object; long ones are cut, and told apart by a digest.
  private mutating func path(of node: Int) -> String {
    let digests = pathDigests ?? PathDigests(archive)
    pathDigests = digests
    return archive.path(of: node, limit: 12, digests: digests)
  }

  /// The line of an object that is shown for the first time; what it holds follows.
  private mutating func writeHead(_ node: Int, depth: Int) throws {
    let form = archive.knownForm(of: node)
    let record = archive.record(of: node)
    let isObject = record.kind == .object
    if isObject { addSuperclasses(of: node, areShown: form?.summary == nil) }
    let isOpen = options.depthMax.map { depth < $0 } ?? true
    if isOpen { isShown[node] = true }
    let tail = suffix(of: node)
    switch form?.summary {
    case .text(let text)?:
      line.add(" ")
      addText(text, reserve: Self.sizeColumns + tail.count)
    case .data(.data(let range))?:
      line.add(" ")
      addData(range, reserve: Self.sizeColumns + tail.count)
    case .words(let words)? where !words.isEmpty: line.add(" " + words, .number)
    default: break
    }
    line.add(own: tail, .faint)
    let count = form.map { archive.elementCount($0.elements, of: node) } ?? nil
    if let count {
      line.add(", " + InspectionText.count(count, "element"), .faint)
    } else if !isObject, record.kind != .top {
      let count = archive.valueCount(of: node)
      line.add(" of \(InspectionText.count(count))", .faint)
    }
    let hasMore =
      form.map { !$0.extra.isEmpty || (count ?? 0) > 0 }
      ?? (archive.valueCount(of: node) > 0)
    if !isOpen && hasMore { line.add(" …", .faint) }
    if isObject, !options.isStable, let size = archive.quickByteCount(of: node) { addSize(size) }
    try end()
    if isOpen && hasMore { descend(node, form, depth: depth + 1) }
  }

  /// The number of a node, and how many places refer to it if it is more than one.
  private func suffix(of node: Int) -> String {
    let record = archive.record(of: node)
    let isShared = record.references > 1
    if options.isStable { return isShared && record.kind == .object ? " (shared)" : "" }
    let number = archive.number(of: node).map { " #\($0)" } ?? ""
    return number + (isShared ? " ×\(InspectionText.count(Int(record.references)))" : "")
  }

  /// The superclasses of a class and its version, where it appears first.
  private mutating func addSuperclasses(of node: Int, areShown: Bool) {
    let index = Int(archive.record(of: node).classIndex)
    guard areShown, !isClassShown.contains(index), let archived = archive.archivedClass(of: node)
    else { return }
    isClassShown.insert(index)
    if let version = archived.versions.first, version != 0 { line.add(" v\(version)", .faint) }
    for name in archived.superclasses {
      guard room > name.count + 24 else { return line.add(" : …", .faint) }
      line.add(" : " + name, .faint)
    }
  }

  private mutating func addSize(_ size: Int) {
    let text = Self.size(size)
    line.pad(to: max(line.columns + 2, options.columns - text.count))
    line.add(text, .faint)
  }

  /// A size in bytes, in at most seven columns.
  static func size(_ count: Int) -> String {
    let units = ["B", "kB", "MB", "GB"]
    var value = Double(count)
    var unit = 0
    while value >= 99_950, unit < 3 {
      value /= 1_000
      unit += 1
    }
    if unit == 0 { return "\(InspectionText.count(count)) B" }
    let rounded = (value * 10).rounded() / 10
    return "\(value < 1_000 ? rounded.description : String(Int(value.rounded()))) \(units[unit])"
  }
}
