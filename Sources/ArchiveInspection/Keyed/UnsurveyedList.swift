import PropertyLists
import Synchronization

/// The nodes of a property list that nothing goes through beforehand: each is made where it is
/// looked at, and none is kept.
///
/// The place of a node tells what it is: the objects of a keyed archive come first, by their
/// numbers, and behind them one for each object of the list, of which the containers are used. Only
/// classes are kept, so that the memory does not depend on the number of objects. How many places
/// refer to a node, and from which it is met first, is not known.
final class UnsurveyedList: Sendable {
  /// The `$objects` of a keyed archive; `nil` for other lists.
  private let objects: PropertyListReferences?
  private let list: BinaryPropertyList
  /// The node that holds the roots.
  let top: Int
  private let state: Mutex<State>

  private struct State {
    var records: ClassRecords
    /// The place of each class among `classes`, by the number of its description.
    var classOfRecord: [UInt32: UInt32] = [:]
    var classes: [InspectedClass] = []
    var firstBroken: String?
    /// The node looked at last: most are looked at several times in a row.
    var last: (node: Int, record: InspectedNode)?
  }

  /// - Parameter entries: those of a keyed archive; `nil` for other lists.
  init(_ list: BinaryPropertyList, _ entries: KeyedEntries?) {
    self.list = list
    objects = entries?.objects
    top = (entries?.objects?.count ?? 0) + Int(entries?.top ?? list.top)
    state = Mutex(State(records: ClassRecords(list)))
  }

  /// How many objects are numbered.
  var objectCount: Int { objects?.count ?? 0 }

  /// Behind the last node.
  var nodeEnd: Int { objectCount + list.count }

  /// The classes that were met so far.
  var classes: [InspectedClass] { state.withLock { $0.classes } }

  /// A class by its place among those; `nil` where there is none.
  func archivedClass(_ index: Int) -> InspectedClass? {
    state.withLock { index < $0.classes.count ? $0.classes[index] : nil }
  }

  /// The first broken place that was looked at, in words.
  var firstBroken: String? { state.withLock { $0.firstBroken } }

  /// Notes a broken place.
  func note(_ reason: String) {
    state.withLock { if $0.firstBroken == nil { $0.firstBroken = reason } }
  }

  /// The node of a container of the list.
  func node(of container: PropertyListReference) -> Int { objectCount + Int(container) }

  /// The object of the list that a node is; `absent` where that cannot be read.
  func start(of node: Int) -> PropertyListReference {
    guard let objects, node < objects.count else {
      return PropertyListReference(truncatingIfNeeded: node - objectCount)
    }
    return (try? list.reference(node, of: objects)) ?? InspectedNode.absent
  }

  /// Looks at a node.
  func record(of node: Int) -> InspectedNode {
    let last = state.withLock { $0.last }
    if let last, last.node == node { return last.record }
    let record = newRecord(of: node)
    state.withLock { $0.last = (node, record) }
    return record
  }

  private func newRecord(of node: Int) -> InspectedNode {
    var record = InspectedNode(kind: .broken, start: start(of: node))
    record.references = 1
    guard node < objectCount else {
      record.kind =
        switch try? list.object(record.start) {
        case .array?: .array
        case .set?: .set
        case .dictionary?: node == top && objects != nil ? .top : .dictionary
        default: node == top ? .bare : .broken
        }
      return record
    }
    record.number = UInt32(truncatingIfNeeded: node)
    do {
      let head = try ObjectHead(record.start, in: list)
      record.kind = head.kind
      if let archivedClass = head.archivedClass {
        record.count = UInt32(truncatingIfNeeded: archivedClass.place)
        record.classIndex = try classIndex(archivedClass.reference)
      } else if head.kind == .dictionary {
        note(ObjectHead.withoutClass(node))
      }
    } catch {
      if list.wideRange(record.start) == nil {
        note("$objects[\(node)]: \(error)")
      } else {
        record.kind = .bare
      }
    }
    return record
  }

  /// The class that `$class` refers to; `absent` where it refers to none.
  private func classIndex(
    _ reference: PropertyListReference
  ) throws(PropertyListError) -> UInt32 {
    guard case .uid(let uid) = try list.object(reference), Int(uid) < objectCount else {
      note("$class: expected a reference to a class")
      return InspectedNode.absent
    }
    let record = start(of: Int(uid))
    return state.withLock { state in
      if let known = state.classOfRecord[uid] { return known }
      let described = state.records.archivedClass(record, number: Int(uid))
      var index = InspectedNode.absent
      if let described {
        index = UInt32(truncatingIfNeeded: state.classes.count)
        state.classes.append(described.named())
      } else if state.firstBroken == nil {
        state.firstBroken = "$objects[\(uid)]: expected the description of a class"
      }
      state.classOfRecord[uid] = index
      return index
    }
  }
}
