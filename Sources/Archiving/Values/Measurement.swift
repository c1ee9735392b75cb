extension Cocoa {
  /// A number with its unit: Foundation's `NSMeasurement`.
  public struct Measurement: Coding, FoundationValue {
    /// The number.
    public var value: Double
    /// The unit.
    public var unit: Unit

    /// Makes a measurement.
    public init(_ value: Double, _ unit: Unit) {
      self.value = value
      self.unit = unit
    }
  }

  /// A unit of measurement: Foundation's `NSUnit` and its subclasses, such as `NSUnitLength`.
  public struct Unit: Coding, FoundationValue {
    /// The conversion of an `NSDimension` in Foundation.
    public struct Dimension: Hashable, Sendable {
      /// How to convert to the base unit.
      public var converter: UnitConverter
      /// The number that Foundation has for the unit; 0 for units of a program's own.
      public var specifier: Int

      /// Makes a dimension.
      public init(converter: UnitConverter, specifier: Int = 0) {
        self.converter = converter
        self.specifier = specifier
      }
    }

    /// The class, such as `NSUnitLength`.
    public let className: String
    /// The symbol, such as `mi`.
    public let symbol: String
    /// The conversion; none for a plain `NSUnit`.
    public let dimension: Dimension?

    /// Makes a plain unit.
    public init(_ symbol: String) {
      (className, self.symbol, dimension) = ("NSUnit", symbol, nil)
    }

    /// Makes a unit of one of Foundation's dimensions; `nil` when the class is none of them.
    public init?(_ symbol: String, className: String, dimension: Dimension) {
      guard Self.dimensions.contains(className) else { return nil }
      (self.className, self.symbol, self.dimension) = (className, symbol, dimension)
    }

    static let dimensions = [
      "NSDimension", "NSUnitAcceleration", "NSUnitAngle", "NSUnitArea", "NSUnitConcentrationMass",
      "NSUnitDispersion", "NSUnitDuration", "NSUnitElectricCharge", "NSUnitElectricCurrent",
      "NSUnitElectricPotentialDifference", "NSUnitElectricResistance", "NSUnitEnergy",
      "NSUnitFrequency", "NSUnitFuelEfficiency", "NSUnitIlluminance",
      "NSUnitInformationStorage", "NSUnitLength", "NSUnitMass", "NSUnitPower", "NSUnitPressure",
      "NSUnitSpeed", "NSUnitTemperature", "NSUnitVolume",
    ]
  }

  /// How a unit is converted to the base unit of its dimension: `NSUnitConverter`'s subclasses.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum UnitConverter: Coding, FoundationValue {
    /// Times a coefficient, plus a constant.
    case linear(coefficient: Double, constant: Double)
    /// A number divided by the value.
    case reciprocal(Double)
  }
}

extension Cocoa.Measurement {
  public static var archivedClass: ArchivedClass { "NSMeasurement" }

  var asObject: Cocoa.Object { .measurement(self) }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeDouble(value, forKey: "NS.value")
    try coder.encodeObject(unit, forKey: "NS.unit")
  }

  public init(coder: any DecodingCoder) throws {
    value = try coder.decodeDouble(forKey: "NS.value")
    unit = try coder.decodeObject(Cocoa.Unit.self, forKey: "NS.unit")
  }
}

extension Cocoa.Unit {
  public static var archivedClass: ArchivedClass {
    ArchivedClass("NSUnit", formerNames: dimensions)
  }

  var asObject: Cocoa.Object { .unit(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    guard dimension != nil else { return "NSUnit" }
    let top = ArchivedClass("NSDimension", superclass: "NSUnit")
    return className == "NSDimension" ? top : ArchivedClass(className, superclass: top)
  }

  public func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(symbol, forKey: "NS.symbol")
    guard let dimension else { return }
    try coder.encodeObject(dimension.converter, forKey: "NS.converter")
    try coder.encodeInt(dimension.specifier, forKey: "NS.specifier")
  }

  public init(coder: any DecodingCoder) throws {
    className = coder.currentClassName ?? "NSUnit"
    symbol = try coder.decodeString(forKey: "NS.symbol")
    guard className != "NSUnit" else {
      dimension = nil
      return
    }
    let converter = try coder.decodeObject(Cocoa.UnitConverter.self, forKey: "NS.converter")
    let specifier = try coder.decodeIntIfPresent(forKey: "NS.specifier") ?? 0
    dimension = Dimension(converter: converter, specifier: specifier)
  }
}

extension Cocoa.UnitConverter {
  private static let reciprocalName = "NSUnitConverterReciprocal"

  public static var archivedClass: ArchivedClass {
    ArchivedClass(
      "NSUnitConverterLinear", superclass: "NSUnitConverter", formerNames: [reciprocalName])
  }

  var asObject: Cocoa.Object { .unitConverter(self) }

  func archivedClass(isKeyed: Bool) -> ArchivedClass {
    switch self {
    case .linear: ArchivedClass("NSUnitConverterLinear", superclass: "NSUnitConverter")
    case .reciprocal: ArchivedClass(Self.reciprocalName, superclass: "NSUnitConverter")
    }
  }

  public func encode(with coder: any EncodingCoder) throws {
    switch self {
    case .linear(let coefficient, let constant):
      try coder.encodeDouble(coefficient, forKey: "NS.coefficient")
      try coder.encodeDouble(constant, forKey: "NS.constant")
    case .reciprocal(let number): try coder.encodeDouble(number, forKey: "NS.reciprocal")
    }
  }

  public init(coder: any DecodingCoder) throws {
    if coder.isCurrentClass(Self.reciprocalName) {
      self = .reciprocal(try coder.decodeDouble(forKey: "NS.reciprocal"))
    } else {
      let coefficient = try coder.decodeDouble(forKey: "NS.coefficient")
      self = .linear(
        coefficient: coefficient, constant: try coder.decodeDouble(forKey: "NS.constant"))
    }
  }
}
