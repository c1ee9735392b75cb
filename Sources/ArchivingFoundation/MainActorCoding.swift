public import Archiving
import Dispatch
import Foundation

// A class of the main actor codes itself there: a coder calls `encode(with:)` and `init(coder:)` on
// the thread that encodes or decodes, and the protocol cannot promise which one that is.

extension EncodingCoder {
  /// Encodes on the main actor; throws `.misuse` anywhere else.
  ///
  ///     nonisolated func encode(with coder: any EncodingCoder) throws {
  ///       try coder.onMainActor { coder in try coder.encode(title, forKey: "title") }
  ///     }
  public func onMainActor(
    _ body: @MainActor (any EncodingCoder) throws -> Void
  ) throws {
    try callOnMainActor(body, with: self)
  }
}

extension DecodingCoder {
  /// Decodes on the main actor; throws `.misuse` anywhere else.
  ///
  ///     nonisolated required init(coder: any DecodingCoder) throws {
  ///       title = try coder.decodeString(forKey: "title")
  ///       try coder.onMainActor { coder in try restore(from: coder) }
  ///     }
  public func onMainActor(
    _ body: @MainActor (any DecodingCoder) throws -> Void
  ) throws {
    try callOnMainActor(body, with: self)
  }
}

private func callOnMainActor<Coder>(
  _ body: @MainActor (Coder) throws -> Void, with coder: Coder
) throws {
  let here = OnThisThread(value: coder)
  try requireMainActor()
  try MainActor.assumeIsolated { try body(here.value) }
}

/// A coder on its way to the main actor and back, on one thread, while its owner waits.
private struct OnThisThread<Value>: @unchecked Sendable {
  let value: Value
}

/// Throws unless this is the main thread, or the queue that serves the main actor in its place.
private func requireMainActor() throws {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
  guard Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true else {
    throw ArchiveError(.misuse, "a class of the main actor is coded on another thread")
  }
}
