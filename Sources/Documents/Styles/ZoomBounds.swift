import Archiving
import PortolanGraphics

/// The magnifications at which a layer is shown: from the least one up to the greatest, without it.
///
/// A magnification of 1 shows the whole world 256 dots wide; at zoom z it is 2^z.
package struct ZoomBounds: Hashable, Sendable {
  /// The first magnification that shows the layer; `nil` without a bound.
  package private(set) var least: Double?
  /// The first greater one that does not; `nil` without a bound.
  package private(set) var greatest: Double?

  /// The valid magnifications of layers, views and bookmarks.
  package static let limits = 0x1p-40...0x1p40

  /// At every magnification.
  package static let all = ZoomBounds()

  private init() {}

  /// Bounds; `nil` if no magnification lies between them, or one is out of range.
  package init?(least: Double?, greatest: Double?) {
    let bounds = [least, greatest].compactMap { $0 }
    guard bounds.allSatisfy(Self.limits.contains),
      bounds.count < 2 || bounds[0] < bounds[1]
    else { return nil }
    (self.least, self.greatest) = (least, greatest)
  }

  package func contains(_ magnification: Double) -> Bool {
    (least.map { magnification >= $0 } ?? true) && (greatest.map { magnification < $0 } ?? true)
  }

  /// The zooms of the bounds.
  package var zooms: (least: Double?, greatest: Double?) {
    (least.map(Mathematics.binaryLogarithm), greatest.map(Mathematics.binaryLogarithm))
  }
}

extension ZoomBounds {
  func encode(with coder: any EncodingCoder) throws {
    if let least { try coder.encodeDouble(least, forKey: "minMagnification") }
    if let greatest { try coder.encodeDouble(greatest, forKey: "maxMagnification") }
  }

  init(coder: any DecodingCoder) throws {
    let least = try coder.decodeDoubleIfPresent(forKey: "minMagnification")
    let greatest = try coder.decodeDoubleIfPresent(forKey: "maxMagnification")
    guard let bounds = ZoomBounds(least: least, greatest: greatest) else {
      throw coder.invalidValue(
        "a layer is shown from a positive magnification up to a greater one",
        forKey: greatest == nil ? "minMagnification" : "maxMagnification")
    }
    self = bounds
  }
}
