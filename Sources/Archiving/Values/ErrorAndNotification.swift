extension Cocoa {
  /// A fault with a number within a domain: Foundation's `NSError`.
  public struct Error: Coding, FoundationValue {
    /// The domain, such as `NSCocoaErrorDomain`.
    public var domain: String
    /// The number of the fault within the domain.
    public var code: Int
    /// More about it.
    public var userInfo: Dictionary?

    /// Makes an error.
    public init(domain: String, code: Int, userInfo: Dictionary? = nil) {
      self.domain = domain
      self.code = code
      self.userInfo = userInfo
    }
  }

  /// News with a name: Foundation's `NSNotification`.
  public struct Notification: Coding, FoundationValue {
    /// The name.
    public var name: String
    /// Its subject.
    public var object: Object?
    /// More about it.
    public var userInfo: Dictionary?

    /// Makes a notification.
    public init(_ name: String, object: Object? = nil, userInfo: Dictionary? = nil) {
      self.name = name
      self.object = object
      self.userInfo = userInfo
    }
  }

  /// How objects are sorted: Foundation's `NSSortDescriptor`. Nothing is ever called by it.
  public struct SortDescriptor: Coding, FoundationValue {
    /// The path of keys to the compared values; the objects themselves when there is none.
    public var key: String?
    /// Whether small comes first.
    public var isAscending: Bool
    /// The name of the method that compares, such as `compare:`.
    public var selector: String?

    /// Makes a sort descriptor.
    public init(key: String?, isAscending: Bool = true, selector: String? = "compare:") {
      self.key = key
      self.isAscending = isAscending
      self.selector = selector
    }
  }
}

extension Cocoa.Error {
  public static var archivedClass: ArchivedClass { "NSError" }

  var asObject: Cocoa.Object { .error(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(domain, forKey: "NSDomain")
    try coder.encodeInt(code, forKey: "NSCode")
    try coder.encodeObject(userInfo, forKey: "NSUserInfo")
  }

  public init(coder: any DecodingCoder) throws {
    domain = try coder.decodeString(forKey: "NSDomain")
    code = try coder.decodeInt(forKey: "NSCode")
    userInfo = try coder.decodeObjectIfPresent(Cocoa.Dictionary.self, forKey: "NSUserInfo")
  }
}

extension Cocoa.Notification {
  public static var archivedClass: ArchivedClass { "NSNotification" }

  // The stored property of that name is the subject of the notification.
  var asObject: Cocoa.Object { .notification(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name, forKey: "NS.name")
    try coder.encodeObject(object, forKey: "NS.object")
    try coder.encodeObject(userInfo, forKey: "NS.userinfo")
  }

  public init(coder: any DecodingCoder) throws {
    name = try coder.decodeString(forKey: "NS.name")
    object = try coder.decodeAnyValueIfPresent(forKey: "NS.object")
    userInfo = try coder.decodeObjectIfPresent(Cocoa.Dictionary.self, forKey: "NS.userinfo")
  }
}

extension Cocoa.SortDescriptor {
  public static var archivedClass: ArchivedClass { "NSSortDescriptor" }

  var asObject: Cocoa.Object { .sortDescriptor(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(key, forKey: "NSKey")
    try coder.encodeBool(isAscending, forKey: "NSAscending")
    try coder.encodeString(selector, forKey: "NSSelector")
  }

  public init(coder: any DecodingCoder) throws {
    key = try coder.decodeStringIfPresent(forKey: "NSKey")
    isAscending = try coder.decodeBoolIfPresent(forKey: "NSAscending") ?? false
    selector = try coder.decodeStringIfPresent(forKey: "NSSelector")
  }
}
