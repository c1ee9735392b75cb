import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanInterchange

/// The other side of an operation on two layers: a layer, a file or a box.
enum Operand {
  case box(Box)
  case layer(LayerID)
  case file(String)
}

/// The shapes of the other side, in the system of the document.
struct OperandShapes: Sendable {
  var name: String
  var layers: [any FeatureHolding]

  var vertexCount: Int {
    layers.reduce(0) { sum, layer in
      sum + layer.blocks.reduce(0) { $0 + $1.geometry.vertexCount }
    }
  }
}

extension Desk {
  /// What a word means: four numbers a box, the name of a layer that layer, else a file.
  ///
  /// - Parameter hasBox: whether a box makes sense.
  func operand(_ word: String, hasBox: Bool) throws -> Operand {
    let isBox =
      word.split(separator: ",").count == 4 && word.allSatisfy { "+-.,eE0123456789".contains($0) }
    if hasBox, isBox {
      let box = try BoxArgument.read(word)
      try box.check(in: document)
      return .box(box.box)
    }
    let named = document.layers.filter { $0.name == word || !word.isEmpty && $0.title == word }
    if let layer = named.last, layer is any FeatureHolding { return .layer(layer.id) }
    if !InputName.files(among: [word]).isEmpty { return .file(word) }
    if isHeadless, word.contains(".") { return .file(word) }
    let layer: any Layer
    do {
      layer = try self.layer(named: word)
    } catch let error as EditingError where isHeadless {
      throw EditingError(
        error.code, "\(error.description); the name of a file has an ending or a slash")
    }
    guard layer is any FeatureHolding else {
      throw EditingError(.refused, "“\(layer.name)” holds no features")
    }
    return .layer(layer.id)
  }

  /// Goes on with the shapes of an operand, read first if it is a file.
  mutating func withShapes(
    of operand: Operand, reading: (any FormatOptions)? = nil, needsShapes: Bool = true,
    _ body: @escaping @Sendable (inout Desk, OperandShapes) throws -> Void
  ) throws {
    switch operand {
    case .box(let box):
      try body(&self, box.areas(isGeographic: document.metadata.coordinateSystem.isDegrees))
    case .layer(let id):
      guard let layer = document[layer: id] as? any FeatureHolding else { return }
      try body(&self, OperandShapes(name: layer.name, layers: [layer]))
    case .file(let path):
      try requireNoPendingEdit()
      request(
        OperandRequest(
          path: path, reading: reading, document: needsShapes ? document : nil, then: body))
    }
  }
}

/// Reads the other side of an operation, and goes on with it.
struct OperandRequest: Request {
  var path: String
  var reading: (any FormatOptions)?
  /// The document whose coordinate system is wanted; `nil` where shapes do not matter.
  var document: Document?
  var then: @Sendable (inout Desk, OperandShapes) throws -> Void

  var name: String { "reading \(InputName.shown(path))" }
  var isEdit: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> ImportedData {
    var data = try world.importData(
      path, layerName: nil, progress, reading: reading, isTable: document == nil)
    guard let document else { return data }
    if let target = document.target(of: data) {
      try data.convert(into: target, progress)
    } else {
      do {
        _ = try document.fitSystem(of: data)
      } catch {
        throw Failure(error)
      }
    }
    return data
  }

  func take(_ answer: ImportedData, in desk: inout Desk) throws {
    let layers = answer.layers.compactMap { $0 as? any FeatureHolding }
    if layers.isEmpty {
      throw EditingError(.notFound, "\(answer.path) has no features")
    }
    try then(&desk, OperandShapes(name: InputName.stem(of: path), layers: layers))
  }

  func remarks(on answer: ImportedData, _ desk: Desk) -> [Remark] {
    answer.notices.map {
      Remark(text: "\(answer.path): \($0)", isDetail: !answer.warnings.contains($0))
    }
  }
}

extension Box {
  /// A layer with the box as its only area; in degrees one with W > E reaches across 180.
  func layer(isGeographic: Bool) -> any FeatureHolding {
    var boxes = [self]
    if isGeographic, minX > maxX {
      boxes = [
        Box(minX: minX, minY: minY, maxX: 180, maxY: maxY),
        Box(minX: -180, minY: minY, maxX: maxX, maxY: maxY),
      ]
    }
    var flat = FlatGeometry(boxes.count > 1 ? .multiPolygon : .polygon)
    for (index, box) in boxes.enumerated() {
      flat.append(
        PathRole(kind: flat.kind, beginsMember: index == 0, beginsPolygon: true),
        pairs: [
          box.minX, box.minY, box.maxX, box.minY, box.maxX, box.maxY, box.minX, box.maxY,
          box.minX, box.minY,
        ])
    }
    var builder = ResultBuilder(inPlaceAfter: nil)
    builder.append(attributes: [], flat)
    let empty = LayerKinds.features(LayerID(0), name: "box")
    guard var layer = empty as? any BlockHolding else { return empty }
    layer.blocks = builder.finish().blocks
    return layer
  }
}
