package import Archiving

extension Document: Coding {
  package static var archivedClass: ArchivedClass { "PortolanDocument" }

  /// The version of the format that this program writes: `Docs/formats/document.md`.
  package static let formatVersion = 3

  /// - Throws: `DocumentError` if two layers or two views have the same number, since an archive
  ///   would hold only one of them; and if the document was read from a newer version of the
  ///   format.
  package func encode(with coder: any EncodingCoder) throws {
    if let newerVersion {
      throw DocumentError(
        .newerVersion,
        "it is of version \(newerVersion) of the format, and this Portolan writes version "
          + "\(Self.formatVersion)")
    }
    guard Set(layers.map(\.id)).count == layers.count, Set(views.map(\.id)).count == views.count
    else { throw DocumentError(.invalidValue, "two layers or two views have the same number") }
    try coder.encodeInt(Self.formatVersion, forKey: "formatVersion")
    try coder.encodeString(metadata.title, forKey: "title")
    try coder.encodeString(metadata.author, forKey: "author")
    try coder.encodeString(metadata.licence, forKey: "licence")
    try coder.encodeString(metadata.units, forKey: "units")
    try coder.encodeString(metadata.coordinateSystem.authority, forKey: "coordinateAuthority")
    try coder.encodeString(metadata.coordinateSystem.code, forKey: "coordinateCode")
    var numbered = self
    numbered.numberLegends()
    numbered.dropClosedAuxiliaryViews()
    guard numbered.nextID < Self.firstSessionID else {
      throw DocumentError(.invalidValue, "it has no numbers left for layers and views")
    }
    try coder.encodeInt(Int(clamping: numbered.nextID), forKey: "nextID")
    try coder.encodeObjects(layers, forKey: "layers")
    try coder.encodeObjects(numbered.views.filter { !$0.isHeldByPanes }, forKey: "views")
    try coder.encodeObject(numbered.archivedLayout, forKey: "layout")
    if !bookmarks.isEmpty { try coder.encodeObjects(bookmarks, forKey: "places") }
    let conflicts = openConflicts
    if !conflicts.isEmpty { try coder.encodeObjects(conflicts, forKey: "conflicts") }
    if !metadata.settings.isEmpty {
      try coder.encodeStrings(metadata.settingLines, forKey: "settings")
    }
    try coder.encodeUnreadFields(unread)
  }

  package init(coder: any DecodingCoder) throws {
    let version = try coder.decodeInt(forKey: "formatVersion")
    guard version >= Self.formatVersion else {
      throw coder.invalidValue("version \(version) was not lifted", forKey: "formatVersion")
    }
    let plain = DocumentMetadata()
    self.init(
      metadata: DocumentMetadata(
        title: try coder.decodeStringIfPresent(forKey: "title") ?? plain.title,
        author: try coder.decodeStringIfPresent(forKey: "author") ?? plain.author,
        licence: try coder.decodeStringIfPresent(forKey: "licence") ?? plain.licence,
        units: try coder.decodeStringIfPresent(forKey: "units") ?? plain.units,
        coordinateSystem: CoordinateSystem(
          authority: try coder.decodeStringIfPresent(forKey: "coordinateAuthority")
            ?? plain.coordinateSystem.authority,
          code: try coder.decodeStringIfPresent(forKey: "coordinateCode")
            ?? plain.coordinateSystem.code)))
    for line in try coder.decodeStringsIfPresent(forKey: "settings") ?? [] {
      guard metadata.take(settingLine: line) else {
        throw coder.invalidValue("no KEY=VALUE, or two of one key", forKey: "settings")
      }
    }
    nextID = try coder.decodeNumber(forKey: "nextID")
    layers = try coder.decodeObjectsIfPresent(in: LayerKinds.classes, forKey: "layers") ?? []
    views = try coder.decodeObjectsIfPresent(in: ViewKinds.classes, forKey: "views") ?? []
    let panes = try coder.decodeObjectIfPresent(ArchivedPane.self, forKey: "layout")
    bookmarks = try coder.decodeObjectsIfPresent(Bookmark.self, forKey: "places") ?? []
    guard Set(bookmarks.map { Array($0.name.utf8) }).count == bookmarks.count else {
      throw coder.invalidValue("two have the same name", forKey: "places")
    }
    conflicts = try coder.decodeObjectsIfPresent(Conflict.self, forKey: "conflicts") ?? []
    try take(panes, coder) {
      try $0.checkNumbers(coder)
      $0.numberKeptObjects()
    }
    if let astray = settleGroups() {
      throw coder.invalidValue(
        "layer \(astray.rawValue) does not stand below its group", forKey: "layers")
    }
    shareKeptStyles()
    dropForeignAuxiliaryViews()
    if version > Self.formatVersion { newerVersion = version }
    unread = try coder.unreadFields()
  }

