/// A name that now leads to another node, or to none.
struct NameChange {
  var folder: UInt64
  var name: String
  var node: UInt64?
}

/// An operation on a disk, in a log of which a power cut may keep only a part.
enum DiskOperation {
  case make(node: UInt64, MemoryTree.Node)
  case names([NameChange])
  case write(node: UInt64, offset: Int, bytes: [UInt8])
  case truncate(node: UInt64, size: Int)
  /// All operations on the node before this (a file's data, a folder's names) are durable.
  case pin(node: UInt64)

  /// Whether a power cut may lose it until it is pinned.
  var isLosable: Bool {
    switch self {
    case .make, .pin: false
    case .names, .write, .truncate: true
    }
  }

  /// Whether `pin` of this node makes it durable.
  func isPinned(by node: UInt64) -> Bool {
    switch self {
    case .make, .pin: false
    case .names(let changes): changes.allSatisfy { $0.folder == node }
    case .write(let written, _, _): written == node
    case .truncate(let cut, _): cut == node
    }
  }
}

extension MemoryTree {
  /// Repeats an operation of a log.
  mutating func apply(_ operation: DiskOperation) {
    switch operation {
    case .make(let number, let node):
      nodes[number] = node
      lastNode = max(lastNode, number)
    case .names(let changes):
      setNames(changes)
    case .write(let node, let offset, let new):
      guard case .file(var bytes)? = nodes[node]?.content else { return }
      let end = offset + new.count
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(offset..<end, with: new)
      setBytes(bytes, of: node)
    case .truncate(let node, let size):
      guard case .file(let bytes)? = nodes[node]?.content else { return }
      let kept = Array(bytes.prefix(size))
      setBytes(kept + [UInt8](repeating: 0, count: size - kept.count), of: node)
    case .pin:
      break
    }
  }
}
