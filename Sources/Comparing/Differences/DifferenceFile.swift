import PortolanDocuments
import PortolanFiles
import PortolanGraphics
import PortolanTerminals
import PortolanTexts

/// A difference as one JSON text, which also makes the new file from the old one.
///
///     {"format":"portolan-diff","version":1,
///      "old":{"name":"a.geojson","bytes":812,"sha256":"…"},"new":{…},
///      "summary":{"changed":1,"added":0,"removed":0,"moved":0,"same":176},
///      "notes":[],
///      "layers":[{"name":"a","notes":[],"moved":0,"features":[
///       {"change":"changed","old":12,"new":12,"id":"FRA",
///        "attributes":[{"name":"pop","old":1,"new":2}],
///        "geometry":{"moved":[{"path":0,"vertex":3,"from":[2,8],"to":[2,9],"distance":9}]}}]}],
///      "patch":[{"at":120,"remove":1,"insert":"2"}]}
///
/// Numbers of features are from 1, of paths and vertices from 0. Distances are in metres, or in the
/// units of planar coordinates. A value that a version does not have is left out.
package struct DifferenceFile {
  static let format = "portolan-diff"

  /// A compared file: its name and its bytes.
  package struct Side {
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    fileprivate var json: String {
      SafeJSON.object([
        ("name", SafeJSON.string(name)), ("bytes", String(bytes.count)),
        ("sha256", SafeJSON.string(DifferenceFile.digest(bytes))),
      ])
    }
  }

  static func digest(_ bytes: [UInt8]) -> String {
    SHA256.digest(of: bytes).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }

  /// The text, in pieces.
  ///
  /// - Parameter patch: whether the exchanges of bytes are part of it.
  package static func write(
    _ difference: MapDifference, from old: Side, to new: Side, patch: Bool,
    send: ([UInt8]) throws -> Void
  ) rethrows {
    let counts = [MapDifference.Change.changed, .added, .removed].map {
      ($0.rawValue, String(difference.count($0)))
    }
    let summary = SafeJSON.object(
      (counts + [
        ("moved", String(difference.movedCount)), ("same", String(difference.sameCount)),
      ]).map { (name: $0.0, value: $0.1) })
    let head =
      "{\"format\":\"\(format)\",\"version\":1,\n\"old\":\(old.json),\n\"new\":\(new.json),\n"
      + "\"summary\":\(summary),\n\"notes\":\(list(difference.notes)),\n\"layers\":["
    try send(Array(head.utf8))
    var isFirst = true
    for layer in difference.layers where !layer.isEmpty {
      var text = isFirst ? "" : ",\n"
      isFirst = false
      text += "{\"name\":\(SafeJSON.string(layer.name)),\"notes\":\(list(layer.notes)),"
      text += "\"moved\":\(layer.movedCount),\"features\":["
      for (index, feature) in layer.features.enumerated() {
        text += (index == 0 ? "\n" : ",\n") + json(feature)
        if text.utf8.count > 1 << 16 {
          try send(Array(text.utf8))
          text = ""
        }
      }
      try send(Array((text + "]}").utf8))
    }
    try send(Array("]".utf8))
    if patch {
      let exchanges = TextPatch(from: old.bytes, to: new.bytes)
      try send(Array(",\n\"patch\":\(exchanges.json)".utf8))
    }
    try send(Array("}\n".utf8))
  }

  private static func list(_ texts: [String]) -> String {
    SafeJSON.array(texts.map { SafeJSON.string($0) })
  }

  private static func json(_ feature: MapDifference.FeatureChange) -> String {
    var members: [(name: String, value: String)] = [
      ("change", SafeJSON.string(feature.change.rawValue))
    ]
    if let old = feature.old { members.append(("old", String(old.number))) }
    if let new = feature.new { members.append(("new", String(new.number))) }
    let row = feature.new ?? feature.old
    if let id = row?.identifier, id.kind != .missing { members.append(("id", id.safeJSON)) }
    func add(_ name: String, _ changes: [MapDifference.ValueChange]) {
      if changes.isEmpty { return }
      members.append((name, SafeJSON.array(changes.map(json))))
    }
    if let change = feature.identifier, change.old.kind != .missing {
      members.append(("oldID", change.old.safeJSON))
    }
    add("attributes", feature.attributes)
    add("members", feature.members)
    if let geometry = feature.geometry { members.append(("geometry", json(geometry))) }
    if feature.change != .changed, let row {
      let attributes = row.block.feature(row: row.row).attributes
      members.append(
        ("attributes", SafeJSON.object(attributes.map { ($0.name, $0.value.safeJSON) })))
      let box = row.geometry.box
      members.append(("kind", row.geometry.kind.name.map { SafeJSON.string($0) } ?? "null"))
      if box.minX <= box.maxX {
        members.append(
          ("bbox", numbers([box.minX, box.minY, box.maxX, box.maxY])))
      }
    }
    return SafeJSON.object(members)
  }

  private static func json(_ change: MapDifference.ValueChange) -> String {
    var members = [(name: "name", value: SafeJSON.string(change.name))]
    if change.old.kind != .missing { members.append(("old", change.old.safeJSON)) }
    if change.new.kind != .missing { members.append(("new", change.new.safeJSON)) }
    return SafeJSON.object(members)
  }

  private static func json(_ difference: GeometryDifference) -> String {
    var members: [(name: String, value: String)] = []
    if difference.oldKind != difference.newKind {
      members.append(
        ("kinds", list([difference.oldKind, difference.newKind].map { $0.name ?? "none" })))
    }
    func add(_ name: String, _ items: [String]) {
      if !items.isEmpty { members.append((name, SafeJSON.array(items))) }
    }
    add(
      "moved",
      difference.moves.map { move in
        SafeJSON.object([
          ("path", String(move.path)), ("vertex", String(move.vertex)),
          ("from", numbers([move.from.x, move.from.y])),
          ("to", numbers([move.to.x, move.to.y])),
          ("distance", SafeJSON.number(NumberText.rounded(move.distance, decimals: 3))),
        ])
      })
    add(
      "exchanged",
      difference.exchanges.map { exchange in
        SafeJSON.object([
          ("path", String(exchange.path)), ("vertex", String(exchange.vertex)),
          ("removed", String(exchange.removed)), ("added", String(exchange.added)),
        ])
      })
    add("addedPaths", difference.addedPaths.map(String.init))
    add("removedPaths", difference.removedPaths.map(String.init))
    if difference.heights > 0 { members.append(("heights", String(difference.heights))) }
    if difference.isRearranged { members.append(("rearranged", "true")) }
    return SafeJSON.object(members)
  }

  private static func numbers(_ values: [Double]) -> String {
    SafeJSON.array(values.map(SafeJSON.number))
  }
}

