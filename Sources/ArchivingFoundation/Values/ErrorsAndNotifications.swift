public import Archiving
public import Foundation

extension Cocoa.Error {
  /// Makes an error; throws when archives have no counterpart for a value of its user info.
  public init(_ error: any Swift.Error) throws {
    try self.init(error, FoundationConverter())
  }

  init(_ error: any Swift.Error, _ converter: FoundationConverter) throws {
    let error = error as NSError
    let info = try converter.dictionary(error.userInfo)
    self.init(
      domain: error.domain, code: error.code, userInfo: info.pairs.isEmpty ? nil : info)
  }

  /// The error as Foundation has it; throws when Foundation has no counterpart for its user info.
  public var foundationError: NSError {
    get throws { try foundationError(FoundationConverter()) }
  }

  func foundationError(_ converter: FoundationConverter) throws -> NSError {
    var info: [String: Any] = [:]
    for pair in userInfo?.pairs ?? [] {
      guard let key = pair.key.text else {
        throw ArchiveError.noCounterpart("a key of an error's user info that is no string")
      }
      info[key] = try converter.foundation(pair.value)
    }
    return NSError(domain: domain, code: code, userInfo: info)
  }
}

extension Cocoa.Notification {
  /// Makes a notification; throws when archives have no counterpart for its object or user info.
  public init(_ notification: NSNotification) throws {
    try self.init(notification, FoundationConverter())
  }

  init(_ notification: NSNotification, _ converter: FoundationConverter) throws {
    self.init(
      notification.name.rawValue, object: try notification.object.map { try converter.object($0) },
      userInfo: try notification.userInfo.map { try converter.dictionary($0) })
  }

  /// The notification as Foundation has it; throws when Foundation has no counterpart for a part.
  public var foundationNotification: NSNotification {
    get throws { try foundationNotification(FoundationConverter()) }
  }

  func foundationNotification(_ converter: FoundationConverter) throws -> NSNotification {
    var info: [AnyHashable: Any]?
    if let userInfo {
      info = [:]
      for pair in userInfo.pairs {
        info?[AnyHashable(try converter.foundation(pair.key))] = try converter.foundation(
          pair.value)
      }
    }
    return NSNotification(
      name: NSNotification.Name(name), object: try object.map { try converter.foundation($0) },
      userInfo: info)
  }
}

extension Cocoa.DecimalNumberHandler {
  /// Makes a handler.
  public init(_ handler: NSDecimalNumberHandler) throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: handler, requiringSecureCoding: false)
    var made = try KeyedUnarchiver.unarchive(
      Cocoa.DecimalNumberHandler.self, from: [UInt8](data))
    // The usual settings are not written.
    made.scale = Int(handler.scale())
    made.roundingMode = Int(truncatingIfNeeded: handler.roundingMode().rawValue)
    self = made
  }

  /// The handler as Foundation has it; throws for a way to round that Foundation does not know.
  public var foundationHandler: NSDecimalNumberHandler {
    get throws {
      guard let bits = UInt(exactly: roundingMode),
        let mode = NSDecimalNumber.RoundingMode(rawValue: bits), let scale = Int16(exactly: scale)
      else {
        throw ArchiveError.noCounterpart("rounding in the way \(roundingMode) to \(scale) digits")
      }
      return NSDecimalNumberHandler(
        roundingMode: mode, scale: scale, raiseOnExactness: raised.contains(.exactness),
        raiseOnOverflow: raised.contains(.overflow), raiseOnUnderflow: raised.contains(.underflow),
        raiseOnDivideByZero: raised.contains(.divideByZero))
    }
  }
}
