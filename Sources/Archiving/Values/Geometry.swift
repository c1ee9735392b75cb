import PropertyLists

extension Cocoa {
  /// A place in a plane: Foundation's `NSPoint`.
  ///
  /// Its text is the form that keyed archives have: `{x, y}`.
  public struct Point: Hashable, Sendable, LosslessStringConvertible {
    /// The distance from the origin to the right.
    public var x: Double
    /// The distance from the origin upwards, or downwards in a flipped view.
    public var y: Double

    /// Makes a point.
    public init(x: Double = 0, y: Double = 0) {
      self.x = x
      self.y = y
    }

    /// Reads `{x, y}`; a number that is missing is zero, anything but numbers gives `nil`.
    public init?(_ description: String) {
      guard let numbers = RealNumbers.numbers(in: description, atMost: 2) else { return nil }
      self.init(x: numbers.number(0), y: numbers.number(1))
    }

    public var description: String { "{\(RealText.text(x)), \(RealText.text(y))}" }
  }

  /// A width and a height: Foundation's `NSSize`. Its text is `{width, height}`.
  public struct Size: Hashable, Sendable, LosslessStringConvertible {
    /// The extent to the right.
    public var width: Double
    /// The extent upwards or downwards.
    public var height: Double

    /// Makes a size.
    public init(width: Double = 0, height: Double = 0) {
      self.width = width
      self.height = height
    }

    /// Reads `{width, height}`; a number that is missing is zero, anything but numbers gives `nil`.
    public init?(_ description: String) {
      guard let numbers = RealNumbers.numbers(in: description, atMost: 2) else { return nil }
      self.init(width: numbers.number(0), height: numbers.number(1))
    }

    public var description: String { "{\(RealText.text(width)), \(RealText.text(height))}" }
  }

  /// A rectangle: Foundation's `NSRect`. Its text is `{{x, y}, {width, height}}`.
  public struct Rect: Hashable, Sendable, LosslessStringConvertible {
    /// The corner with the smallest coordinates.
    public var origin: Point
    /// The extent from there.
    public var size: Size

    /// Makes a rectangle from its corner and extent.
    public init(origin: Point = Point(), size: Size = Size()) {
      self.origin = origin
      self.size = size
    }

    /// Makes a rectangle from its numbers.
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// Reads `{{x, y}, {width, height}}`, with or without the inner braces.
    ///
    /// A number that is missing is zero, anything but numbers gives `nil`.
    public init?(_ description: String) {
      guard let numbers = RealNumbers.numbers(in: description, atMost: 4) else { return nil }
      self.init(
        x: numbers.number(0), y: numbers.number(1), width: numbers.number(2),
        height: numbers.number(3))
    }

    public var description: String { "{\(origin), \(size)}" }
  }

  /// A run of places: Foundation's `NSRange`. Its text is `{location, length}`.
  ///
  /// It never wraps: the end is at most `Int.max`.
  public struct Range: Hashable, Sendable, CustomStringConvertible {
    /// The first place.
    public let location: Int
    /// How many places there are.
    public let length: Int

    /// Makes a range; `nil` when a number is negative or the end is beyond `Int.max`.
    ///
    /// Foundation's "not found" is the location `Int.max` with the length zero.
    public init?(location: Int, length: Int) {
      guard location >= 0, length >= 0, !location.addingReportingOverflow(length).overflow else {
        return nil
      }
      self.location = location
      self.length = length
    }

    /// The place after the last one.
    public var end: Int { location + length }

    public var description: String { "{\(location), \(length)}" }
  }

  /// Distances from the four edges of a rectangle: `NSEdgeInsets`.
  public struct EdgeInsets: Hashable, Sendable {
    /// The distance from the top.
    public var top: Double
    /// The distance from the left.
    public var left: Double
    /// The distance from the bottom.
    public var bottom: Double
    /// The distance from the right.
    public var right: Double

    /// Makes edge insets.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
      (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
  }
}

extension [Double] {
  fileprivate func number(_ place: Int) -> Double { place < count ? self[place] : 0 }
}
