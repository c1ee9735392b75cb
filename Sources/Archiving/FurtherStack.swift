import PortolanCMemory

/// Memory that takes the place of a thread's stack during a call.
///
/// The call stays on its thread: locks, actors and the variables of the thread are what they were.
final class FurtherStack {
  private let memory: UnsafeMutableRawPointer
  private let size: Int

  /// - Returns: `nil` without memory, and on systems where no stack can take another's place.
  init?(size: Int) {
    guard let memory = portolan_stack_allocate(size) else { return nil }
    (self.memory, self.size) = (memory, size)
  }

  /// Many times as large as a thread's own, which has `room` bytes, or four times where memory may
  /// not be asked for without being used.
  ///
  /// It holds, even in a debug build, as many objects as the thread's own stack can release.
  static func beside(_ room: Int) -> FurtherStack? {
    let most = 1 << 30
    return FurtherStack(size: min(room, most / 32) * 32)
      ?? FurtherStack(size: min(room, most / 4) * 4)
  }

  deinit { portolan_stack_free(memory, size) }

  /// Calls `body` on this stack; throws where one is in use already.
  func run<Value>(_ body: () throws -> Value) throws -> Value {
    var result: Result<Value, any Error>?
    withoutActuallyEscaping(body) { body in
      let call = Call { result = Result { try body() } }
      withExtendedLifetime(call) {
        _ = portolan_stack_call(
          memory, size, { Call.perform($0) }, Unmanaged.passUnretained(call).toOpaque())
      }
    }
    guard let result else { throw ArchiveError(.tooDeep, "the stack of the thread is used up") }
    return try result.get()
  }

  /// A closure as one pointer.
  private final class Call {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }

    static func perform(_ context: UnsafeMutableRawPointer?) {
      guard let context else { return }
      Unmanaged<Call>.fromOpaque(context).takeUnretainedValue().body()
    }
  }
}
