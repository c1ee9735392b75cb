extension Cocoa {
  /// A structure or C value as an object: Foundation's `NSValue`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Value: Coding, FoundationValue {
    /// A point.
    case point(Point)
    /// A size.
    case size(Size)
    /// A rectangle.
    case rect(Rect)
    /// A range.
    case range(Range)
    /// Edge insets.
    case edgeInsets(EdgeInsets)
    /// Any other value, with the type string that describes it.
    case other(type: String, Scalar)
  }
}

extension Cocoa.Value {
  public static var archivedClass: ArchivedClass { "NSValue" }

  var asObject: Cocoa.Object { .value(self) }

  public func encode(with coder: any EncodingCoder) throws {
    guard coder.allowsKeyedCoding else { return try encodeGroups(with: coder) }
    switch self {
    case .point(let point):
      try coder.encodeString(point.description, forKey: "NS.pointval")
      try coder.encodeInt(1, forKey: "NS.special")
    case .size(let size):
      try coder.encodeString(size.description, forKey: "NS.sizeval")
      try coder.encodeInt(2, forKey: "NS.special")
    case .rect(let rect):
      try coder.encodeString(rect.description, forKey: "NS.rectval")
      try coder.encodeInt(3, forKey: "NS.special")
    case .range(let range):
      try coder.encodeObject(Cocoa.Number(range.location), forKey: "NS.rangeval.location")
      try coder.encodeObject(Cocoa.Number(range.length), forKey: "NS.rangeval.length")
      try coder.encodeInt(4, forKey: "NS.special")
    case .edgeInsets(let insets):
      try coder.encodeDouble(insets.top, forKey: "NS.edgeval.top")
      try coder.encodeDouble(insets.left, forKey: "NS.edgeval.left")
      try coder.encodeDouble(insets.bottom, forKey: "NS.edgeval.bottom")
      try coder.encodeDouble(insets.right, forKey: "NS.edgeval.right")
      try coder.encodeInt(12, forKey: "NS.special")
    case .other(let type, let value):
      try coder.encodeString(type)
      try coder.encodeValues([value.typed], ofTypes: type)
    }
  }

  /// The type as a C string, then a group of that type.
  private func encodeGroups(with coder: any EncodingCoder) throws {
    let (type, value) = described
    try coder.encodeCString(type)
    try coder.encodeValues([value.typed], ofTypes: type)
  }

  private static let pointType = "{CGPoint=dd}"
  private static let sizeType = "{CGSize=dd}"
  private static let rectType = "{CGRect={CGPoint=dd}{CGSize=dd}}"
  private static let rangeType = "{_NSRange=QQ}"
  private static let insetsType = "{NSEdgeInsets=dddd}"

  /// The type string of the value, and the value in its terms.
  private var described: (String, Cocoa.Scalar) {
    func reals(_ numbers: [Double]) -> Cocoa.Scalar { .structure(numbers.map { .double($0) }) }
    switch self {
    case .point(let point): return (Self.pointType, reals([point.x, point.y]))
    case .size(let size): return (Self.sizeType, reals([size.width, size.height]))
    case .rect(let rect):
      let parts = [
        reals([rect.origin.x, rect.origin.y]), reals([rect.size.width, rect.size.height]),
      ]
      return (Self.rectType, .structure(parts))
    case .range(let range):
      let numbers: [Cocoa.Scalar] = [
        .integer(Int64(range.location)), .integer(Int64(range.length)),
      ]
      return (Self.rangeType, .structure(numbers))
    case .edgeInsets(let insets):
      return (Self.insetsType, reals([insets.top, insets.left, insets.bottom, insets.right]))
    case .other(let type, let value): return (type, value)
    }
  }

  public init(coder: any DecodingCoder) throws {
    guard coder.allowsKeyedCoding else {
      let type = try coder.decodeCString() ?? ""
      self.init(type: type, try coder.decodeScalar(ofType: type))
      return
    }
    guard let special = try coder.decodeIntIfPresent(forKey: "NS.special") else {
      let type = try coder.decodeString()
      self = .other(type: type, try coder.decodeScalar(ofType: type))
      return
    }
    self = try Self.special(special, from: coder)
  }

  /// The value that a type string and its parts stand for; only our own spelling is understood.
  ///
  /// Others, such as `{_NSPoint=ff}`, keep their type to be written again as they were.
  private init(type: String, _ value: Cocoa.Scalar) {
    self = Cocoa.Value(known: type, value) ?? .other(type: type, value)
  }

  private init?(known type: String, _ value: Cocoa.Scalar) {
    guard case .structure(let parts) = value else { return nil }
    let reals = parts.compactMap(\.real)
    switch type {
    case Self.pointType where reals.count == 2:
      self = .point(Cocoa.Point(x: reals[0], y: reals[1]))
    case Self.sizeType where reals.count == 2:
      self = .size(Cocoa.Size(width: reals[0], height: reals[1]))
    case Self.rangeType:
      let counts = parts.compactMap(\.count)
      guard counts.count == 2, let range = Cocoa.Range(location: counts[0], length: counts[1])
      else { return nil }
      self = .range(range)
    case Self.rectType:
      guard parts.count == 2,
        case .point(let origin) = Cocoa.Value(known: Self.pointType, parts[0]),
        case .size(let size) = Cocoa.Value(known: Self.sizeType, parts[1])
      else { return nil }
      self = .rect(Cocoa.Rect(origin: origin, size: size))
    case Self.insetsType where reals.count == 4:
      self = .edgeInsets(
        Cocoa.EdgeInsets(top: reals[0], left: reals[1], bottom: reals[2], right: reals[3]))
    default: return nil
    }
  }

  private static func special(_ kind: Int, from coder: any DecodingCoder) throws -> Cocoa.Value {
    func geometry<Shape: LosslessStringConvertible>(
      _ type: Shape.Type, _ key: String
    ) throws -> Shape {
      let text = try coder.decodeString(forKey: key)
      guard let shape = Shape(text) else {
        throw coder.invalidValue("\(text.prefix(50)) is not \(type)", forKey: key)
      }
      return shape
    }
    switch kind {
    case 1: return .point(try geometry(Cocoa.Point.self, "NS.pointval"))
    case 2: return .size(try geometry(Cocoa.Size.self, "NS.sizeval"))
    case 3: return .rect(try geometry(Cocoa.Rect.self, "NS.rectval"))
    case 4:
      let location = try coder.decodeInt(forKey: "NS.rangeval.location")
      let length = try coder.decodeInt(forKey: "NS.rangeval.length")
      guard let range = Cocoa.Range(location: location, length: length) else {
        throw coder.invalidValue("a range that wraps", forKey: "NS.rangeval.length")
      }
      return .range(range)
    case 12:
      return .edgeInsets(
        Cocoa.EdgeInsets(
          top: try coder.decodeDouble(forKey: "NS.edgeval.top"),
          left: try coder.decodeDouble(forKey: "NS.edgeval.left"),
          bottom: try coder.decodeDouble(forKey: "NS.edgeval.bottom"),
          right: try coder.decodeDouble(forKey: "NS.edgeval.right")))
    default: throw coder.invalidValue("the kind \(kind) is not known", forKey: "NS.special")
    }
  }
}
