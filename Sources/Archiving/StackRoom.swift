import PortolanCMemory

/// Bytes of stack that are left to the calling thread.
///
/// `encode(with:)` and `init(coder:)` nest as deep as the graph does, by nature; the coders ask
/// here before each object, so that they can throw before the stack ends.
@inline(__always)
func stackRoom() -> Int { portolan_stack_left() }

/// Bytes of stack that a writer leaves free, when it begins with `room`.
///
/// Reading takes up to two and a half times as much for each level as writing, so that a writer
/// uses only two fifths of what there is: what it accepts, the same thread can read. Only an array
/// that is read with a list of classes may take more.
func stackFloor(_ room: Int, _ limits: ArchiveLimits) -> Int {
  limits.stackReserve + max(0, room - limits.stackReserve) / 5 * 3
}

extension ArchiveLimits {
  /// Why objects nested so deep are refused, and what helps.
  func depthReason(_ depth: Int, _ verb: String) -> String {
    depth < depthMax
      ? "objects are nested \(depth) deep; a thread with a larger stack \(verb) more"
      : "objects are nested \(depth) deep, and ArchiveLimits.depthMax allows no more"
  }
}
