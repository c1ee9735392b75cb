import Dispatch
package import Testing

/// Has each test of a suite run on a thread of its own: one that waits for other programs holds
/// none of the few threads that the others share.
package struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(QueueExecutor()) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  package static var waiting: WaitingTrait { WaitingTrait() }
}

/// The queue has a thread of its own as long as a job runs on it.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "portolan.waiting-test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
