package import PortolanDocuments
import PortolanGraphics

/// What a format holds of features beyond texts, numbers and positions of two numbers.
package struct FormatLimits: Hashable, Sendable {
  /// Which vertices may lack a height.
  package enum Heights: Hashable, Sendable {
    /// Any, or the writer itself tells the losses.
    case eachVertex
    /// All of a feature have one, or none has.
    case eachFeature
    /// All of a layer have one, or none has.
    case eachLayer
  }

  package var heights = Heights.eachFeature
  /// Whether positions may have more than three numbers.
  package var holdsFurtherNumbers = false
  /// Whether features have members beside their attributes.
  package var holdsMembers = false
  /// Whether it holds texts that are not valid Unicode.
  package var holdsLoneSurrogates = false
  /// Whether a shape may be of a kind and without a position.
  package var holdsEmptyShapes = true
  /// Whether a layer without features has a place in a file, beside others with features.
  package var holdsEmptyLayers = false
  /// Whether its files name the coordinate system.
  package var holdsSystem = false
  /// Whether lists and objects stay what they are, or the writer itself tells that they do not.
  package var holdsLists = true

  /// The limits of GeoJSON.
  static let none = FormatLimits(
    heights: .eachVertex, holdsFurtherNumbers: true, holdsMembers: true, holdsLoneSurrogates: true,
    holdsSystem: true)

  package init(
    heights: Heights = .eachFeature, holdsFurtherNumbers: Bool = false, holdsMembers: Bool = false,
    holdsLoneSurrogates: Bool = false, holdsEmptyShapes: Bool = true,
    holdsEmptyLayers: Bool = false, holdsSystem: Bool = false, holdsLists: Bool = true
  ) {
    self.heights = heights
    self.holdsFurtherNumbers = holdsFurtherNumbers
    self.holdsMembers = holdsMembers
    self.holdsLoneSurrogates = holdsLoneSurrogates
    self.holdsEmptyShapes = holdsEmptyShapes
    self.holdsEmptyLayers = holdsEmptyLayers
    self.holdsSystem = holdsSystem
    self.holdsLists = holdsLists
  }

  /// The limits of what is written with options.
  ///
  /// Rounded texts of shapes keep all of their numbers; under the rules of RFC 7946 shapes are
  /// written anew, with three.
  package func under(_ options: ExportOptions) -> FormatLimits {
    var limits = self
    if options.conformance == .rfc7946 { limits.holdsFurtherNumbers = false }
    return limits
  }
}

