public import Archiving
public import Foundation

extension Cocoa.Point {
  /// Makes a point.
  public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}

extension Cocoa.Size {
  /// Makes a size.
  public init(_ size: CGSize) {
    self.init(width: Double(size.width), height: Double(size.height))
  }
}

extension Cocoa.Rect {
  /// Makes a rectangle.
  public init(_ rect: CGRect) {
    self.init(origin: Cocoa.Point(rect.origin), size: Cocoa.Size(rect.size))
  }
}

extension Cocoa.EdgeInsets {
  /// Makes edge insets.
  public init(_ insets: NSEdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom),
      right: Double(insets.right))
  }
}

extension CGPoint {
  /// Makes a point.
  public init(_ archived: Cocoa.Point) { self.init(x: archived.x, y: archived.y) }
}

extension CGSize {
  /// Makes a size.
  public init(_ archived: Cocoa.Size) {
    self.init(width: archived.width, height: archived.height)
  }
}

extension CGRect {
  /// Makes a rectangle.
  public init(_ archived: Cocoa.Rect) {
    self.init(origin: CGPoint(archived.origin), size: CGSize(archived.size))
  }
}

extension NSEdgeInsets {
  /// Makes edge insets.
  public init(_ archived: Cocoa.EdgeInsets) {
    self.init(
      top: CGFloat(archived.top), left: CGFloat(archived.left), bottom: CGFloat(archived.bottom),
      right: CGFloat(archived.right))
  }
}

extension Cocoa.AffineTransform {
  /// Makes a transformation of 32-bit real numbers, as in archives.
  public init(_ transform: AffineTransform) throws {
    let numbers = [
      transform.m11, transform.m12, transform.m21, transform.m22, transform.tX, transform.tY,
    ]
    guard let made = Cocoa.AffineTransform(numbers.map { Float($0) }) else {
      throw ArchiveError.noCounterpart("a transformation without six numbers")
    }
    self = made
  }
}

extension AffineTransform: FoundationCoding {
  /// Makes a transformation.
  public init(_ archived: Cocoa.AffineTransform) throws {
    let numbers = archived.numbers.map { CGFloat($0) }
    guard numbers.count == 6 else {
      throw ArchiveError.noCounterpart("a transformation without six numbers")
    }
    self.init(
      m11: numbers[0], m12: numbers[1], m21: numbers[2], m22: numbers[3], tX: numbers[4],
      tY: numbers[5])
  }

  public var archivedValue: Cocoa.AffineTransform {
    get throws { try Cocoa.AffineTransform(self) }
  }
}

extension Cocoa.Value {
  /// Makes a value of the same structure; throws for a structure that archives do not know.
  public init(_ value: NSValue) throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: value, requiringSecureCoding: false)
    self = try KeyedUnarchiver.unarchive(Cocoa.Value.self, from: [UInt8](data))
  }

  /// The value as Foundation has it; throws for one that is no point, size, rectangle, range or
  /// edge insets.
  public var foundationValue: NSValue {
    get throws {
      switch self {
      case .point(let point): return NSValue(point: CGPoint(point))
      case .size(let size): return NSValue(size: CGSize(size))
      case .rect(let rect): return NSValue(rect: CGRect(rect))
      case .range(let range): return NSValue(range: NSRange(range))
      case .edgeInsets(let insets): return NSValue(edgeInsets: NSEdgeInsets(insets))
      case .other(let type, _):
        throw ArchiveError.noCounterpart("a value of the type \(type.prefix(100))")
      }
    }
  }
}
