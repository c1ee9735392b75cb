internal import Synchronization

/// A disk in memory with a power cut at every moment of its log.
///
/// Does everything on a `MemoryFileSystem` and keeps a log. `fsync` of a file pins its data, of a
/// folder its names; after a power cut every unpinned operation may be lost or not, in any
/// combination, and the last write may be torn or leave zeros. The promises of a save must hold in
/// every state that `crashStates` visits.
package struct SimulatedDisk: Sendable {
  /// The file system that does the work.
  package let fileSystem: MemoryFileSystem
  private let start: MemoryFileSystem

  /// More unpinned operations than this are sampled, not tried in every combination.
  package static let exhaustiveMax = 12

  /// A disk with the present content of a file system, all of it pinned.
  package init(_ fileSystem: MemoryFileSystem) {
    self.fileSystem = fileSystem
    start = fileSystem.copy()
    fileSystem.startLog()
  }

  /// The number of operations so far; a moment for `crashStates`.
  package var position: Int { fileSystem.log.count }

  /// Visits the states that a power cut may leave.
  ///
  /// - Parameters:
  ///   - seed: for sampling if there are too many combinations.
  ///   - samples: the number of samples.
  ///   - exhaustiveMax: the number of unpinned operations up to which every combination is tried.
  ///   - visit: called with the moment of the cut and the disk after it.
  /// - Returns: the number of states.
  @discardableResult
  package func crashStates(
    seed: UInt64 = 1, samples: Int = 200, exhaustiveMax: Int = SimulatedDisk.exhaustiveMax,
    visit: (_ position: Int, MemoryFileSystem) throws -> Void
  ) throws -> Int {
    let log = fileSystem.log
    var random = seed
    var count = 0
    for position in 0...log.count {
      let done = Array(log[..<position])
      let loose = done.indices.filter { index in
        done[index].isLosable && !SimulatedDisk.isPinned(index, in: done)
      }
      let isExhaustive = loose.count <= exhaustiveMax
      for number in 0..<(isExhaustive ? 1 << loose.count : samples) {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let kept = isExhaustive ? UInt64(number) : random >> 8
        try visit(position, state(done, loose, kept))
        count += 1
      }
      for torn in SimulatedDisk.tornVersions(of: done.last) {
        try visit(position, state(done.dropLast() + [torn], [], 0))
        count += 1
      }
    }
    return count
  }

  /// The disk after these operations, without the loose ones with bit 0 in `kept`.
  private func state(
    _ done: [DiskOperation], _ loose: [Int], _ kept: UInt64
  ) -> MemoryFileSystem {
    let lost = Set(
      loose.enumerated().filter { kept >> UInt64($0.offset % 56) & 1 == 0 }.map { $0.element })
    let disk = start.copy()
    disk.apply(done.indices.filter { !lost.contains($0) }.map { done[$0] })
    return disk
  }

  private static func isPinned(_ index: Int, in done: [DiskOperation]) -> Bool {
    done[(index + 1)...].contains { later in
      if case .pin(let node) = later { return done[index].isPinned(by: node) }
      return false
    }
  }

  /// A write cut at a sector or a page, or with nothing but its size written.
  private static func tornVersions(of operation: DiskOperation?) -> [DiskOperation] {
    guard case .write(let node, let offset, let bytes)? = operation else { return [] }
    let cuts = [512, 4096].filter { $0 < bytes.count }
    return cuts.map { .write(node: node, offset: offset, bytes: Array(bytes.prefix($0))) }
      + [.write(node: node, offset: offset, bytes: [UInt8](repeating: 0, count: bytes.count))]
  }
}

extension MemoryFileSystem {
  /// A copy of the file system, with nothing open.
  func copy() -> MemoryFileSystem {
    let copied = withTree { tree in
      var copied = tree
      copied.opened = [:]
      copied.log = nil
      return copied
    }
    return MemoryFileSystem(tree: copied)
  }

  func startLog() { withTree { $0.log = [] } }

  var log: [DiskOperation] { withTree { $0.log ?? [] } }

  func apply(_ operations: [DiskOperation]) {
    withTree { tree in
      for operation in operations { tree.apply(operation) }
    }
  }
}
