package import PortolanGraphics

/// A layer of features with attributes: it can be selected from, edited, drawn into, exported.
package protocol FeatureHolding: Layer {
  /// The features in order, in blocks.
  var blocks: [FeatureBlock] { get }
  /// The form of the source file around the features.
  var source: CollectionSource { get }
  /// What the source file declares beside the features.
  var declared: DeclaredForm { get }
  /// The names of all attributes in order of first appearance.
  var fieldNames: [String] { get }

  /// A feature by its number, or `nil`; O(blocks).
  func feature(_ id: FeatureID) -> Feature?
  /// The position of a feature.
  func position(of id: FeatureID) -> (block: Int, row: Int)?

  /// Adds a feature at the end and gives it a new number.
  ///
  /// - Parameter isExact: whether its coordinates stay as they are; else they are rounded to the
  ///   decimals of the layer's file.
  mutating func add(
    geometry: Geometry, attributes: [(name: String, value: AttributeValue)], isExact: Bool
  ) -> FeatureID
  /// Adds many features at the end and gives them new numbers.
  ///
  /// - Parameter placed: called with each geometry in turn; returns the one to add.
  /// - Complexity: O(features + the last block).
  mutating func add(
    _ features: [Feature], isExact: Bool, _ placed: (Geometry) throws -> Geometry) rethrows
  /// Removes features; numbers that do not exist are ignored.
  mutating func remove(_ ids: Set<FeatureID>)
  mutating func setGeometry(_ geometry: Geometry, of id: FeatureID) throws
  /// Changes the geometry of many features; numbers that do not exist are ignored.
  mutating func changeGeometries(
    of ids: Set<FeatureID>, _ change: (inout Geometry) throws -> Void) throws
  /// Sets, adds or (with `.missing`) removes an attribute.
  mutating func setAttribute(
    _ name: String, to value: AttributeValue, of ids: Set<FeatureID>) throws
  /// Sets an attribute of each of the given features to a value of its own, called with a block and
  /// the rows of it that are meant; features whose value stays the same are left as they are.
  mutating func setAttribute(
    _ name: String, of ids: Set<FeatureID>,
    by values: (FeatureBlock, _ rows: [Int]) throws -> [AttributeValue]) throws
  /// The same of its features in a choice.
  mutating func setAttribute(
    _ name: String, of choice: FeatureChoice,
    by values: (FeatureBlock, _ rows: [Int]) throws -> [AttributeValue]) throws
  /// Renames an attribute of the given features that have it; it keeps its place among the others.
  mutating func renameAttribute(_ name: String, to newName: String, of ids: Set<FeatureID>) throws
  /// Moves an attribute of all features before another one; to the end if that is `nil`.
  mutating func moveAttribute(
    _ name: String, before other: String?, report: (_ block: Int) throws -> Void) throws
}

/// A layer whose features are notes with a text upon the map.
package protocol NoteHolding: FeatureHolding {
  /// The attribute with the text of a note.
  var textField: String { get }
}

extension FeatureHolding {
  package var declared: DeclaredForm { DeclaredForm() }

  /// Adds a feature with coordinates rounded to the decimals of the layer's file.
  package mutating func add(
    geometry: Geometry, attributes: [(name: String, value: AttributeValue)]
  ) -> FeatureID {
    add(geometry: geometry, attributes: attributes, isExact: false)
  }

  package var parts: [AnyObject] { [style] + blocks.map { $0 as AnyObject } }

  /// - Complexity: O(blocks).
  package func featureIDs(of block: GeometryBlock) -> [FeatureID]? {
    self.block(with: block)?.featureIDs
  }

  /// The block that has a geometry; `nil` if none does.
  ///
  /// - Complexity: O(blocks), about 1 ns each.
  package func block(with geometry: GeometryBlock) -> FeatureBlock? {
    blocks.firstIndex { $0.geometry === geometry }.map { blocks[$0] }
  }
}
