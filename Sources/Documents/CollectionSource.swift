/// The form of a layer's source file around its features, so that an export reproduces the file.
package struct CollectionSource: Hashable, Sendable {
  /// The kind of value at the root of the file.
  package enum Root: String, Hashable, Sendable, CaseIterable {
    case featureCollection = "FeatureCollection"
    /// A single feature.
    case feature = "Feature"
    /// A bare GeometryCollection: each of its geometries became a feature.
    case geometryCollection = "GeometryCollection"
    /// Another bare geometry.
    case geometry = "Geometry"
    /// One value a line (newline-delimited GeoJSON).
    case lines = "lines"
    /// RFC 8142: each value after a record separator.
    case sequence = "sequence"

    /// Whether a file of this kind can have the white space around features of one of another kind:
    /// not if one of both is a stream of texts.
    package func keepsForm(of other: Root) -> Bool {
      let streams: [Root] = [.lines, .sequence]
      return self == other || !streams.contains(self) && !streams.contains(other)
    }
  }

  /// A member of the root object.
  package struct Member: Hashable, Sendable {
    package var name: String
    /// The value as JSON text; empty for the member that holds the features.
    package var json: String

    package init(name: String, json: String) {
      self.name = name
      self.json = json
    }
  }

  package var root: Root
  /// The members of the root object in order, `type` and the features among them.
  package var members: [Member]
  /// The white space of the file, if it is regular, in the notation of the format that read it.
  package var whitespace: String
  /// The most decimals that a coordinate has in the file; new coordinates get as many.
  package var decimals: Int

  package init(root: Root, members: [Member], whitespace: String = "", decimals: Int = 6) {
    self.root = root
    self.members = members
    self.whitespace = whitespace
    self.decimals = decimals
  }

  /// The form of layers made in the editor.
  package static let plain = CollectionSource(
    root: .featureCollection,
    members: [
      Member(name: "type", json: "\"FeatureCollection\""), Member(name: "features", json: ""),
    ]
  )
}
