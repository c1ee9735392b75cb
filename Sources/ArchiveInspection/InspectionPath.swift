/// A way from the roots of an archive to one of its values: `/root/layers/0`.
///
/// A step is a key, or an index of a collection. `/` in a key is written `~1`, and `~` is `~0`, as
/// in JSON pointers. `#12` in the first place is the object of that number.
public struct InspectionPath: Hashable, Sendable {
  /// The keys and indexes, without what a path escapes.
  public var steps: [String]

  /// Takes a path apart; an empty one and `/` lead to the roots.
  ///
  /// Empty steps are kept, for there are empty keys.
  public init(_ text: String) {
    let rest = text.drop { $0 == "/" }
    steps =
      rest.isEmpty
      ? []
      : rest.split(separator: "/", omittingEmptySubsequences: false).map { Self.unescaped($0) }
  }

  private static func unescaped(_ step: Substring) -> String {
    guard step.contains("~") else { return String(step) }
    return step.split(separator: "~1", omittingEmptySubsequences: false)
      .map { $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~") }
      .joined(separator: "/")
  }

  /// A step as it is written in a path.
  static func escaped(_ step: String) -> String {
    guard step.contains("/") || step.contains("~") else { return step }
    return step.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
      .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
  }
}

extension InspectedArchive {
  /// The value that a path leads to.
  ///
  /// - Throws: `InspectionError` that says where the path ends and what is there instead.
  public func value(at path: InspectionPath) throws -> InspectedValue {
    try find(path).value
  }

  /// The value that a path leads to, and the last of its steps.
  ///
  /// A step that is empty is passed over where there is no such key, as `/` at the end of a path.
  func find(_ path: InspectionPath) throws -> (value: InspectedValue, label: String?) {
    var value = InspectedValue.node(top)
    var label: String?
    var done = ""
    for (place, step) in path.steps.enumerated() {
      guard case .node(let node) = value else {
        if step.isEmpty { continue }
        throw InspectionError(.usage, "\(shown(done)) is \(kindName(value)), nothing is inside")
      }
      let next =
        place == 0 && step.hasPrefix("#")
        ? Int(step.dropFirst()).flatMap { self.node(numbered: $0) }.map { .node($0) }
        : self.value(step: step, in: node)
      if next == nil, step.isEmpty { continue }
      guard let next else { throw missing(step, in: node, after: done, isFirst: place == 0) }
      (value, label) = (next, step)
      done += "/" + InspectionPath.escaped(step)
    }
    return (value, label)
  }

  private func shown(_ path: String) -> String { path.isEmpty ? "/" : path }

  private func missing(
    _ step: String, in node: Int, after path: String, isFirst: Bool
  ) -> InspectionError {
    if isFirst, step.hasPrefix("#") {
      return InspectionError(
        .usage, "no object \(step): they are numbered from 0 to \(max(0, objectCount - 1))")
    }
    let what =
      archivedClass(of: node)?.shownName
      ?? (node == top ? "the top" : kindName(.node(node)))
    let known = stepNames(of: node, limit: 12)
    let there = known.isEmpty ? "nothing" : known.joined(separator: ", ")
    return InspectionError(
      .usage, "no \(path)/\(InspectionPath.escaped(step)): in \(what) there is \(there)")
  }

  /// What a value is, in a word for messages.
  func kindName(_ value: InspectedValue) -> String {
    switch value {
    case .none, .null, .nothing: "nil"
    case .bool: "a truth value"
    case .integer, .unsigned, .wide: "a whole number"
    case .float, .double: "a real number"
    case .uid: "a UID"
    case .date: "a date"
    case .data: "data"
    case .ascii, .utf16, .bytes, .symbol, .cString: "a string"
    case .archivedClass: "a class"
    case .broken: "broken"
    case .node(let node):
      switch record(of: node).kind {
      case .array: "an array"
      case .set: "a set"
      case .dictionary: "a dictionary"
      case .structure: "a structure"
      case .null: "nil"
      // No container: it leads to no other object.
      case .bare: kindName(self.value(0, of: node))
      case .classRecord: "a class"
      case .object: archivedClass(of: node)?.shownName ?? "an object"
      case .broken: "broken"
      case .top: "the top"
      }
    }
  }

  /// The value of a node that a step names: an element if it is a collection, else a field.
  private func value(step: String, in node: Int) -> InspectedValue? {
    let form = knownForm(of: node)
    switch form?.elements ?? .none {
    case .row(let row):
      if let index = Int(step), index >= 0, index < valueCount(of: row) {
        return value(index, of: row)
      }
    case .tail(let first):
      if let index = Int(step), index >= 0, index < valueCount(of: node) - first {
        return value(first + index, of: node)
      }
    case .pairs(let keys, let values):
      for index in 0..<valueCount(of: keys) where isText(value(index, of: keys), step) {
        return value(index, of: values)
      }
    case .pairTail(let first):
      for index in stride(from: first, to: valueCount(of: node) - 1, by: 2)
      where isText(value(index, of: node), step) {
        return value(index + 1, of: node)
      }
    case .none: break
    }
    if record(of: node).kind == .array || record(of: node).kind == .set {
      guard let index = Int(step), index >= 0, index < valueCount(of: node) else { return nil }
      return value(index, of: node)
    }
    if let index = index(ofKey: step, in: node) { return value(index, of: node) }
    for index in 0..<valueCount(of: node) where fieldName(index, of: node) == step {
      return value(index, of: node)
    }
    return nil
  }

