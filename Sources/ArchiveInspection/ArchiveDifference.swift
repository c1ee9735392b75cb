import PropertyLists

/// The differences between two archives: by the paths of their objects, not by numbers.
///
/// Both are walked together from their roots, without recursion. Two objects once matched count as
/// the same; a reference to one of them matched with a third object is a difference. The
/// containers of plain property lists are values and may be matched with any number of others.
/// First everything is matched, then the differences are written: only then is it known which
/// objects stand in both archives.
public struct ArchiveDifference {
  /// The form of the output.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Form: String, CaseIterable, Sendable {
    /// Lines with `-` and `+` below their place, for people.
    case text
    /// A list of objects with `path`, `change`, `old` and `new`.
    case json
  }

  /// A place where the archives differ.
  struct Change {
    /// `nil` if added.
    var old: InspectedValue?
    /// `nil` if removed.
    var new: InspectedValue?
    /// The last step of the path.
    var name: String
    /// The place of the steps before it; -1 for none.
    var step: Int
  }

  /// A step of a path: the place of the step before, a name, the number of steps up to here.
  struct Step {
    var parent: Int
    var name: String
    var count: Int
  }

  let first: InspectedArchive
  let second: InspectedArchive
  let names: (String, String)
  let form: Form
  let options: TreeOptions
  /// The partner of each node of the first archive, and the other way round; -1 for none.
  private(set) var partners: ([Int32], [Int32])
  private(set) var steps: [Step] = []
  private(set) var changes: [Change] = []
  var output: TextOutput
  private let hashes: (StructureHashes, StructureHashes)
  private var work: [(first: InspectedValue, second: InspectedValue, step: Int)] = []
  /// Compared pairs of containers of plain property lists.
  private var compared: Set<Pair> = []
  /// Whether long texts and data are equal, by their places.
  private var longValues: [Pair: Bool] = [:]

  struct Pair: Hashable {
    var left: Int
    var right: Int
  }

  /// Prepares the comparison.
  ///
  /// - Parameters:
  ///   - first: the old archive.
  ///   - second: the new one.
  ///   - names: how the two are called in the output.
  ///   - form: the form of the output.
  ///   - hasColours: whether it is coloured by control sequences of a terminal.
  ///   - columns: the width to which texts are cut; `nil` leaves them whole.
  ///   - send: takes a piece of the output.
  public init(
    _ first: InspectedArchive, _ second: InspectedArchive,
    names: (String, String) = ("old", "new"), form: Form = .text, hasColours: Bool = false,
    columns: Int? = 80,
    send: @escaping ([UInt8]) throws -> Void
  ) {
    let (first, second) = InspectedArchive.alike(first, second)
    (self.first, self.second) = (first, second)
    (self.names, self.form) = (names, form)
    hashes = (StructureHashes(first), StructureHashes(second))
    var options = TreeOptions()
    options.isStable = true
    options.hasColours = hasColours
    options.columns = columns ?? options.columns
    options.cutsTexts = columns != nil
    self.options = options
    output = TextOutput(inputCount: first.header.byteCount + second.header.byteCount, send: send)
    partners = (
      Array(repeating: -1, count: first.nodes.count),
      Array(repeating: -1, count: second.nodes.count)
    )
  }

  /// Writes the differences; returns their number.
  ///
  /// - Throws: `InspectionError` when the archives are of different kinds, or nothing went through
  ///   one of them.
  public mutating func write() throws -> Int {
    try first.requireSurvey()
    try second.requireSurvey()
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
    return try writeChanges()
  }

  // MARK: Pairs

  private mutating func compare(
    _ one: InspectedValue, _ two: InspectedValue, _ step: Int
  ) throws {
    guard case .node(let left) = one, case .node(let right) = two,
      first.nodes[left].kind != .bare, second.nodes[right].kind != .bare
    else {
      if !areEqual(first.bare(one) ?? one, second.bare(two) ?? two) { report(one, two, step) }
      return
    }
    if first.isPlainList {
      guard compared.insert(Pair(left: left, right: right)).inserted else { return }
      guard compared.count <= 4 * (first.nodes.count + second.nodes.count) + 100_000 else {
        throw InspectionError(
          .unreadable, "the same containers are shared far too often: compare their XML forms")
      }
    } else if partners.0[left] >= 0 || partners.1[right] >= 0 {
      if Int(partners.0[left]) != right { report(one, two, step) }
      return
    }
    guard first.nodes[left].kind == second.nodes[right].kind,
      first.archivedClass(of: left)?.chain == second.archivedClass(of: right)?.chain,
      first.archivedClass(of: left)?.versions == second.archivedClass(of: right)?.versions,
      first.archivedClass(of: left)?.hints == second.archivedClass(of: right)?.hints
    else { return report(one, two, step) }
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
      let kind = first.nodes[left].kind
      if kind == .array || kind == .set || first.unresolved != nil {
        let all = { (archive: InspectedArchive, node: Int) in
          (0..<archive.valueCount(of: node)).map { archive.value($0, of: node) }
        }
        try compareLists(
          all(first, left), all(second, right), step, isOrdered: kind != .set)
      } else {
        try compareFields(left, right, step)
      }
    }
    // The first pair comes first.
    work[start...].reverse()
  }

  private mutating func push(
    _ one: InspectedValue, _ two: InspectedValue, _ name: String, _ step: Int
  ) {
    switch (one, two) {
    case (.node, .node):
      steps.append(
        Step(parent: step, name: name, count: step < 0 ? 1 : steps[step].count + 1))
      work.append((one, two, steps.count - 1))
    default:
      if !areEqual(first.bare(one) ?? one, second.bare(two) ?? two) {
        report(one, two, name, step)
      }
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
        push(value, second.value(place, of: right), name, step)
      } else {
        report(value, nil, name, step)
      }
    }
    for place in places.values.joined().sorted() {
      report(nil, second.value(place, of: right), rightNames[place], step)
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
        push(pair.value, right[place].value, name, step)
      } else {
        report(pair.value, nil, name, step)
      }
    }
    for (place, pair) in right.enumerated() where !isPaired[place] {
      report(nil, pair.value, second.stepText(pair.key) ?? second.kindName(pair.key), step)
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
        push(left[place], right[other], String(place), step)
      case (let place?, nil): report(left[place], nil, String(place), step)
      case (nil, let other?): report(nil, right[other], String(other), step)
      case (nil, nil): break
      }
    }
  }

  private mutating func report(_ one: InspectedValue, _ two: InspectedValue, _ step: Int) {
    guard step >= 0 else { return report(one, two, "", -1) }
    report(one, two, steps[step].name, steps[step].parent)
  }

  private mutating func report(
    _ one: InspectedValue?, _ two: InspectedValue?, _ name: String, _ step: Int
  ) {
    changes.append(Change(old: one, new: two, name: name, step: step))
  }

  // MARK: Values

  /// Whether two values without children are equal; a real number of four bytes equals the same
  /// one of eight, because XML knows only one kind.
  private mutating func areEqual(_ one: InspectedValue, _ two: InspectedValue) -> Bool {
    func real(_ value: InspectedValue) -> Double? {
      switch value {
      case .float(let value): Double(value)
      case .double(let value): value
      default: nil
      }
    }
    if let left = real(one), let right = real(two) {
      return left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
    }
    switch (one, two) {
    case (.date(let left), .date(let right)): return left.bitPattern == right.bitPattern
    case (.data(let left), .data(let right)), (.bytes(let left), .bytes(let right)),
      (.ascii(let left), .ascii(let right)), (.utf16(let left), .utf16(let right)),
      (.symbol(let left), .symbol(let right)), (.cString(let left), .cString(let right)),
      (.wide(let left), .wide(let right)):
      return areEqual(left, right)
    case (.archivedClass(let left), .archivedClass(let right)):
      guard left < first.classes.count, right < second.classes.count else { return left == right }
      return first.classes[left].chain == second.classes[right].chain
    // Neither can be read, else it would be something else by now.
    case (.node, .node): return true
    case (.node, _), (_, .node): return false
    default: return one == two
    }
  }

  /// Whether two places hold the same bytes; each pair of long ones is compared once.
  private mutating func areEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    let pair = Pair(left: left.lowerBound, right: right.lowerBound)
    if left.count > 64, let known = longValues[pair] { return known }
    let isEqual =
      first.reader.withBytes(in: left) { one in
        second.reader.withBytes(in: right) { Self.areEqual(one, $0) } ?? false
      } ?? false
    if left.count > 64 { longValues[pair] = isEqual }
    return isEqual
  }

  /// Whether as many bytes are equal, eight at a time.
  private static func areEqual(
    _ one: UnsafeRawBufferPointer, _ two: UnsafeRawBufferPointer
  ) -> Bool {
    guard one.count == two.count else { return false }
    var place = 0
    while place &+ 8 <= one.count {
      guard
        one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          == two.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      else { return false }
      place &+= 8
    }
    return one[place...].elementsEqual(two[place...])
  }
}
