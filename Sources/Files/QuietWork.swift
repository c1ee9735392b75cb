internal import PortolanCSystem

/// Long background work of low priority, so that the editor stays responsive.
package enum QuietWork {
  /// Runs a body on a thread of low priority, and returns when it is done.
  ///
  /// A thread cannot raise its priority again, so each call has a thread of its own.
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
