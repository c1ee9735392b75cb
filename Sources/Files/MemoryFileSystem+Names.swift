internal import Glibc

extension MemoryFileSystem {
  package func status(_ file: FileDescriptor) throws(FileError) -> FileStatus {
    try change { (tree) throws(FileError) in
      guard let status = tree.status(try tree.opened(file, "fstat").node) else {
        throw FileError(call: "fstat", path: "", number: EBADF)
      }
      return status
    }
  }

  package func status(
    _ name: String, in directory: FileDescriptor?
  ) throws(FileError) -> FileStatus {
    try change { (tree) throws(FileError) in
      let start = try tree.start(directory, "stat")
      let place = try tree.find(name, from: start, followsLast: false, "stat")
      guard let status = place.node.flatMap({ tree.status($0) }) else {
        throw FileError(call: "stat", path: name, number: ENOENT)
      }
      return status
    }
  }

  package func setMode(_ file: FileDescriptor, _ mode: UInt32) throws(FileError) {
    try change { (tree) throws(FileError) in
      tree.nodes[try tree.opened(file, "fchmod").node]?.mode = mode
    }
  }

  package func setOwner(
    _ file: FileDescriptor, owner: UInt32?, group: UInt32?
  ) throws(FileError) {
    try change { (tree) throws(FileError) in
      let node = try tree.opened(file, "fchown").node
      if let owner { tree.nodes[node]?.owner = owner }
      if let group { tree.nodes[node]?.group = group }
    }
  }

  package func attributeNames(_ file: FileDescriptor) throws(FileError) -> [String] {
    try change { (tree) throws(FileError) in
      tree.nodes[try tree.opened(file, "flistxattr").node]?.attributes.keys.sorted() ?? []
    }
  }

  package func attribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) -> [UInt8] {
    try change { (tree) throws(FileError) in
      let node = try tree.opened(file, "fgetxattr").node
      guard let value = tree.nodes[node]?.attributes[name] else {
        throw FileError(call: "fgetxattr", path: "", number: ENODATA)
      }
      return value
    }
  }

  package func setAttribute(
    _ name: String, of file: FileDescriptor, to value: [UInt8]
  ) throws(FileError) {
    try change { (tree) throws(FileError) in
      tree.nodes[try tree.opened(file, "fsetxattr").node]?.attributes[name] = value
    }
  }

  package func removeAttribute(
    _ name: String, of file: FileDescriptor
  ) throws(FileError) {
    try change { (tree) throws(FileError) in
      tree.nodes[try tree.opened(file, "fremovexattr").node]?.attributes[name] = nil
    }
  }

  package func rename(
    _ name: String, to newName: String, in directory: FileDescriptor, _ mode: RenameMode
  ) throws(FileError) {
    try change { (tree) throws(FileError) in
      let start = try tree.start(directory, "rename")
      let old = try tree.find(name, from: start, followsLast: false, "rename")
      let new = try tree.find(newName, from: start, followsLast: false, "rename")
      guard let node = old.node else {
        throw FileError(call: "rename", path: newName, number: ENOENT)
      }
      var left: UInt64?
      switch (mode, new.node) {
      case (.noReplace, .some):
        throw FileError(call: "rename", path: newName, number: EEXIST)
      case (.exchange, nil):
        throw FileError(call: "rename", path: newName, number: ENOENT)
      case (.exchange, .some(let other)):
        left = other
      default: break
      }
      tree.setNames([
        NameChange(folder: old.folder, name: old.name, node: left),
        NameChange(folder: new.folder, name: new.name, node: node),
      ])
      if mode == .replace, let displaced = new.node, displaced != node { tree.release(displaced) }
    }
  }

  package func link(
    _ name: String, to newName: String, in directory: FileDescriptor
  ) throws(FileError) {
    try change { (tree) throws(FileError) in
      let start = try tree.start(directory, "link")
      let old = try tree.find(name, from: start, followsLast: false, "link")
      let new = try tree.find(newName, from: start, followsLast: false, "link")
      guard let node = old.node else {
        throw FileError(call: "link", path: name, number: ENOENT)
      }
      guard new.node == nil else { throw FileError(call: "link", path: newName, number: EEXIST) }
      tree.setName(new.name, in: new.folder, to: node)
      tree.nodes[node]?.linkCount += 1
    }
  }

  package func remove(_ name: String, in directory: FileDescriptor?) throws(FileError) {
    try change { (tree) throws(FileError) in
      let start = try tree.start(directory, "unlink")
      let place = try tree.find(name, from: start, followsLast: false, "unlink")
      guard let node = place.node else {
        throw FileError(call: "unlink", path: name, number: ENOENT)
      }
      if case .directory? = tree.nodes[node]?.content {
        throw FileError(call: "unlink", path: name, number: EISDIR)
      }
      tree.setName(place.name, in: place.folder, to: nil)
      tree.release(node)
    }
  }

  package func makeDirectory(_ path: String, mode: UInt32) throws(FileError) {
    try change { (tree) throws(FileError) in
      let place = try tree.find(path, from: nil, followsLast: true, "mkdir")
      guard place.node == nil else { throw FileError(call: "mkdir", path: path, number: EEXIST) }
      tree.setName(
        place.name, in: place.folder, to: tree.make(.directory([:]), mode: mode))
    }
  }

  package func names(in path: String) throws(FileError) -> [String] {
    try change { (tree) throws(FileError) in
      let place = try tree.find(path, from: nil, followsLast: true, "opendir")
      guard case .directory(let names)? = place.node.flatMap({ tree.nodes[$0]?.content }) else {
        throw FileError(
          call: "opendir", path: path, number: place.node == nil ? ENOENT : ENOTDIR)
      }
      return names.keys.sorted()
    }
  }

  package func realPath(_ path: String) throws(FileError) -> String {
    try change { (tree) throws(FileError) in
      let place = try tree.find(path, from: nil, followsLast: true, "realpath")
      guard place.node != nil, let folder = tree.path(of: place.folder) else {
        throw FileError(call: "realpath", path: path, number: ENOENT)
      }
      return place.node == place.folder ? folder : FilePath.join(folder, place.name)
    }
  }

  package func readLink(_ path: String) throws(FileError) -> String {
    try change { (tree) throws(FileError) in
      let place = try tree.find(path, from: nil, followsLast: false, "readlink")
      guard case .link(let target)? = place.node.flatMap({ tree.nodes[$0]?.content }) else {
        throw FileError(call: "readlink", path: path, number: EINVAL)
      }
      return target
    }
  }
}
