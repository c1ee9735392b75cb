import PortolanDocuments
import PortolanGraphics

/// Cuts what is read or written along areas.
extension World {
  /// The layers with what of their features lies in the areas; what is left out is told.
  ///
  /// - Parameters:
  ///   - document: the document that they are of.
  ///   - subject: the file that is read or written, for messages.
  /// - Throws: `Failure`.
  func cut(
    _ layers: [any Layer], of document: Document, along areas: OperandShapes, _ subject: String,
    _ progress: Progress
  ) throws(Failure) -> [any Layer] {
    var part = document
    part.layers = layers
    let work = GeometryWork(part, progress)
    let holding = layers.filter { $0 is any BlockHolding }
    let chosen = ChosenFeatures(parts: holding.map { ChosenFeatures.Part(layer: $0.id) })
    do {
      _ = try work.naming(areas.name) {
        try LayerOperation.clip(by: areas).apply(to: &part, chosen, .file, work)
      }
    } catch {
      throw Failure(error)
    }
    if let words = work.notes.words { addChore { "\(subject): --clip: \(words)" } }
    return part.layers
  }
}

/// Cuts layers of the document along areas, and goes on with them.
struct CutRequest: Request {
  var document: Document
  var layers: [LayerID]
  var areas: OperandShapes
  var then: @Sendable (inout Desk, Document) throws -> Void

  var name: String { "cutting along \(areas.name)" }
  var isEdit: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> Document {
    var document = document
    let cut = try world.cut(
      document.layers.filter { layers.contains($0.id) }, of: document, along: areas,
      document.metadata.title, progress)
    for layer in cut {
      guard let index = document.layers.firstIndex(where: { $0.id == layer.id }) else { continue }
      document.layers[index] = layer
    }
    return document
  }

  func take(_ answer: Document, in desk: inout Desk) throws { try then(&desk, answer) }
}

extension Box {
  /// The box as areas that features are cut along; in degrees one with W > E reaches across 180.
  func areas(isGeographic: Bool) -> OperandShapes {
    OperandShapes(name: "the box", layers: [layer(isGeographic: isGeographic)])
  }
}