extension AttributeValue {
  /// The value as JSON in which nothing acts on a terminal.
  fileprivate var safeJSON: String {
    guard case .json(let text) = self else { return json }
    let isSafe = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }
    return isSafe ? text : SafeJSON.value(text)
  }
}

// MARK: Applying

extension DifferenceFile {
  /// Why a difference makes nothing of a file.
  package enum Refusal: Error, Hashable, Sendable {
    /// The text is no difference; why.
    case noDifference(String)
    /// It has no exchanges of bytes: one of the files was an archive.
    case hasNoPatch
    /// It is the difference of another file; its name.
    case otherFile(String)
    /// The file is the new one already.
    case isNew
    /// What comes out is not the new file.
    case damaged
  }

  /// The new file, from the old file and the text of a difference.
  package static func apply(
    _ difference: [UInt8], to old: [UInt8]
  ) throws -> [UInt8] {
    let json = JSONSpans(difference)
    var place = 0
    let members: [JSONSpans.Member]
    do {
      members = try json.members(of: json.skipValue(&place)) ?? []
    } catch let fault as JSONSpans.Fault {
      throw Refusal.noDifference("at byte \(fault.offset) \(fault.what)")
    }
    func value(_ name: String, in members: [JSONSpans.Member]) -> Range<Int>? {
      members.last { $0.name.elementsEqual(name.utf8) }?.value
    }
    func text(_ range: Range<Int>?) -> String? {
      guard let range, json.byte(range.lowerBound) == UInt8(ascii: "\"") else { return nil }
      return String(decoding: json.text(range), as: UTF8.self)
    }
    guard text(value("format", in: members)) == format else {
      throw Refusal.noDifference("it has no member “format” of the value “\(format)”")
    }
    func side(_ name: String) throws -> [JSONSpans.Member] {
      guard let range = value(name, in: members), let side = try json.members(of: range) else {
        throw Refusal.noDifference("the member “\(name)” is missing")
      }
      return side
    }
    let (former, later) = (try side("old"), try side("new"))
    guard let list = value("patch", in: members) else { throw Refusal.hasNoPatch }
    let digest = digest(old)
    guard text(value("sha256", in: former)) == digest else {
      if text(value("sha256", in: later)) == digest { throw Refusal.isNew }
      throw Refusal.otherFile(text(value("name", in: former)) ?? "another file")
    }
    guard let patch = try TextPatch(json, list), let new = patch.applied(to: old),
      text(value("sha256", in: later)) == Self.digest(new)
    else { throw Refusal.damaged }
    return new
  }
}

extension SafeJSON {
  /// A JSON text with the characters beyond ASCII in its texts as escapes.
  fileprivate static func value(_ json: String) -> String {
    var text = ""
    for scalar in json.unicodeScalars {
      if scalar.value >= 0x20, scalar.value < 0x7F {
        text.unicodeScalars.append(scalar)
      } else if scalar.value <= 0x20 {
        text += " "
      } else {
        text += string(String(scalar)).dropFirst().dropLast()
      }
    }
    return text
  }
}