  /// Throws unless layers and views have unique numbers below the next one.
  private mutating func checkNumbers(_ coder: any DecodingCoder) throws {
    let next = nextID
    func check(_ ids: [UInt64], _ key: String) throws {
      var seen = Set<UInt64>()
      for id in ids {
        guard id < next else {
          throw coder.invalidValue("\(key) have the number \(id)", forKey: "nextID")
        }
        guard seen.insert(id).inserted else {
          throw coder.invalidValue("two have the number \(id)", forKey: key)
        }
      }
    }
    try check(layers.filter { !($0 is any KeptPart) }.map(\.id.rawValue), "layers")
    try check(views.filter { !($0 is any KeptPart) }.map(\.id.rawValue), "views")
    // A legend may have any number, but the next one must be above it and valid as well.
    guard let last = numbersOfLegends.max() else { return }
    if last >= Self.firstSessionID - 1 {
      throw coder.invalidValue("a legend has the number \(last)", forKey: "views")
    }
    nextID = max(nextID, last + 1)
  }

  /// Numbers above all permanent ones belong to the session alone.
  static let firstSessionID: UInt64 = 1 << 53 + 1

  /// Gives kept objects with a missing or duplicate number a number for the session, the same one
  /// at every open; their archived number stays unchanged.
  private mutating func numberKeptObjects() {
    var taken = Set(layers.filter { !($0 is any KeptPart) }.map(\.id.rawValue))
    var next = Self.firstSessionID
    func number(_ archived: UInt64) -> UInt64 {
      if archived != 0, taken.insert(archived).inserted {
        nextID = max(nextID, archived + 1)
        return archived
      }
      defer { next += 1 }
      return next
    }
    for index in layers.indices {
      guard var layer = layers[index] as? any Layer & KeptPart else { continue }
      layer.sessionNumber = number(layer.sessionNumber)
      layers[index] = layer
    }
    taken = Set(views.filter { !($0 is any KeptPart) }.map(\.id.rawValue))
    for index in views.indices {
      guard var view = views[index] as? any View & KeptPart else { continue }
      view.sessionNumber = number(view.sessionNumber)
      views[index] = view
    }
  }

  /// Makes each kept style one object again: its class has no `init(coder:)` that would do so.
  private mutating func shareKeptStyles() {
    var styles: [UnknownObject: Style] = [:]
    for index in layers.indices {
      guard let kept = layers[index].style.kept else { continue }
      if let known = styles[kept] {
        layers[index].style = known
      } else {
        styles[kept] = layers[index].style
      }
    }
  }
}

extension DocumentMetadata {
  /// The settings as lines `KEY=VALUE`, in the order of their keys.
  package var settingLines: [String] {
    settings.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { "\($0)=\(settings[$0] ?? "")" }
  }

  /// Takes a line; `false` if it is none, or the key has a value already.
  fileprivate mutating func take(settingLine line: String) -> Bool {
    guard let sign = line.utf8.firstIndex(of: 0x3D), sign > line.startIndex else { return false }
    let key = String(line[..<sign])
    guard settings[key] == nil else { return false }
    settings[key] = String(line[line.utf8.index(after: sign)...])
    return true
  }
}
