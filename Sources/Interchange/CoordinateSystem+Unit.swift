package import PortolanDocuments
import PortolanProjections

extension CoordinateSystem {
  /// The length of the coordinates' unit in metres.
  ///
  /// - Throws: `ToolError` if it is not known, or PROJ is wanted and missing.
  package func unitInMetres() throws(ToolError) -> Double {
    guard !authority.isEmpty else {
      throw ToolError(
        .refused,
        "the unit of the coordinates is not known: write the length without one, or say which "
          + "system it is (import --crs, --input-crs)")
    }
    let metres: Double?
    do {
      metres = try SystemUnit.metres(of: name)
    } catch {
      if case .missing = error { throw ToolError(.missing, error.description) }
      throw ToolError(.refused, error.description)
    }
    guard let metres else {
      throw ToolError(.refused, "the unit of \(name) is no length")
    }
    return metres
  }
}
