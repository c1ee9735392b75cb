import Archiving

/// The change of a layer's own fields that most edits change: its name and title, whether it is
/// shown, and whether it is locked.
struct LayerFieldsChange: LayerChange {
  /// The layer's place in the new document.
  var layer = 0
  private let name: String
  private let title: String
  private let isVisible: Bool
  private let isLocked: Bool

  /// Finds the difference; `nil` if there is none.
  init?(from former: any Layer, to new: any Layer) {
    name = new.name
    title = new.title
    isVisible = new.isVisible
    isLocked = new.isLocked
    if former.name.hasSameBytes(as: name), former.title.hasSameBytes(as: title),
      former.isVisible == isVisible, former.isLocked == isLocked
    {
      return nil
    }
  }

  func applied(to former: (any Layer)?, as bare: any Layer) throws -> any Layer {
    var layer = bare
    layer.name = name
    layer.title = title
    layer.isVisible = isVisible
    layer.isLocked = isLocked
    return layer
  }
}

extension LayerFieldsChange: Coding {
  static var archivedClass: ArchivedClass { "PortolanLayerFieldsChange" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(layer, forKey: "layer")
    try coder.encodeString(name, forKey: "name")
    try coder.encodeString(title, forKey: "title")
    try coder.encodeBool(isVisible, forKey: "visible")
    try coder.encodeBool(isLocked, forKey: "locked")
  }

  init(coder: any DecodingCoder) throws {
    layer = try coder.decodeInt(forKey: "layer")
    name = try coder.decodeString(forKey: "name")
    title = try coder.decodeString(forKey: "title")
    isVisible = try coder.decodeBool(forKey: "visible")
    isLocked = try coder.decodeBool(forKey: "locked")
  }
}

extension Document {
  /// The changes of the layers' own fields, if surely nothing else differs but the layers' content.
  ///
  /// Found without coding anything, and by identity: versions of one history share what an edit
  /// leaves alone. A document that must not be archived, or has conflicts, which depend on content,
  /// is compared whole.
  ///
  /// - Returns: `nil` if something else differs, or may differ.
  func fieldChanges(from former: Document) -> [any LayerChange]? {
    guard nextID == former.nextID, newerVersion == nil, unread.isEmpty, former.unread.isEmpty,
      conflicts.isEmpty, former.conflicts.isEmpty, layers.count == former.layers.count,
      metadata.hasSameBytes(as: former.metadata), Shared.areSame(layout, former.layout),
      Shared.areSame(views, former.views), Shared.areSame(bookmarks, former.bookmarks)
    else { return nil }
    var changes: [any LayerChange] = []
    for (place, (layer, old)) in zip(layers, former.layers).enumerated() {
      guard layer.isSame(as: old) else { return nil }
      guard var change = LayerFieldsChange(from: old, to: layer) else { continue }
      change.layer = place
      changes.append(change)
    }
    return changes
  }
}

extension Layer {
  /// Whether all is surely the same as in another version, but for the content and the fields of
  /// `LayerFieldsChange`.
  fileprivate func isSame(as former: any Layer) -> Bool {
    guard let former = former as? Self, id == former.id, parent == former.parent,
      zooms == former.zooms, style === former.style
    else { return false }
    return hasSameRest(as: former)
  }
}

/// Values by the memory that they share.
enum Shared {
  /// Whether two arrays are surely the same: a copy that nobody has changed has the same memory.
  static func areSame<Element>(_ first: [Element], _ second: [Element]) -> Bool {
    first.withUnsafeBufferPointer { first in
      second.withUnsafeBufferPointer { second in
        first.count == second.count && (first.isEmpty || first.baseAddress == second.baseAddress)
      }
    }
  }

  /// The same of arrangements of panes, each of which is a reference.
  static func areSame(_ first: PaneLayout?, _ second: PaneLayout?) -> Bool {
    withUnsafeBytes(of: first) { first in
      withUnsafeBytes(of: second) { first.elementsEqual($0) }
    }
  }
}

extension DocumentMetadata {
  /// Whether all texts have the same bytes: equal ones may not.
  fileprivate func hasSameBytes(as other: DocumentMetadata) -> Bool {
    func texts(_ data: DocumentMetadata) -> [String] {
      [
        data.title, data.author, data.licence, data.units, data.coordinateSystem.authority,
        data.coordinateSystem.code,
      ] + data.settingLines
    }
    return texts(self).hasSameTexts(as: texts(other))
  }
}

extension CollectionSource {
  /// Whether it is surely the same.
  func isSame(as other: CollectionSource) -> Bool {
    root == other.root && decimals == other.decimals
      && whitespace.hasSameBytes(as: other.whitespace) && Shared.areSame(members, other.members)
  }
}

extension LayerOrigin {
  /// Whether it is surely the same.
  func isSame(as other: LayerOrigin) -> Bool {
    source.hasSameBytes(as: other.source) && options.hasSameTexts(as: other.options)
  }
}
