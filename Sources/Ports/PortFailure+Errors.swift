public import Archiving

/// An error that says itself how it is told to another program.
public protocol PortFailing: Error {
  /// The error for the other program.
  var portFailure: PortFailure { get }
}

extension PortFailure {
  /// The name of the failure of a method that is not listed.
  public static let noMethod = "NoMethod"

  /// The most bytes of a reason that are told.
  static let reasonMax = 4_096

  /// Tells of any error: by its own wish, an archive error with its code and place, a failure of a
  /// third program as it came, others by their description.
  public init(_ error: any Error) {
    switch error {
    case let failing as any PortFailing: self = failing.portFailure
    case let failure as PortFailure: self = failure
    case let error as ArchiveError:
      self.init(
        name: "ArchiveError", reason: error.reason,
        details: ["code": "\(error.code)", "path": error.path])
    case let error as PortError:
      self.init(name: "PortError", reason: error.reason, details: ["code": error.code.rawValue])
    case is CancellationError:
      self.init(name: "Cancelled", reason: "the call was cancelled")
    default: self.init(name: "\(type(of: error))", reason: "\(error)")
    }
    reason = String(decoding: reason.utf8.prefix(Self.reasonMax), as: UTF8.self)
  }

  static func noMethod(_ method: String, of type: Any.Type) -> PortFailure {
    PortFailure(
      name: noMethod, reason: "\(type) vends no such method", details: ["method": method])
  }

  /// The place in the graph of the arguments, such as `$top.$0.layers[3]`; empty where unknown.
  public var path: String { details["path"] ?? "" }

  /// The kind of failure within those of its name; empty where there is none.
  public var code: String { details["code"] ?? "" }
}
