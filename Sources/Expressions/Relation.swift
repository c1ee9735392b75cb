/// How a feature lies to others: `within(countries)`, `distance(towns).name`.
package struct Relation: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// All of the feature is in an area, edges included.
    case within
    /// The feature has a point in common with another one.
    case intersects
    /// The way to the nearest one.
    case distance
  }

  package enum Place: Hashable, Sendable {
    /// The features of a layer.
    case layer(String)
    /// A feature by its name, or a position in words.
    case named(String)
  }

  /// What is asked of the other feature, instead of the relation itself.
  package enum Member: Hashable, Sendable {
    case attribute(String)
    case quality(Quality)
  }

  package var kind: Kind
  package var place: Place
  package var member: Member?
}

/// The places that the features of a layer can be related to.
package protocol Surroundings: Sendable {
  /// The types of a relation's values.
  func types(of relation: Relation) throws(RelationFault) -> ValueTypes
  /// The layers whose features have an attribute.
  func layers(with attribute: String) -> [String]
}

/// Why a relation has no values.
package struct RelationFault: Error, Hashable, Sendable {
  package var message: String

  package init(_ message: String) { self.message = message }
}