  private func isText(_ value: InspectedValue, _ text: String) -> Bool {
    guard let resolved = resolved(value),
      let found = self.text(of: resolved, limit: text.utf8.count + 1)
    else { return stepText(value) == text }
    return !found.isCut && found.text.utf8.elementsEqual(text.utf8)
  }

  /// A key of a dictionary as a step: its text, or its number; `nil` for other keys.
  func stepText(_ key: InspectedValue) -> String? {
    if let text = shortText(key) { return text }
    if let value = bare(key), let number = numberWords(value) { return number }
    guard case .node(let node) = key, archivedClass(of: node)?.name == "NSNumber",
      case .words(let number)? = knownForm(of: node)?.summary
    else { return nil }
    return number
  }

  /// The name of a field as a step: its key, or its group and place.
  func fieldName(_ index: Int, of node: Int) -> String {
    switch label(index, of: node) {
    case .key(let key): key
    case .index(let index): String(index)
    case .position(let group, let item, _):
      if node == top, isSingleRoot { "root" } else { item.map { "\(group).\($0)" } ?? "\(group)" }
    }
  }

  /// Whether a sequential archive has one object at its top and nothing else, as most have.
  var isSingleRoot: Bool {
    guard isSequential, unresolved == nil, record(of: top).count == 1,
      case .node = value(0, of: top)
    else { return false }
    return true
  }

  /// Some steps that lead on from a node.
  private func stepNames(of node: Int, limit: Int) -> [String] {
    let form = knownForm(of: node)
    var names: [String] = []
    var count = 0
    switch form?.elements ?? .none {
    case .row, .tail:
      count = elementCount(form?.elements ?? .none, of: node) ?? 0
      if count > 0 { return [count == 1 ? "0" : "0 to \(count - 1)"] }
    case .pairs(let keys, _):
      count = valueCount(of: keys)
      names = (0..<min(limit, count)).compactMap { stepText(value($0, of: keys)) }
    case .pairTail(let first):
      count = (valueCount(of: node) - first) / 2
      names = (0..<min(limit, count)).compactMap { stepText(value(first + 2 * $0, of: node)) }
    case .none:
      count = valueCount(of: node)
      if record(of: node).kind == .array || record(of: node).kind == .set {
        return count == 0 ? [] : ["0 to \(count - 1)"]
      }
      if record(of: node).kind == .bare { return [] }
      names = (0..<min(limit, count)).map { fieldName($0, of: node) }
    }
    if count > names.count { names.append("… (\(InspectionText.count(count)) in all)") }
    return names
  }

  // MARK: Paths of nodes

  /// The path on which a node is met first; of a longer one the last `limit` steps.
  public func path(of node: Int, limit: Int = 12) -> String {
    path(of: node, limit: limit, digests: nil)
  }

  /// - Parameter digests: where given, the steps left out are told apart: `/…31-5d0c83f2/…`.
  func path(of node: Int, limit: Int, digests: PathDigests?) -> String {
    var steps: [String] = []
    var current = node
    while let (step, holder) = lastStep(to: current) {
      guard steps.count < limit else {
        steps.append("…" + (digests?.text(of: current) ?? ""))
        break
      }
      steps.append(InspectionPath.escaped(step))
      current = holder
    }
    if steps.isEmpty, current != top, let number = number(of: current) { return "/#\(number)" }
    return "/" + steps.reversed().joined(separator: "/")
  }

  /// The step on which a node is met first, and the node before it; `nil` at the top.
  func lastStep(to node: Int) -> (step: String, holder: Int)? {
    guard node != top, record(of: node).parent != InspectedNode.absent else { return nil }
    return step(from: Int(nodes[node].parent), Int(nodes[node].slot))
  }

  /// How a value is reached, and from which node: collections stand for what holds their elements.
  private func step(from parent: Int, _ slot: Int) -> (step: String, holder: Int) {
    let holder = Int(nodes[parent].parent)
    if nodes[parent].kind == .array, nodes[parent].parent != InspectedNode.absent {
      switch knownForm(of: holder)?.elements ?? .none {
      case .row(parent): return (String(slot), holder)
      case .pairs(let keys, parent):
        if let text = stepText(value(slot, of: keys)) { return (text, holder) }
      default: break
      }
    }
    switch knownForm(of: parent)?.elements ?? .none {
    case .tail(let first) where slot >= first: return (String(slot - first), parent)
    case .pairTail(let first) where slot > first && (slot - first) % 2 == 1:
      if let text = stepText(value(slot - 1, of: parent)) { return (text, parent) }
    default: break
    }
    return (fieldName(slot, of: parent), parent)
  }
}
