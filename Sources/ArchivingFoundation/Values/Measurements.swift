public import Archiving
public import Foundation

extension Cocoa.UnitConverter {
  /// Makes a converter; throws for one that is neither linear nor Foundation's own reciprocal one.
  public init(_ converter: UnitConverter) throws {
    if let linear = converter as? UnitConverterLinear {
      self = .linear(coefficient: linear.coefficient, constant: linear.constant)
    } else if Self.reciprocals.contains(where: { type(of: $0) == type(of: converter) }) {
      self = .reciprocal(converter.baseUnitValue(fromValue: 1))
    } else {
      throw ArchiveError.noCounterpart("a converter of the class \(type(of: converter))")
    }
  }

  /// The converter as Foundation has it.
  ///
  /// Foundation makes a reciprocal one only for its own units: throws for another number.
  public var foundationConverter: UnitConverter {
    get throws {
      switch self {
      case .linear(let coefficient, let constant):
        return UnitConverterLinear(coefficient: coefficient, constant: constant)
      case .reciprocal(let number):
        let known = Self.reciprocals.first { $0.baseUnitValue(fromValue: 1) == number }
        guard let known else {
          throw ArchiveError.noCounterpart("a reciprocal converter of \(number)")
        }
        return known
      }
    }
  }

  /// The reciprocal converters of Foundation's units, whose class is not public.
  private static var reciprocals: [UnitConverter] {
    [UnitFuelEfficiency.milesPerGallon, .milesPerImperialGallon].map(\.converter)
  }
}

extension Cocoa.Unit {
  /// Makes a unit, without the number that Apple's Foundation has for it.
  ///
  /// Throws for a class or a converter of a program's own.
  public init(_ unit: Unit) throws {
    guard let dimension = unit as? FoundationUnit else {
      guard type(of: unit) == Unit.self else {
        throw ArchiveError.noCounterpart("a unit of the class \(type(of: unit))")
      }
      self.init(unit.symbol)
      return
    }
    let converter = try Cocoa.UnitConverter(dimension.converter)
    guard let name = Self.classes.first(where: { $0.type == type(of: dimension) })?.name,
      let made = Cocoa.Unit(
        unit.symbol, className: name, dimension: Dimension(converter: converter))
    else { throw ArchiveError.noCounterpart("a unit of the class \(type(of: unit))") }
    self = made
  }

  /// The unit as Foundation has it; throws for a converter that Foundation does not make.
  public var foundationUnit: Unit {
    get throws {
      guard let dimension else { return Unit(symbol: symbol) }
      guard let type = Self.classes.first(where: { $0.name == className })?.type else {
        throw ArchiveError.noCounterpart("a unit of the class \(className)")
      }
      return type.init(symbol: symbol, converter: try dimension.converter.foundationConverter)
    }
  }

  private typealias FoundationUnit = Foundation.Dimension

  /// Foundation's dimensions by the names that archives have for them.
  private static var classes: [(name: String, type: FoundationUnit.Type)] {
    [
      ("NSDimension", FoundationUnit.self), ("NSUnitAcceleration", UnitAcceleration.self),
      ("NSUnitAngle", UnitAngle.self), ("NSUnitArea", UnitArea.self),
      ("NSUnitConcentrationMass", UnitConcentrationMass.self),
      ("NSUnitDispersion", UnitDispersion.self), ("NSUnitDuration", UnitDuration.self),
      ("NSUnitElectricCharge", UnitElectricCharge.self),
      ("NSUnitElectricCurrent", UnitElectricCurrent.self),
      ("NSUnitElectricPotentialDifference", UnitElectricPotentialDifference.self),
      ("NSUnitElectricResistance", UnitElectricResistance.self),
      ("NSUnitEnergy", UnitEnergy.self), ("NSUnitFrequency", UnitFrequency.self),
      ("NSUnitFuelEfficiency", UnitFuelEfficiency.self),
      ("NSUnitIlluminance", UnitIlluminance.self),
      ("NSUnitInformationStorage", UnitInformationStorage.self),
      ("NSUnitLength", UnitLength.self), ("NSUnitMass", UnitMass.self),
      ("NSUnitPower", UnitPower.self), ("NSUnitPressure", UnitPressure.self),
      ("NSUnitSpeed", UnitSpeed.self), ("NSUnitTemperature", UnitTemperature.self),
      ("NSUnitVolume", UnitVolume.self),
    ]
  }
}

extension Cocoa.Measurement {
  /// Makes a measurement; throws for a unit that archives have no counterpart for.
  public init<UnitType: Unit>(_ measurement: Measurement<UnitType>) throws {
    self.init(measurement.value, try Cocoa.Unit(measurement.unit))
  }
}

extension Measurement: FoundationCoding {
  /// Makes a measurement; throws when the unit is of another class.
  public init(_ archived: Cocoa.Measurement) throws {
    let unit = try archived.unit.foundationUnit
    guard let unit = unit as? UnitType else {
      throw ArchiveError.noCounterpart("\(archived.unit.className) is no \(UnitType.self)")
    }
    self.init(value: archived.value, unit: unit)
  }

  public var archivedValue: Cocoa.Measurement { get throws { try Cocoa.Measurement(self) } }
}
