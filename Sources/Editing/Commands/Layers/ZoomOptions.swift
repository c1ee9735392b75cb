import ArgumentParser
import PortolanDocuments
import PortolanGraphics
import PortolanPrinting
import PortolanRendering

/// The zooms at which a layer is shown: `style LAYER --min-zoom 5 --max-zoom 9`.
struct ZoomOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Show the layer from this zoom on; none for no bound.")
  var minZoom: ZoomArgument?

  @Option(
    parsing: .unconditional, help: "Show the layer below this zoom only; none for no bound.")
  var maxZoom: ZoomArgument?

  var isEmpty: Bool { minZoom == nil && maxZoom == nil }

  /// Changes the bounds of a layer of a document.
  ///
  /// - Throws: if no zoom lies between them, or its kind has none.
  func change(_ layer: any Layer, in document: inout Document) throws {
    if isEmpty { return }
    let old = layer.zooms
    let zooms = ZoomBounds(
      least: minZoom.map(\.magnification) ?? old.least,
      greatest: maxZoom.map(\.magnification) ?? old.greatest)
    guard let zooms else {
      throw EditingError(
        .usage,
        "“\(layer.name)” would have no zoom left: --max-zoom is greater than --min-zoom, or none")
    }
    document[layer: layer.id]?.zooms = zooms
    guard document[layer: layer.id]?.zooms == zooms else {
      throw EditingError(.refused, "“\(layer.name)” is of an unknown kind: it has no zooms")
    }
  }

  /// Tells the new bounds of a layer; `nil` if nothing was asked for.
  func word(on layer: any Layer, in desk: Desk) -> String? {
    guard !isEmpty, let layer = desk.document[layer: layer.id] else { return nil }
    let words = Figures.zooms(layer.zooms).map { "shown \($0)" } ?? "shown at all zooms"
    let isShown = layer.zooms.contains(desk.camera.magnification)
    return isShown || desk.isScripted ? words : words + "; hidden at this zoom"
  }
}

/// A zoom from -8 to 24, or `none`.
struct ZoomArgument: ExpressibleByArgument, Hashable, Sendable {
  /// `nil` for none.
  let magnification: Double?

  init?(argument: String) {
    if argument == "none" {
      magnification = nil
      return
    }
    guard let zoom = Double(argument), (-8...24).contains(zoom) else { return nil }
    magnification = Mathematics.power(ofTwo: zoom)
  }

  var defaultValueDescription: String { "none" }
}
