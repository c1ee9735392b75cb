import ArgumentParser
package import PortolanDocuments

/// A coordinate system by its name in a register.
package struct SystemArgument: Hashable, Sendable {
  package var system: CoordinateSystem

  /// Reads `EPSG:25833`, `25833`, `OGC:CRS84`, `ESRI:54030` or a URN of those.
  package static func read(_ argument: String) throws -> SystemArgument {
    let isCode = argument.allSatisfy(\.isNumber) && argument.utf8.count < 8
    let system = CoordinateSystem(named: isCode ? "EPSG:" + argument : argument)
    let isPlain = system.code.utf8.allSatisfy {
      $0 < 0x80 && Character(Unicode.Scalar($0)).isLetter
        || Character(Unicode.Scalar($0)).isNumber || "._-".utf8.contains($0)
    }
    guard !system.authority.isEmpty, !system.code.isEmpty, isPlain else {
      throw ValidationError(
        "“\(argument)” names no coordinate system: give it as EPSG:25833 or OGC:CRS84")
    }
    return SystemArgument(system: system)
  }
}
