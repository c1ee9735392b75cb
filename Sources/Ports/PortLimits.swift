public import Archiving

/// What a connection takes from its other end, and how long it waits.
///
///     var limits = PortLimits()
///     limits.messageBytesMax = 1 << 20
///     limits.timeLimit = .seconds(5)
///
/// Whoever goes beyond a limit is cut off, unless the limit says otherwise.
public struct PortLimits: Hashable, Sendable {
  /// The most bytes of one message in either direction: 64 MiB. A larger one is not sent, and its
  /// call throws.
  public var messageBytesMax = 64 << 20

  /// The most bytes that wait to be sent, where the other end reads too slowly: 128 MiB.
  public var waitingBytesMax = 128 << 20

  /// The most requests of the other end that wait to be carried out: 1,024, and so many bytes of
  /// them as may wait to be sent. Beyond, nothing is read until some are done.
  public var requestsMax = 1_024

  /// The most calls of this program that wait for replies: 4,096. Beyond, a call throws.
  public var callsMax = 4_096

  /// The most objects of this program to which the other end holds references: 100,000. Beyond,
  /// what would send another one throws.
  public var referencesMax = 100_000

  /// The most objects that one message may refer to: 10,000.
  public var messageReferencesMax = 10_000

  /// The most calls and call-backs within each other: 32. Beyond, a request fails.
  public var depthMax = 32

  /// How long a call waits for its reply unless it says otherwise: 30 seconds.
  public var timeLimit = Duration.seconds(30)

  /// How long the other end's greeting may take: 10 seconds.
  public var greetingLimit = Duration.seconds(10)

  /// How long the other end may take or send nothing in the middle of a message: 30 seconds.
  public var stallLimit = Duration.seconds(30)

  /// After how much silence a sign of life of 16 bytes is sent: 15 seconds; `nil` for never.
  ///
  /// The other end is cut off when nothing comes from it for three times the time that it promised.
  public var keepAlive: Duration? = .seconds(15)

  /// Limits of the objects in messages.
  public var archive = ArchiveLimits()

  /// The limits above.
  public init() {}
}

extension Duration {
  /// Whole milliseconds, rounded up, within a year.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let year: Int64 = 365 * 86_400
    if seconds >= year { return year * 1_000 }
    if seconds < 0 { return 0 }
    return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
