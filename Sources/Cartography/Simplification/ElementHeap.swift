/// Numbers in the order of their priorities, the least first; equal ones in the order of numbers.
struct ElementHeap {
  private(set) var priorities: [Double]
  private var heap: [Int32] = []
  /// The place of each number in the heap; -1 outside of it.
  private var places: [Int32]

  init(count: Int) {
    priorities = Array(repeating: .infinity, count: count)
    places = Array(repeating: -1, count: count)
  }

  func contains(_ element: Int) -> Bool { places[element] >= 0 }

  /// Puts all numbers that have a priority below infinity into the heap.
  ///
  /// - Complexity: O(count).
  mutating func fill(with priorities: [Double]) {
    self.priorities = priorities
    heap = priorities.indices.compactMap {
      priorities[$0] < .infinity ? Int32(truncatingIfNeeded: $0) : nil
    }
    for (place, element) in heap.enumerated() {
      places[Int(element)] = Int32(truncatingIfNeeded: place)
    }
    for place in stride(from: heap.count / 2, through: 0, by: -1) where place < heap.count {
      sink(place)
    }
  }

  /// Gives a number a priority, and puts it into the heap if it is not there.
  mutating func set(_ element: Int, to priority: Double) {
    priorities[element] = priority
    if places[element] < 0 {
      places[element] = Int32(truncatingIfNeeded: heap.count)
      heap.append(Int32(truncatingIfNeeded: element))
    }
    rise(Int(places[element]))
    sink(Int(places[element]))
  }

  /// The number with the least priority; `nil` if there is none.
  var first: Int? { heap.first.map { Int($0) } }

  mutating func remove(_ element: Int) {
    let place = Int(places[element])
    guard place >= 0 else { return }
    places[element] = -1
    let last = heap.removeLast()
    guard place < heap.count else { return }
    heap[place] = last
    places[Int(last)] = Int32(truncatingIfNeeded: place)
    rise(place)
    sink(Int(places[Int(last)]))
  }

  @inline(__always)
  private func isBefore(_ first: Int32, _ second: Int32) -> Bool {
    let (a, b) = (priorities[Int(first)], priorities[Int(second)])
    return a < b || a == b && first < second
  }

  private mutating func rise(_ start: Int) {
    var place = start
    let element = heap[place]
    while place > 0 {
      let parent = (place - 1) / 2
      guard isBefore(element, heap[parent]) else { break }
      heap[place] = heap[parent]
      places[Int(heap[place])] = Int32(truncatingIfNeeded: place)
      place = parent
    }
    heap[place] = element
    places[Int(element)] = Int32(truncatingIfNeeded: place)
  }

  private mutating func sink(_ start: Int) {
    var place = start
    let element = heap[place]
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
      guard isBefore(heap[child], element) else { break }
      heap[place] = heap[child]
      places[Int(heap[place])] = Int32(truncatingIfNeeded: place)
      place = child
    }
    heap[place] = element
    places[Int(element)] = Int32(truncatingIfNeeded: place)
  }
}
