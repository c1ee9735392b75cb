package import Archiving
package import PortolanDocuments
import PortolanGraphics

/// The change of a draft against the draft before; it edits no document.
package struct JournalDraft: Sendable {
  /// The title of the version in the history.
  package var title: String
  /// The time, in seconds since 1970.
  package var time: Double
  /// Whether it is a step of its own; else it is the draft that belongs to the step before it.
  package var isStep: Bool
  /// The draft without its vertices; `nil` where there is no draft any more.
  private var empty: Draft?
  /// How many vertices each part has.
  private var counts: [UInt32]
  /// The number of leading vertices shared with the draft before.
  private var keptCount: Int
  /// x and y of each vertex after those.
  private var coordinates: [Double]

  package init(title: String, time: Double, isStep: Bool, from former: Draft?, to draft: Draft?) {
    self.title = title
    self.time = time
    self.isStep = isStep
    let vertices = Array((draft?.parts ?? []).joined())
    let known = former?.stroke == draft?.stroke ? Array((former?.parts ?? []).joined()) : []
    keptCount = zip(known, vertices).prefix { $0 == $1 }.count
    coordinates = vertices.dropFirst(keptCount).flatMap { [$0.x, $0.y] }
    counts = (draft?.parts ?? []).map { UInt32(clamping: $0.count) }
    empty = draft
    empty?.parts = []
  }

  /// The new draft, made of the former one.
  package func applied(to former: Draft?) throws -> Draft? {
    guard var draft = empty else { return nil }
    let known = (former?.parts ?? []).joined().prefix(keptCount)
    let total = counts.reduce(0) { $0 + Int($1) }
    guard known.count == keptCount, coordinates.count.isMultiple(of: 2),
      total == keptCount + coordinates.count / 2, coordinates.allSatisfy(\.isFinite)
    else { throw JournalError(.damaged, "a draft that goes on with another one") }
    var vertices = known[...].map { $0 }
    for index in stride(from: 0, to: coordinates.count, by: 2) {
      vertices.append(Coordinate(x: coordinates[index], y: coordinates[index + 1]))
    }
    var rest = vertices[...]
    draft.parts = counts.map { count in
      defer { rest = rest.dropFirst(Int(count)) }
      return Array(rest.prefix(Int(count)))
    }
    return draft
  }
}

extension JournalDraft: Coding {
  package static var archivedClass: ArchivedClass { "PortolanJournalDraft" }

  package func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(title, forKey: "title")
    try coder.encodeDouble(time, forKey: "time")
    try coder.encodeBool(isStep, forKey: "isStep")
    try coder.encodeString(empty?.kind.rawValue ?? "", forKey: "kind")
    try coder.encodeInt(empty?.stroke ?? 0, forKey: "stroke")
    let purpose = empty?.purpose
    try coder.encodeInt64(purpose?.numbers.code ?? 0, forKey: "purpose")
    try coder.encodeInt64(purpose?.numbers.layer ?? 0, forKey: "layer")
    try coder.encodeInt64(purpose?.numbers.feature ?? 0, forKey: "feature")
    try coder.encodeInt64(purpose?.numbers.path ?? 0, forKey: "path")
    try coder.encodePacked(counts, forKey: "partCounts")
    try coder.encodeInt(keptCount, forKey: "kept")
    try coder.encodePacked(coordinates, forKey: "coordinates")
  }

  package init(coder: any DecodingCoder) throws {
    title = try coder.decodeString(forKey: "title")
    time = try coder.decodeDouble(forKey: "time")
    isStep = try coder.decodeBool(forKey: "isStep")
    let kind = try coder.decodeString(forKey: "kind")
    let stroke = try coder.decodeInt(forKey: "stroke")
    let code = try coder.decodeInt64(forKey: "purpose")
    let layer = LayerID(UInt64(bitPattern: try coder.decodeInt64(forKey: "layer")))
    let feature = FeatureID(UInt64(bitPattern: try coder.decodeInt64(forKey: "feature")))
    let path = try coder.decodeInt64(forKey: "path")
    counts = try coder.decodePacked(UInt32.self, forKey: "partCounts")
    keptCount = try coder.decodeInt(forKey: "kept")
    coordinates = try coder.decodePacked(Double.self, forKey: "coordinates")
    guard keptCount >= 0 else {
      throw coder.invalidValue("\(keptCount) is no number", forKey: "kept")
    }
    if kind.isEmpty { return }
    guard !counts.isEmpty else {
      throw coder.invalidValue("a draft has a part at least", forKey: "partCounts")
    }
    let reference = FeatureReference(layer: layer, feature: feature)
    let purpose: Draft.Purpose? =
      switch code {
      case 0: .feature(layer)
      case 1: .part(reference)
      case 2: Int(exactly: path).map { .append(reference, path: max(0, $0)) }
      default: nil
      }
    guard let kind = Draft.Kind(rawValue: kind), let purpose else {
      throw coder.invalidValue("no draft is of kind \(kind) \(code)", forKey: "kind")
    }
    var draft = Draft(kind: kind, purpose: purpose)
    draft.parts = []
    draft.stroke = stroke
    empty = draft
  }
}

extension Draft.Purpose {
  /// Its numbers in a record.
  fileprivate var numbers: (code: Int64, layer: Int64, feature: Int64, path: Int64) {
    switch self {
    case .feature(let layer): (0, Int64(bitPattern: layer.rawValue), 0, 0)
    case .part(let feature):
      (1, Int64(bitPattern: feature.layer.rawValue), Int64(bitPattern: feature.feature.rawValue), 0)
    case .append(let feature, let path):
      (
        2, Int64(bitPattern: feature.layer.rawValue),
        Int64(bitPattern: feature.feature.rawValue), Int64(path)
      )
    }
  }
}
