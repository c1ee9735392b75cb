import PortolanCMemory

/// Bytes of stack that are left to the calling thread.
///
/// `encode(with:)` and `init(coder:)` nest as deep as the graph does, by nature; the coders ask
/// here before each object, so that they can throw before the stack ends.
@inline(__always)
func stackRoom() -> Int { portolan_stack_left() }

/// Whether there is stack for an object.
enum StackRoom: UInt8 {
  /// On the stack that is in use.
  case enough
  /// On the further stack, which is there.
  case further
  /// On neither.
  case ended
}

/// What a coder uses of the stacks.
struct StackUse {
  /// Bytes that the thread had when the outermost object began.
  var room = 0
  /// Bytes that must be left of the stack in use for an object to begin.
  var floor = 0
  /// How many objects may be nested in each other on the stack in use.
  var depthMax = 0
  /// Made when it is needed first, and kept for other objects of the graph.
  var further: FurtherStack?
}

/// A coder that goes on upon a further stack where objects are nested deep.
///
/// Values of a program live on the stack of its thread: what is decoded is released there, level by
/// level. So the further stack is only for as many objects as the thread's own can release, each
/// with `bytesOfLevel`. In a debug build coding takes more than twice as much for each.
protocol Nest: AnyObject {
  var limits: ArchiveLimits { get }
  var stack: StackUse { get set }
  /// How many objects are being coded.
  var depth: Int { get }
  /// Bytes of the thread's stack for each object that may be nested beyond it.
  static var bytesOfLevel: Int { get }
  /// Bytes that must be left of a stack which begins with `room`.
  func floor(_ room: Int) -> Int
}

/// A coder that writes.
protocol WritingNest: Nest {}

extension WritingNest {
  // More than a reader has, so that the same thread can read the archive.
  static var bytesOfLevel: Int { 512 }

  /// Reading takes up to two and a half times as much for each level as writing, so that a writer
  /// uses only two fifths of what there is: what it accepts, the same thread can read. Only an
  /// array that is read with a list of classes may take more.
  func floor(_ room: Int) -> Int {
    limits.stackReserve + max(0, room - limits.stackReserve) / 5 * 3
  }
}

/// A coder that reads.
protocol ReadingNest: Nest {}

extension ReadingNest {
  static var bytesOfLevel: Int { 448 }

  @inline(__always)
  func floor(_ room: Int) -> Int { limits.stackReserve }
}

extension Nest {
  /// Whether there is stack for an object that begins now.
  @inline(__always)
  func roomForObject() -> StackRoom {
    let room = stackRoom()
    if depth == 0 { beginStack(room) }
    return depth < stack.depthMax && room > stack.floor ? .enough : roomElsewhere()
  }

  @inline(__always)
  private func beginStack(_ room: Int) {
    stack.room = room
    stack.floor = floor(room)
    stack.depthMax = limits.depthMax
    // A coder that begins on the further stack of another: what it decodes may be released on the
    // thread's own.
    if portolan_stack_is_further() {
      stack.depthMax = min(limits.depthMax, portolan_stack_own_left() / Self.bytesOfLevel)
    }
  }

  @inline(never)
  private func roomElsewhere() -> StackRoom {
    guard depth < furtherDepthMax, !portolan_stack_is_further(),
      // A further stack has at least four times the room: as much again as must be left of it.
      stack.room >= limits.stackReserve / 2
    else { return .ended }
    if stack.further == nil { stack.further = FurtherStack.beside(stack.room) }
    return stack.further == nil ? .ended : .further
  }

  private var furtherDepthMax: Int { min(limits.depthMax, stack.room / Self.bytesOfLevel) }

  /// Codes an object for which `roomForObject()` gave `.further`.
  @inline(never)
  func onFurtherStack<Value>(_ body: () throws -> Value) throws -> Value {
    guard let further = stack.further else { return try body() }
    let (floor, depthMax) = (stack.floor, stack.depthMax)
    defer { (stack.floor, stack.depthMax) = (floor, depthMax) }
    return try further.run {
      stack.floor = self.floor(stackRoom())
      stack.depthMax = furtherDepthMax
      return try body()
    }
  }
}

extension ArchiveLimits {
  /// Why objects nested so deep are refused, and what helps.
  func depthReason(_ depth: Int, _ verb: String) -> String {
    depth < depthMax
      ? "objects are nested \(depth) deep; a thread with a larger stack \(verb) more"
      : "objects are nested \(depth) deep, and ArchiveLimits.depthMax allows no more"
  }
}
