import PortolanDocuments

/// The foreign member of a collection whose features are notes upon the map: the name of the
/// attribute with their texts.
///
///     {"type":"FeatureCollection","portolan:notes":"text","features":[…]}
enum NotesMember {
  static let name = "portolan:notes"

  /// The attribute with the texts; `nil` where the features are no notes.
  static func textField(_ members: [CollectionSource.Member]) -> String? {
    guard let json = members.last(where: { $0.name == name })?.json,
      json.utf8.first == UInt8(ascii: "\""), json.utf8.count > 2,
      let value = JSONText.value(between: Array(json.utf8.dropFirst().dropLast()))
    else { return nil }
    return String(decoding: value, as: UTF8.self)
  }
}

extension GeoJSONWriter {
  /// Tells in the members of a layer's collection that its features are notes, unless they do.
  func addNotes(_ layer: any FeatureHolding, to members: inout [RootMembers.Member]) {
    guard let field = (layer as? any NoteHolding)?.textField, !field.isEmpty else { return }
    let told = NotesMember.textField(layer.source.members)
    if told?.utf8.elementsEqual(field.utf8) == true { return }
    members.removeAll { $0.name == NotesMember.name }
    members.insert(
      RootMembers.Member(
        name: NotesMember.name,
        key: JSONText.quoted(NotesMember.name.utf8, style: layout.escapes),
        json: JSONText.quoted(field.utf8, style: layout.escapes)),
      at: members.firstIndex { $0.json == nil } ?? members.endIndex)
  }
}