/// What a format does not hold of the features that are written, counted before they are.
package struct FormatLosses {
  private let limits: FormatLimits
  /// The name of the format.
  private let name: String
  private var lowVertices = 0
  private var longPositions = 0
  private var emptyShapes = 0
  /// The names of the layers of which no feature is written, and how many have others.
  private var emptyLayers: [String] = []
  private var filledLayers = 0
  private var loneSurrogates = 0
  /// Lists and objects among the values.
  private var lists = 0
  /// Conflicts of a merge that nobody has decided.
  private var conflicts = 0

  package init(_ limits: FormatLimits, _ name: String) {
    (self.limits, self.name) = (limits, name)
  }

  /// Counts the rows of a layer.
  package mutating func add(_ layer: any FeatureHolding, _ options: ExportOptions) {
    if options.isEmpty(layer) { emptyLayers.append(layer.name) } else { filledLayers += 1 }
    let hasHeights =
      limits.heights == .eachLayer
      && layer.blocks.contains { block in block.geometry.elevations.contains { !$0.isNaN } }
    for block in layer.blocks {
      add(block, rows: options.rows(of: block, in: layer), inHeights: hasHeights)
    }
    if !limits.holdsMembers, layer.source.members.contains(where: { $0.name == Conflict.member }) {
      conflicts += 1
    }
  }

  /// Counts rows of a block.
  ///
  /// - Parameter inHeights: whether heights of other features give these one.
  package mutating func add(_ block: FeatureBlock, rows: [Int], inHeights: Bool = false) {
    addHeights(block.geometry, rows, inHeights)
    if !limits.holdsFurtherNumbers, let texts = block.sourceGeometries {
      longPositions += rows.count { row in
        texts.kind(row) != .missing && Self.hasLongPosition(texts.bytes[texts.textRange(row)])
      }
    }
    if !limits.holdsEmptyShapes {
      emptyShapes += rows.count { row in
        block.geometry.kinds[row] != .none && block.geometry.boxes[row].isEmpty
      }
    }
    if !limits.holdsMembers {
      let column = block.foreignMembers.first { $0.name == Conflict.member }
      if let column { conflicts += rows.count { column.kind($0) != .missing } }
    }
    if limits.holdsLoneSurrogates && limits.holdsLists { return }
    for column in block.attributes {
      for row in rows where column.kind(row) == .json {
        let isText = column.bytes[column.textRange(row)].first == UInt8(ascii: "\"")
        if isText, !limits.holdsLoneSurrogates { loneSurrogates += 1 }
        if !isText, !limits.holdsLists { lists += 1 }
      }
    }
  }

  private mutating func addHeights(_ geometry: GeometryBlock, _ rows: [Int], _ inHeights: Bool) {
    if limits.heights == .eachVertex || geometry.elevations.isEmpty && !inHeights { return }
    for row in rows {
      let vertices = geometry.paths(ofFeature: row).lazy.flatMap { geometry.vertices(ofPath: $0) }
      if geometry.elevations.isEmpty {
        lowVertices += geometry.vertexCount(ofFeature: row)
        continue
      }
      let low = vertices.count { geometry.elevations[$0].isNaN }
      if inHeights || low < geometry.vertexCount(ofFeature: row) { lowVertices += low }
    }
  }

  /// Whether a position in the text of a geometry has more than three numbers.
  private static func hasLongPosition(_ text: ArraySlice<UInt8>) -> Bool {
    var commas = 0
    // Only the member `coordinates` holds positions.
    var isPosition = text.first == UInt8(ascii: "[")
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "]"): commas = 0
      case UInt8(ascii: ","):
        commas += 1
        if isPosition, commas > 2 { return true }
      case UInt8(ascii: "\""):
        let end = rest.firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
        isPosition = rest[..<end].elementsEqual("coordinates".utf8)
        rest = rest[end...].dropFirst()
        commas = 0
      default: break
      }
    }
    return false
  }

  /// One line for people each.
  package var notes: [String] {
    var notes: [String] = []
    func note(_ count: Int, _ one: String, _ many: String, _ rest: String) {
      if count > 0 { notes.append(CountText.text(count, one, many) + rest) }
    }
    note(
      conflicts, "conflict of a merge is", "conflicts of a merge are",
      " not in it, since \(name) has no place for them: the features are as ours has them")
    // Of empty layers alone the first one is the file.
    let lost = limits.holdsEmptyLayers ? [] : emptyLayers.dropFirst(filledLayers == 0 ? 1 : 0)
    let more = lost.count > 5 ? " and \(lost.count - 5) more" : ""
    note(
      lost.count, "layer has", "layers have",
      " no feature to write: \(name) holds no empty layer beside others "
        + "(\(lost.prefix(5).joined(separator: ", "))\(more))")
    note(
      lowVertices, "vertex has", "vertices have",
      " no height beside others that have one: written as 0")
    note(
      longPositions, "shape has", "shapes have",
      " more than 3 numbers a position: \(name) has no place for those beyond")
    note(
      emptyShapes, "shape has", "shapes have", " no position: \(name) holds no empty shape")
    note(
      loneSurrogates, "text is", "texts are",
      " not valid Unicode (lone surrogate): \(name) gets its JSON, in quotes")
    note(
      lists, "list or object becomes", "lists and objects become",
      " text: \(name) has no place for them")
    return notes
  }
}
