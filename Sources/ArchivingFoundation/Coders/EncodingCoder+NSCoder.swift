public import Archiving
public import Foundation

// The methods of `NSCoder` that the coders do not have under the same name. Each may throw: a class
// that adopted `NSCoding` adds `try`.

extension EncodingCoder {
  /// Encodes an object of a class of Foundation's, such as `NSArray`, or none.
  ///
  /// Collections may hold objects of your own classes, at every depth. Throws when archives have no
  /// counterpart for it; see `Cocoa.Object.init(foundation:)`.
  @_disfavoredOverload
  public func encode(_ object: NSObject?, forKey key: String) throws {
    try encodeFoundation(object, forKey: key)
  }

  /// Encodes an object of a class of Foundation's without a key, or none.
  @_disfavoredOverload
  public func encode(_ object: NSObject?) throws {
    guard let object else { return try encodeObject(Cocoa.Object?.none) }
    try encodeObject(FoundationConverter().coding(object))
  }

  /// Encodes a value or object without a key, or none.
  public func encode<Value: Coding>(_ value: Value?) throws {
    try encodeObject(value)
  }

  /// Encodes any value of Foundation's or of the standard library's, or none: `[Any]`,
  /// `[String: Any]`, `NSObject`; objects of your own classes in collections too.
  ///
  /// Throws when archives have no counterpart for it or for a part.
  public func encodeFoundation(_ value: Any?, forKey key: String) throws {
    try encodeAnyObject(value.map { try FoundationConverter().coding($0) }, forKey: key)
  }

  /// Encodes a property list; any value of Foundation's is one here.
  public func encodePropertyList(_ list: Any, forKey key: String) throws {
    try encodeFoundation(list, forKey: key)
  }

  /// Encodes bytes inside the object itself, or none.
  ///
  /// `bytes` points to as many bytes as `length`; a negative length counts as none.
  public func encodeBytes(
    _ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String
  ) throws {
    let buffer = UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : max(0, length))
    try encodeBytes(bytes == nil ? nil : [UInt8](buffer), forKey: key)
  }

  /// Encodes bytes inside the object itself without a key, or none.
  ///
  /// `bytes` points to as many bytes as `length`; a negative length counts as none.
  public func encodeBytes(_ bytes: UnsafeRawPointer?, length: Int) throws {
    let buffer = UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : max(0, length))
    try encodeBytes(bytes == nil ? nil : [UInt8](buffer))
  }

  /// Encodes a point.
  public func encode(_ point: CGPoint, forKey key: String) throws {
    try encodePoint(Cocoa.Point(point), forKey: key)
  }

  /// Encodes a size.
  public func encode(_ size: CGSize, forKey key: String) throws {
    try encodeSize(Cocoa.Size(size), forKey: key)
  }

  /// Encodes a rectangle.
  public func encode(_ rect: CGRect, forKey key: String) throws {
    try encodeRect(Cocoa.Rect(rect), forKey: key)
  }
}
