import PortolanChecking
import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange

/// Closing gaps and overlaps between areas.
extension World {
  /// Repairs the coverage of a text that was checked.
  ///
  /// - Parameter bytes: the text; features that were repaired are written anew, all others keep
  ///   their bytes.
  /// - Returns: the repairs, with their places in the text before.
  func repairCoverage(
    _ bytes: inout [UInt8], _ path: String, _ checked: CheckedText, _ request: CheckRequest,
    _ progress: Progress
  ) throws -> [Finding] {
    let reader = Self.reader(of: path)
    guard let writer = reader as? any Exporter,
      let result = try? reader.read(
        FileSource(bytes, path: path), options: ImportOptions(name: InputName.stem(of: path)),
        progress: { try progress.report($0) }),
      result.layers.count == 1, let layer = result.layers[0] as? any BlockHolding
    else { return [] }
    var document = Document()
    document.layers = result.layers
    document.metadata.take(result.coordinateSystem)
    let system = document.metadata.coordinateSystem
    let repair = try CoverageRepair.repair(
      layer, isGeographic: system.isDegrees, narrowerThan: try request.gap?.value(in: system) ?? 0,
      choice: request.choice
    ) { try progress.report($0) }
    if repair.repairs.isEmpty { return [] }
    var list = FindingList()
    list.findings = repair.repairs
    Self.place(&list.findings, of: document.layers, in: checked)
    bytes.withUnsafeBufferPointer { list.settlePlaces(in: $0) }
    bytes = try writer.rewrite(repair.layer, over: FormerFile(bytes, layer), system: system).bytes
    return list.findings
  }
}

extension Desk {
  /// Closes gaps and overlaps between the areas of each layer of the open document.
  ///
  /// - Parameter gap: the width below which; `nil` for the tolerance alone.
  mutating func repairCoverages(narrowerThan gap: LengthArgument?, choice: CodeChoice) throws {
    let document = document
    let system = document.metadata.coordinateSystem
    let width = try gap?.value(in: system) ?? 0
    let layers = document.layers.compactMap { $0 as? any BlockHolding }
    let vertices = layers.reduce(0) { sum, layer in
      sum + layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
    let message = FoundWord()
    let lines = FoundWord()
    try edit(
      "repair borders", isLong: vertices > 20_000, saying: message.value
    ) { document, progress in
      var repairs: [Finding] = []
      for (number, layer) in layers.enumerated() {
        let repair = try CoverageRepair.repair(
          layer, isGeographic: system.isDegrees, narrowerThan: width, choice: choice
        ) { try progress.report((Double(number) + $0) / Double(layers.count)) }
        if repair.repairs.isEmpty { continue }
        if document.isProtected(layer) { throw EditingError.locked(layer.name) }
        document[layer: layer.id] = repair.layer
        repairs += repair.repairs
      }
      message.set(Self.words(for: repairs))
      lines.set(
        repairs.map { "\($0.path): repaired \($0.code.rawValue): \($0.message)" }
          .joined(separator: "\n"))
    } then: { desk in
      guard desk.isHeadless else { return }
      if !lines.value.isEmpty {
        desk.send(.print(lines.value.split(separator: "\n").map(String.init)))
      }
      desk.send(.warn(message.value))
    }
  }

  private static func words(for repairs: [Finding]) -> String {
    if repairs.isEmpty { return "no gap or overlap is narrow enough: nothing changed" }
    let parts = [
      (FaultCode.gap, "gap", "gaps"), (.overlap, "overlap", "overlaps"),
      (.missingVertex, "vertex", "vertices"),
    ].compactMap { code, one, many -> String? in
      let count = repairs.count { $0.code == code }
      return count > 0 ? CountText.text(count, one, many) : nil
    }
    return "repaired: \(parts.joined(separator: ", "))"
  }
}
