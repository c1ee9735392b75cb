/// The length and a digest of the path to each node: tells long paths apart without writing them.
struct PathDigests {
  /// Steps to each node; 0 at the top.
  private var counts: [Int32]
  private var digests: [UInt64]

  /// - Complexity: O(nodes).
  init(_ archive: InspectedArchive) {
    counts = Array(repeating: -1, count: archive.nodes.count)
    digests = Array(repeating: StructureHashes.seed, count: archive.nodes.count)
    var waiting: [(node: Int, step: String)] = []
    for start in archive.nodes.indices where counts[start] < 0 {
      var node = start
      while counts[node] < 0, let (step, holder) = archive.lastStep(to: node) {
        waiting.append((node, step))
        // A node on its own way to the top, in a damaged archive, begins a path.
        counts[node] = 0
        node = holder
      }
      counts[node] = max(counts[node], 0)
      while let (next, step) = waiting.popLast() {
        counts[next] = counts[node] &+ 1
        digests[next] = step.utf8.reduce(StructureHashes.mix(digests[node], 47)) {
          StructureHashes.mix($0, UInt64($1))
        }
        node = next
      }
    }
  }

  /// The number of steps to a node, and eight hexadecimal digits of their digest.
  func text(of node: Int) -> String {
    "\(counts[node])-" + InspectionText.hexadecimal(digests[node] >> 32, digits: 8)
  }
}
