public import Archiving
public import Foundation

extension Cocoa.Number {
  /// Makes a number of the same kind; a decimal number becomes a real one.
  public init(_ number: NSNumber) {
    // Truth values are of a class of their own.
    if type(of: number) == type(of: NSNumber(value: true)) {
      self.init(number.boolValue)
    } else if number is NSDecimalNumber {
      self.init(number.doubleValue)
    } else {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "f"): self.init(number.floatValue)
      case UInt8(ascii: "d"): self.init(number.doubleValue)
      case UInt8(ascii: "Q"), UInt8(ascii: "L"): self.init(number.uint64Value)
      default: self.init(number.int64Value)
      }
    }
  }

  /// The number as Foundation has it, of the same kind.
  public var foundationNumber: NSNumber {
    switch value {
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .unsigned(let value): NSNumber(value: value)
    case .float(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    }
  }
}

extension Cocoa.DecimalNumber {
  /// Makes a decimal number; throws when its digits are too many to be exact.
  public init(_ decimal: Decimal) throws {
    guard !decimal.isNaN else {
      self = .nan
      return
    }
    guard let number = Cocoa.DecimalNumber(decimal.description) else {
      throw ArchiveError.noCounterpart("\(decimal) is not exact as a decimal number")
    }
    self = number
  }
}

extension Decimal: FoundationCoding {
  /// Makes a decimal number; throws when Foundation rounds it.
  public init(_ archived: Cocoa.DecimalNumber) throws {
    guard !archived.isNaN else {
      self = .nan
      return
    }
    let word = Decimal(sign: .plus, exponent: 0, significand: Decimal(1 << 32))
    let high = Decimal(UInt64(truncatingIfNeeded: archived.mantissa >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: archived.mantissa))
    let made = Decimal(
      sign: archived.isNegative ? .minus : .plus, exponent: archived.exponent,
      significand: high * word * word + low)
    guard made.isZero == (archived.mantissa == 0),
      try Cocoa.DecimalNumber(made).description == archived.description
    else {
      throw ArchiveError.noCounterpart("Foundation has no decimal number \(archived)")
    }
    self = made
  }

  public var archivedValue: Cocoa.DecimalNumber { get throws { try Cocoa.DecimalNumber(self) } }
}
