/// A stack whose copies share all but the few elements on top.
///
/// Copying an array of thousands of versions at each step would make edits slower with every edit.
/// Here a growing copy copies one chunk and the list of chunks.
///
/// - Complexity: pushing and popping cost O(chunk) after a copy, once in a chunk
///   O(elements / chunk); else O(1). Access by place O(1).
package struct SharedStack<Element: Sendable>: Sendable {
  /// Full chunks, from the bottom up.
  private var chunks: [[Element]] = []
  /// The elements above them; fewer than a chunk.
  private var top: [Element] = []

  /// Small, because each step copies half a chunk, and its elements are large.
  private static var chunkCount: Int { 32 }

  package init() {}

  package init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  package mutating func append(_ element: Element) {
    top.append(element)
    if top.count == Self.chunkCount {
      chunks.append(top)
      top = []
    }
  }

  package mutating func popLast() -> Element? {
    if top.isEmpty {
      guard let chunk = chunks.popLast() else { return nil }
      top = chunk
    }
    return top.popLast()
  }

  package mutating func removeAll() {
    chunks = []
    top = []
  }
}

extension SharedStack: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { chunks.count * Self.chunkCount + top.count }

  package subscript(place: Int) -> Element {
    let chunk = place / Self.chunkCount
    return chunk < chunks.count
      ? chunks[chunk][place % Self.chunkCount] : top[place - chunks.count * Self.chunkCount]
  }
}
