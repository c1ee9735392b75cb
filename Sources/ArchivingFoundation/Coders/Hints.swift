public import Archiving
public import Foundation

// Names of Foundation's that have no counterpart here, or another name: the compiler says which.

extension EncodingCoder {
  /// Another name here.
  @available(*, unavailable, message: "use encodeValues(_:ofTypes:)")
  public func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) {}

  /// Another name here.
  @available(*, unavailable, message: "use encodeArray(of:)")
  public func encodeArray(
    ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer
  ) {}

  /// Another name here.
  @available(*, unavailable, renamed: "encodeFoundation(_:forKey:)")
  public func encodePropertyList(_ list: Any) {}

  /// Nothing here: readers always name the classes.
  @available(*, unavailable, message: "readers always name the classes")
  public var requiresSecureCoding: Bool { true }

  /// Nothing here: errors are thrown.
  @available(*, unavailable, message: "throw the error")
  public func failWithError(_ error: any Error) {}
}

extension DecodingCoder {
  /// Nothing here: the reader names the class.
  @available(
    *, unavailable,
    message: "name the class: decodeObject(of:forKey:); decodeAnyValue(forKey:) takes any value"
  )
  public func decodeObject(forKey key: String) -> Any? { nil }

  /// Nothing here: the reader names the class.
  @available(*, unavailable, message: "name the class: decodeObjectIfPresent(_:)")
  public func decodeObject() -> Any? { nil }

  /// Another name here.
  @available(*, unavailable, renamed: "decodeObject(of:forKey:)")
  public func decodeTopLevelObject<Object>(
    of type: Object.Type, forKey key: String
  ) -> Object? { nil }

  /// Nothing here: the reader names the class.
  @available(*, unavailable, message: "name the class: decodeObject(of:forKey:)")
  public func decodeTopLevelObject(forKey key: String) -> Any? { nil }

  /// Another name here.
  @available(*, unavailable, renamed: "decodeInt32(forKey:)")
  public func decodeCInt(forKey key: String) -> Int32 { 0 }

  /// Another name here.
  @available(*, unavailable, message: "use decodeBytes(forKey:) or withDataIfPresent(forKey:_:)")
  public func decodeBytes(
    forKey key: String, returnedLength length: UnsafeMutablePointer<Int>?
  ) -> UnsafePointer<UInt8>? { nil }

  /// Another name here.
  @available(*, unavailable, message: "use decodeBytes()")
  public func decodeBytes(
    withReturnedLength length: UnsafeMutablePointer<Int>
  ) -> UnsafeMutableRawPointer? { nil }

  /// Another name here.
  @available(*, unavailable, message: "use decodeValues(ofTypes:)")
  public func decodeValue(
    ofObjCType type: UnsafePointer<Int8>, at address: UnsafeMutableRawPointer
  ) {}

  /// Another name here.
  @available(*, unavailable, message: "use decodeArray(of:count:)")
  public func decodeArray(
    ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeMutableRawPointer
  ) {}

  /// Nothing here: the reader names the classes in each call.
  @available(*, unavailable, message: "name the classes in each call")
  public var allowedClasses: [AnyClass]? { nil }

  /// Nothing here: readers always name the classes.
  @available(*, unavailable, message: "readers always name the classes")
  public var requiresSecureCoding: Bool { true }

  /// Nothing here: errors are thrown.
  @available(*, unavailable, message: "throw the error, such as invalidValue(_:forKey:)")
  public func failWithError(_ error: any Error) {}

  /// Nothing here: errors are thrown.
  @available(*, unavailable, message: "errors are thrown")
  public var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }

  /// Nothing here: errors are thrown.
  @available(*, unavailable, message: "errors are thrown")
  public var error: (any Error)? { nil }
}

extension KeyedArchiver {
  /// Nothing here: the program writes its files.
  @available(*, unavailable, message: "write archivedData(withRootObject:) to the file")
  public static func archiveRootObject(_ root: Any, toFile path: String) -> Bool { false }

  /// Nothing here: there are no names for the whole program.
  @available(*, unavailable, message: "give one ArchivedClassNames to each archiver's classNames")
  public static func setClassName(_ name: String?, for type: AnyClass) {}
}

extension KeyedUnarchiver {
  /// Another name here.
  @available(*, unavailable, renamed: "unarchivedObject(ofClass:from:)")
  public static func unarchiveObject(with data: Data) -> Any? { nil }

  /// Nothing here: the program reads its files.
  @available(*, unavailable, renamed: "unarchivedObject(ofClass:from:)")
  public static func unarchiveObject(withFile path: String) -> Any? { nil }

  /// Another name here.
  @available(*, unavailable, renamed: "unarchivedObject(ofClass:from:)")
  public static func unarchiveTopLevelObjectWithData(_ data: Data) -> Any? { nil }

  /// Nothing here: there are no names for the whole program.
  @available(*, unavailable, message: "give one ArchivedClassNames to each unarchiver's classNames")
  public static func setClass(_ type: AnyClass?, forClassName name: String) {}
}
