internal import Glibc

/// The files of a `MemoryFileSystem`: a flat table of nodes.
struct MemoryTree {
  enum Content {
    case file([UInt8])
    case directory([String: UInt64])
    case link(String)
  }

  struct Node {
    var content: Content
    var mode: UInt32
    var owner: UInt32 = 0
    var group: UInt32 = 0
    var modified: Int64
    var linkCount = 1
    var attributes: [String: [UInt8]] = [:]
  }

  struct Opened {
    var node: UInt64
    var offset = 0
    var appends = false
    var isLocked = false
  }

  static let root: UInt64 = 1

  var nodes: [UInt64: Node] = [
    root: Node(content: .directory([:]), mode: 0o755, modified: 0)
  ]
  var opened: [Int32: Opened] = [:]
  /// What was written to standard output.
  var output: [UInt8] = []
  /// The log of operations, if one is kept for `crashStates`.
  var log: [DiskOperation]?
  /// The time, which advances by one with every change.
  private var time: Int64 = 0
  /// The highest number of a node so far; new ones get higher numbers.
  var lastNode = root

  mutating func tick() -> Int64 {
    time += 1
    return time
  }

  /// A new node, not yet under any name.
  mutating func make(_ content: Content, mode: UInt32) -> UInt64 {
    lastNode += 1
    let node = Node(content: content, mode: mode, modified: tick())
    nodes[lastNode] = node
    log?.append(.make(node: lastNode, node))
    return lastNode
  }

  /// Resolves a name, which need not exist: its folder, its last part, and its node if there is
  /// one.
  func find(
    _ path: String, from start: UInt64?, followsLast: Bool, _ call: String
  ) throws(FileError) -> (folder: UInt64, name: String, node: UInt64?) {
    var rest = path.split(separator: "/").map { String($0) }.reversed() as [String]
    var stack = [path.hasPrefix("/") ? MemoryTree.root : start ?? MemoryTree.root]
    var name = "."
    var links = 0
    while let part = rest.popLast() {
      guard let folder = stack.last, case .directory(let names)? = nodes[folder]?.content else {
        throw FileError(call: call, path: path, number: ENOTDIR)
      }
      name = part
      if part == "." { continue }
      if part == ".." {
        if stack.count > 1 { stack.removeLast() }
        continue
      }
      guard let node = names[part] else {
        if rest.isEmpty { return (folder, part, nil) }
        throw FileError(call: call, path: path, number: ENOENT)
      }
      if case .link(let target)? = nodes[node]?.content, followsLast || !rest.isEmpty {
        links += 1
        guard links <= 40 else { throw FileError(call: call, path: path, number: ELOOP) }
        rest += target.split(separator: "/").map { String($0) }.reversed()
        if target.hasPrefix("/") { stack = [MemoryTree.root] }
        continue
      }
      if rest.isEmpty { return (folder, part, node) }
      stack.append(node)
    }
    let last = stack.last ?? MemoryTree.root
    return (last, name, last)
  }

  /// The absolute path of a node without links.
  func path(of wanted: UInt64) -> String? {
    var pending = [(MemoryTree.root, "")]
    while let (folder, path) = pending.popLast() {
      if folder == wanted { return path.isEmpty ? "/" : path }
      guard case .directory(let names)? = nodes[folder]?.content else { continue }
      for (name, node) in names { pending.append((node, path + "/" + name)) }
    }
    return nil
  }

  mutating func setName(_ name: String, in folder: UInt64, to node: UInt64?) {
    setNames([NameChange(folder: folder, name: name, node: node)])
  }

  /// Changes several names at once, as a disk's journal does.
  mutating func setNames(_ changes: [NameChange]) {
    log?.append(.names(changes))
    for change in changes {
      guard case .directory(var names)? = nodes[change.folder]?.content else { continue }
      names[change.name] = change.node
      nodes[change.folder]?.content = .directory(names)
    }
  }

  mutating func setBytes(_ bytes: [UInt8], of node: UInt64) {
    let now = tick()
    nodes[node]?.content = .file(bytes)
    nodes[node]?.modified = now
  }

  /// Removes a node's name; the node is removed with its last one, unless it is open.
  mutating func release(_ node: UInt64) {
    nodes[node]?.linkCount -= 1
    let isUnused = (nodes[node]?.linkCount ?? 0) <= 0
    if isUnused, !opened.values.contains(where: { $0.node == node }) { nodes[node] = nil }
  }

  func status(_ number: UInt64) -> FileStatus? {
    guard let node = nodes[number] else { return nil }
    let (kind, size): (FileStatus.Kind, Int) =
      switch node.content {
      case .file(let bytes): (.regular, bytes.count)
      case .directory(let names): (.directory, names.count)
      case .link(let target): (.symbolicLink, target.utf8.count)
      }
    return FileStatus(
      identity: FileIdentity(
        device: 1, inode: number, size: Int64(size), modified: node.modified),
      kind: kind, mode: node.mode, owner: node.owner, group: node.group,
      linkCount: node.linkCount)
  }
}
