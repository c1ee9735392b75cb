import Synchronization

/// The objects that were made from the nodes which kept parts of an archive refer to.
///
/// A kept object may point at one that the program does know, for instance at a shared style or at
/// its owner. Written back, it must point at that one again and not at a copy. The unarchiver notes
/// such nodes here; an archiver looks them up.
final class DecodedLinks: Sendable {
  /// The object of a node in memory.
  enum Link: Sendable {
    /// A value, by its identity.
    case identity(any ArchiveIdentity)
    /// An instance of a class, as long as it lives.
    case object(WeakObject)
  }

  private let links = Mutex<[UInt32: Link]>([:])

  func note(_ node: UInt32, _ link: Link) {
    links.withLock { $0[node] = link }
  }

  subscript(node: NodeID) -> Link? {
    links.withLock { $0[node.rawValue] }
  }
}

/// A reference that does not keep its object alive.
///
/// Unchecked because an object of any class is not `Sendable`: the reference is read atomically,
/// and the coders use the object as an identity only, on the thread that encodes it.
struct WeakObject: @unchecked Sendable {
  weak var object: AnyObject?
}
