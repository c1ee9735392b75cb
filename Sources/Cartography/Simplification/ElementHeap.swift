/// Numbers in the order of their priorities, the least first; equal ones in the order of numbers.
struct ElementHeap {
  private struct Entry {
    var priority: Double
    var element: Int32

    @inline(__always)
    func isBefore(_ other: Entry) -> Bool {
      priority < other.priority || priority == other.priority && element < other.element
    }
  }

  /// The children of each entry: four of them are in one line of memory.
  private static let width = 4

  /// The last priority of each number.
  private(set) var priorities: [Double]
  private var isIn: [Bool]
  /// Entries whose number is out, or has another priority by now, are passed over.
  private var heap: [Entry] = []
  private let limit: Double

  /// - Parameters:
  ///   - priorities: one for each number.
  ///   - limit: numbers come out only below it.
  init(_ priorities: [Double], below limit: Double) {
    (self.priorities, self.limit) = (priorities, limit)
    isIn = Array(repeating: false, count: priorities.count)
  }

  /// Puts in the numbers of a range; the heap is empty before.
  ///
  /// - Complexity: O(range).
  mutating func fill(with range: Range<Int>) {
    heap.removeAll(keepingCapacity: true)
    for element in range where priorities[element] < limit {
      isIn[element] = true
      heap.append(
        Entry(priority: priorities[element], element: Int32(truncatingIfNeeded: element)))
    }
    for place in stride(from: heap.count / Self.width, through: 0, by: -1)
    where place < heap.count {
      sink(heap[place], from: place)
    }
  }

  func contains(_ element: Int) -> Bool { isIn[element] }

  /// Gives a number a priority, and puts it in if that is below the limit.
  mutating func set(_ element: Int, to priority: Double) {
    if isIn[element], priorities[element] == priority { return }
    priorities[element] = priority
    isIn[element] = priority < limit
    guard isIn[element] else { return }
    let entry = Entry(priority: priority, element: Int32(truncatingIfNeeded: element))
    var place = heap.count
    heap.append(entry)
    while place > 0 {
      let parent = (place - 1) / Self.width
      guard entry.isBefore(heap[parent]) else { break }
      heap[place] = heap[parent]
      place = parent
    }
    heap[place] = entry
  }

  /// Takes out the number with the least priority; `nil` if there is none.
  mutating func popFirst() -> Int? {
    while let first = heap.first, let last = heap.popLast() {
      if !heap.isEmpty { sink(last, from: 0) }
      let element = Int(first.element)
      if isIn[element], priorities[element] == first.priority {
        isIn[element] = false
        return element
      }
    }
    return nil
  }

  mutating func remove(_ element: Int) { isIn[element] = false }

  private mutating func sink(_ entry: Entry, from start: Int) {
    var place = start
    while true {
      let first = Self.width * place + 1
      guard first < heap.count else { break }
      var child = first
      for other in first + 1..<max(first + 1, min(first + Self.width, heap.count))
      where heap[other].isBefore(heap[child]) {
        child = other
      }
      guard heap[child].isBefore(entry) else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }
}
