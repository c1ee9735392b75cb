import Archiving
import PortolanTerminals

/// Tells what differs between two GNUstep archives, whose items are compared as two lists.
///
/// The items are aligned by what they hold; a reference is the same where it leads to what its
/// partner leads to, whatever the numbers.
struct GNUstepDifference {
  /// One of the two archives, its items in a row.
  private struct Side {
    let inspection: GNUstepInspection
    var events: [GNUstepArchiveEvent] = []
    var offsets: [Int] = []
    /// What each item holds, without numbers that only count.
    var hashes: [UInt64] = []
    /// The item with which the object began that each item stands below; -1 for none.
    var owners: [Int32] = []
    var writer: GNUstepItemWriter

    init(_ inspection: GNUstepInspection, _ options: TreeOptions) throws {
      self.inspection = inspection
      writer = GNUstepItemWriter(inspection, options, isRaw: false)
      let chains = inspection.archive.classes.indices.map { inspection.chain(ofClass: $0 + 1) }
      var scanner = inspection.archive.events()
      var owner: Int32 = -1
      while true {
        let offset = scanner.offset
        guard let event = try scanner.next() else { return }
        if case .beginObject = event { owner = Int32(truncatingIfNeeded: events.count) }
        hashes.append(inspection.hash(of: event, chains))
        events.append(event)
        offsets.append(offset)
        owners.append(owner)
      }
    }
  }

  private var first: Side
  private var second: Side
  private let form: ArchiveDifference.Form
  private let names: (String, String)
  private let hasColours: Bool
  private var output: TextOutput
  /// The partners of the first archive's objects and pointers, by their numbers.
  private var objects: [Int: Int] = [:]
  private var pointers: [Int: Int] = [:]
  private var count = 0
  private var shownOwner: String?

  init(
    _ first: GNUstepInspection, _ second: GNUstepInspection, names: (String, String),
    form: ArchiveDifference.Form, hasColours: Bool, columns: Int? = 80,
    send: @escaping ([UInt8]) throws -> Void
  ) throws {
    var options = TreeOptions()
    options.hasColours = hasColours
    options.columns = columns ?? options.columns
    options.cutsTexts = columns != nil
    self.first = try Side(first, options)
    self.second = try Side(second, options)
    (self.names, self.form, self.hasColours) = (names, form, hasColours)
    output = TextOutput(inputCount: first.byteCount + second.byteCount, send: send)
  }

  /// Writes what differs; returns how many differences there are.
  mutating func write() throws -> Int {
    let pairs = ListAlignment.pairs(first.hashes, second.hashes)
    for case (let left?, let right?) in pairs where first.hashes[left] == second.hashes[right] {
      pair(first.events[left], second.events[right])
    }
    for (left, right) in pairs {
      if let left, let right, first.hashes[left] == second.hashes[right],
        leadToPartners(first.events[left], second.events[right])
      {
        continue
      }
      try report(left, right)
    }
    if form == .json { try output.write(count == 0 ? "[]\n" : "\n]\n") }
    try output.flush()
    return count
  }

  private mutating func pair(_ one: GNUstepArchiveEvent, _ two: GNUstepArchiveEvent) {
    switch (one, two) {
    case (.beginObject(let left, _), .beginObject(let right, _)),
      (.classObject(let left, _), .classObject(let right, _)):
      objects[left] = right
    case (.newCString(let left, _), .newCString(let right, _)),
      (.newSelector(let left, _, _), .newSelector(let right, _, _)),
      (.newPointer(let left), .newPointer(let right)):
      pointers[left] = right
    default: break
    }
  }

  private func leadToPartners(_ one: GNUstepArchiveEvent, _ two: GNUstepArchiveEvent) -> Bool {
    switch (one, two) {
    case (.reference(let left), .reference(let right)): objects[left] == right
    case (.pointerReference(let left), .pointerReference(let right)): pointers[left] == right
    default: true
    }
  }

  // MARK: Telling

  private mutating func report(_ left: Int?, _ right: Int?) throws {
    count += 1
    let owner = left.map { ownerWords(first, $0) } ?? right.map { ownerWords(second, $0) } ?? "/"
    if form == .json { return try reportJSON(left, right, owner) }
    if count == 1 { try output.write("--- \(names.0)\n+++ \(names.1)\n") }
    if owner != shownOwner {
      shownOwner = owner
      try output.write("@@ \(owner) @@\n")
    }
    if let left {
      try addMargin("-", .removed)
      try first.writer.write(first.events[left], at: first.offsets[left], to: &output)
    }
    if let right {
      try addMargin("+", .added)
      try second.writer.write(second.events[right], at: second.offsets[right], to: &output)
    }
  }

  /// The object that an item stands below, by its number and class.
  private func ownerWords(_ side: Side, _ item: Int) -> String {
    let owner = Int(side.owners[item])
    guard owner >= 0, case .beginObject(let number, let kind) = side.events[owner] else {
      return "/"
    }
    return "/#\(number) " + InspectionLine.plain(side.inspection.name(ofClass: kind))
  }

  private mutating func addMargin(_ margin: String, _ look: InspectionLine.Look) throws {
    var line = InspectionLine(hasColours: hasColours)
    line.add(margin, look)
    try output.write(line.text)
  }

  private mutating func reportJSON(_ left: Int?, _ right: Int?, _ owner: String) throws {
    let change = left == nil ? "added" : right == nil ? "removed" : "changed"
    try output.write(count == 1 ? "[\n" : ",\n")
    try output.write("{\"path\":\(SafeJSON.string(owner)),\"change\":\"\(change)\"")
    if let left {
      try output.write(",\"old\":{\(first.inspection.members(of: first.events[left]))}")
    }
    if let right {
      try output.write(",\"new\":{\(second.inspection.members(of: second.events[right]))}")
    }
    try output.write("}")
  }
}

extension GNUstepInspection {
  /// The names and versions of a class and its superclasses.
  func chain(ofClass number: Int) -> String {
    var words: [String] = []
    var next = number
    while next > 0, next <= archive.classes.count, words.count < 64 {
      let archived = archive.classes[next - 1]
      words.append("\(archive.text(archived.name)) v\(archived.version)")
      next = archived.superclass
    }
    return words.joined(separator: " : ")
  }

  /// What an item holds, as a number: the same for items that differ in nothing but numbers that
  /// count objects, classes and pointers.
  func hash(of event: GNUstepArchiveEvent, _ chains: [String]) -> UInt64 {
    var hasher = Hasher()
    func chain(_ number: Int) -> String {
      number > 0 && number <= chains.count ? chains[number - 1] : ""
    }
    switch event {
    case .reference: hasher.combine("@")
    case .pointerReference: hasher.combine("^@")
    case .newPointer: hasher.combine("^")
    case .beginObject(_, let kind):
      hasher.combine("object")
      hasher.combine(chain(kind))
    case .classObject(_, let kind):
      hasher.combine("class object")
      hasher.combine(chain(kind))
    case .archivedClass(let kind):
      hasher.combine("class")
      hasher.combine(chain(kind))
    case .newSelector(_, let name, let types):
      hasher.combine(":")
      hasher.combine(bytes(name))
      hasher.combine(bytes(types))
    case .newCString(_, let range):
      hasher.combine("*")
      hasher.combine(bytes(range))
    case .integer, .unsigned, .wideInteger, .float, .double, .bool, .none, .numbers, .beginArray,
      .beginStructure:
      hasher.combine(members(of: event))
    }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
