internal import Glibc
internal import Synchronization

/// A file system in memory, for tests: files, folders, links, modes and attributes, no disk.
///
/// Starts with an empty `/`. Times are a count of changes, so every change is distinguishable.
package final class MemoryFileSystem: FileSystem {
  private let tree: Mutex<MemoryTree>

  package init() { tree = Mutex(MemoryTree()) }

  init(tree: sending MemoryTree) { self.tree = Mutex(tree) }

  /// A file system with these files; their folders are created.
  package convenience init(files: [String: [UInt8]]) {
    self.init()
    for (path, bytes) in files { put(bytes, at: path) }
  }

  /// Writes a file, as another program would: in place if it exists.
  package func put(_ bytes: [UInt8], at path: String) {
    try? makeDirectories(FilePath.folder(of: path))
    tree.withLock { tree in
      guard let place = try? tree.find(path, from: nil, followsLast: true, "open") else { return }
      let node = place.node ?? tree.make(.file([]), mode: 0o644)
      tree.setBytes(bytes, of: node)
      if place.node == nil { tree.setName(place.name, in: place.folder, to: node) }
    }
  }

  /// Makes a symbolic link.
  package func putLink(to target: String, at path: String) {
    tree.withLock { tree in
      guard let place = try? tree.find(path, from: nil, followsLast: false, "symlink"),
        place.node == nil
      else { return }
      tree.setName(
        place.name, in: place.folder, to: tree.make(.link(target), mode: 0o777))
    }
  }

  /// What was written to standard output.
  package var output: [UInt8] { tree.withLock { $0.output } }

  /// Closes all open files, as the end of a process does, and releases their locks.
  package func closeAll() { tree.withLock { $0.opened = [:] } }

  package func open(
    _ name: String, in directory: FileDescriptor?, _ mode: OpenMode
  ) throws(FileError) -> FileDescriptor {
    try tree.withLock { (tree) throws(FileError) in
      let start = try tree.start(directory, "open")
      let follows = mode != .createNew && mode != .append && mode != .lock
      let place = try tree.find(name, from: start, followsLast: follows, "open")
      var node = place.node
      switch (mode, node.flatMap { tree.nodes[$0]?.content }) {
      case (.createNew, .some): throw FileError(call: "open", path: name, number: EEXIST)
      case (.createNew, nil), (.append, nil), (.lock, nil):
        node = tree.make(.file([]), mode: 0o600)
        tree.setName(place.name, in: place.folder, to: node)
      case (_, nil): throw FileError(call: "open", path: name, number: ENOENT)
      case (.append, .link), (.lock, .link):
        throw FileError(call: "open", path: name, number: ELOOP)
      case (.directory, .file): throw FileError(call: "open", path: name, number: ENOTDIR)
      case (.readWrite, .directory), (.append, .directory), (.lock, .directory):
        throw FileError(call: "open", path: name, number: EISDIR)
      default: break
      }
      guard let node else { throw FileError(call: "open", path: name, number: ENOENT) }
      let number = (tree.opened.keys.max() ?? 99) + 1
      tree.opened[number] = MemoryTree.Opened(node: node, appends: mode == .append)
      return FileDescriptor(rawValue: number)
    }
  }

  package func close(_ file: FileDescriptor) throws(FileError) {
    try tree.withLock { (tree) throws(FileError) in
      let node = try tree.opened(file, "close").node
      tree.opened[file.rawValue] = nil
      if tree.nodes[node]?.linkCount == 0, !tree.opened.values.contains(where: { $0.node == node })
      {
        tree.nodes[node] = nil
      }
    }
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    try tree.withLock { (tree) throws(FileError) in
      let (opened, bytes) = try tree.bytes(file, "read")
      let start = min(opened.offset, bytes.count)
      let count = min(buffer.count, bytes.count - start)
      buffer.copyBytes(from: bytes[start..<start + count])
      tree.opened[file.rawValue]?.offset = start + count
      return count
    }
  }

  package func read(
    _ file: FileDescriptor, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try tree.withLock { (tree) throws(FileError) in
      let bytes = try tree.bytes(file, "pread").bytes
      let start = Int(clamping: min(max(0, offset), Int64(bytes.count)))
      let count = min(buffer.count, bytes.count - start)
      buffer.copyBytes(from: bytes[start..<start + count])
      return count
    }
  }

  package func write(
    _ file: FileDescriptor, _ new: UnsafeRawBufferPointer
  ) throws(FileError) -> Int {
    try tree.withLock { (tree) throws(FileError) in
      if file == .standardOutput {
        tree.output += new
        return new.count
      }
      var (opened, bytes) = try tree.bytes(file, "write")
      let start = opened.appends ? bytes.count : opened.offset
      let end = start + new.count
      tree.nodes[opened.node]?.content = .file([])
      if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
      bytes.replaceSubrange(start..<end, with: new)
      tree.log?.append(.write(node: opened.node, offset: start, bytes: Array(new)))
      tree.setBytes(bytes, of: opened.node)
      tree.opened[file.rawValue]?.offset = end
      return new.count
    }
  }

  package func seek(_ file: FileDescriptor, to offset: Int64) throws(FileError) {
    try tree.withLock { (tree) throws(FileError) in
      _ = try tree.opened(file, "lseek")
      tree.opened[file.rawValue]?.offset = Int(clamping: max(0, offset))
    }
  }

  package func truncate(_ file: FileDescriptor, to size: Int64) throws(FileError) {
    try tree.withLock { (tree) throws(FileError) in
      var (opened, bytes) = try tree.bytes(file, "ftruncate")
      let size = Int(clamping: max(0, size))
      bytes = Array(bytes.prefix(size))
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
      tree.log?.append(.truncate(node: opened.node, size: size))
      tree.setBytes(bytes, of: opened.node)
    }
  }

  package func synchronize(_ file: FileDescriptor) throws(FileError) {
    try tree.withLock { (tree) throws(FileError) in
      let node = try tree.opened(file, "fsync").node
      tree.log?.append(.pin(node: node))
    }
  }

  package func lock(_ file: FileDescriptor) throws(FileError) -> Bool {
    try tree.withLock { (tree) throws(FileError) in
      let node = try tree.opened(file, "fcntl").node
      let isTaken = tree.opened.contains {
        $0.key != file.rawValue && $0.value.node == node && $0.value.isLocked
      }
      if !isTaken { tree.opened[file.rawValue]?.isLocked = true }
      return !isTaken
    }
  }

  package func forgetCache(_ file: FileDescriptor) throws(FileError) {}

  package func isLocked(_ file: FileDescriptor) throws(FileError) -> Bool {
    try tree.withLock { (tree) throws(FileError) in
      let node = try tree.opened(file, "fcntl").node
      return tree.opened.contains {
        $0.key != file.rawValue && $0.value.node == node && $0.value.isLocked
      }
    }
  }

  package var time: Int64 { tree.withLock { $0.tick() } }

  package var creationMask: UInt32 { 0o022 }
  package var user: UInt32 { 0 }

  /// Runs a body that cannot fail on the tree.
  func withTree<Result>(_ body: (inout MemoryTree) -> sending Result) -> sending Result {
    tree.withLock { body(&$0) }
  }

  /// Runs a change of the tree for the calls in `MemoryFileSystem+Names.swift`.
  func change<Result>(
    _ body: (inout MemoryTree) throws(FileError) -> sending Result
  ) throws(FileError) -> sending Result {
    try tree.withLock { (tree) throws(FileError) in try body(&tree) }
  }
}

extension MemoryTree {
  func opened(_ file: FileDescriptor, _ call: String) throws(FileError) -> Opened {
    guard let known = opened[file.rawValue] else {
      throw FileError(call: call, path: "", number: EBADF)
    }
    return known
  }

  func bytes(
    _ file: FileDescriptor, _ call: String
  ) throws(FileError) -> (opened: Opened, bytes: [UInt8]) {
    let known = try opened(file, call)
    guard case .file(let bytes)? = nodes[known.node]?.content else {
      throw FileError(call: call, path: "", number: EISDIR)
    }
    return (known, bytes)
  }

  func start(_ directory: FileDescriptor?, _ call: String) throws(FileError) -> UInt64? {
    guard let directory else { return nil }
    return try opened(directory, call).node
  }
}
