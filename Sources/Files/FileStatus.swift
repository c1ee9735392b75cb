/// The identity of a version of a file: its inode, its size, its time of change.
package struct FileIdentity: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64
  package var size: Int64
  /// Nanoseconds since 1970.
  package var modified: Int64

  package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.modified = modified
  }
}

/// The status of a file in a file system.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular, directory, symbolicLink, pipe, socket, device
  }

  package var identity: FileIdentity
  package var kind: Kind
  /// The permission bits, with suid, sgid and sticky.
  package var mode: UInt32
  package var owner: UInt32
  package var group: UInt32
  package var linkCount: Int
  /// The last change of name, owner, mode or data, in nanoseconds since 1970.
  package var changed: Int64

  package init(
    identity: FileIdentity, kind: Kind, mode: UInt32, owner: UInt32, group: UInt32,
    linkCount: Int, changed: Int64 = 0
  ) {
    self.identity = identity
    self.kind = kind
    self.mode = mode
    self.owner = owner
    self.group = group
    self.linkCount = linkCount
    self.changed = changed
  }
}
