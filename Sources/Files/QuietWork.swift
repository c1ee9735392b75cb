internal import PortolanCSystem

/// Long work that nobody waits for: it gives way to whoever answers keys.
package enum QuietWork {
  /// Carries a body out on a thread of low priority, and returns when it is done.
  ///
  /// A thread cannot take its priority back up, so each call has one of its own.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    let box = Box(body: body)
    withExtendedLifetime(box) {
      portolan_run_quietly(
        { context in
          guard let context else { return }
          Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().body()
        }, Unmanaged.passUnretained(box).toOpaque())
    }
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
