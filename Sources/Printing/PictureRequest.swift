package import PortolanDocuments
package import PortolanRendering
package import PortolanTerminals

/// A picture of a map in some format.
package struct PictureRequest: Sendable {
  package var format: any PictureFormat
  package var document: Document
  /// The camera of the map, of the size of the picture without its legend.
  package var camera: Camera
  /// The size of the whole picture.
  package var size: PictureSize
  package var glyphs: GlyphSet
  package var colour: ColourChoice
  package var hasLabels: Bool
  package var parts: PictureParts
  /// The ground; by default light for drawings and dark for text.
  package var paper: Ground?
  /// Whether the ground of the map is the sea; `nil` for what the data says.
  package var sea: Bool?
  /// Whether a base map stands behind the data.
  package var hasBase: Bool
  /// Takes a remark on the picture for the user.
  package var remark: @Sendable (String) -> Void = { _ in }

  package init(
    format: any PictureFormat, document: Document, camera: Camera, size: PictureSize,
    glyphs: GlyphSet, colour: ColourChoice, hasLabels: Bool, parts: PictureParts,
    paper: Ground? = nil, sea: Bool? = nil, hasBase: Bool = false
  ) {
    (self.format, self.document, self.camera, self.size) = (format, document, camera, size)
    (self.glyphs, self.colour, self.hasLabels, self.parts) = (glyphs, colour, hasLabels, parts)
    (self.paper, self.sea, self.hasBase) = (paper, sea, hasBase)
  }
}
