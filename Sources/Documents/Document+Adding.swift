extension Document {
  /// Adds layers of another document, or of a file, on top.
  ///
  /// Each gets a number of this document and a unique name. Added groups keep their layers; a layer
  /// without its group belongs to none.
  ///
  /// - Parameters:
  ///   - added: from the bottom up, a group's layers right below it.
  ///   - hasLooks: whether their styles were chosen by somebody; else they get the standard look.
  package mutating func add(_ added: [any Layer], hasLooks: Bool) {
    let numbers = added.map { _ in LayerID(makeID()) }
    let groups = Dictionary(
      zip(added, numbers).filter(\.0.isGroup).map { ($0.id, $1) }, uniquingKeysWith: { $1 })
    for (layer, number) in zip(added, numbers) {
      var layer = layer.renumbered(
        number, name: uniqueLayerName(layer.name), parent: layer.parent.flatMap { groups[$0] })
      if !hasLooks { layer.takeStandardLook(above: layers) }
      layers.append(layer)
    }
  }
}

extension DecodedFile {
  /// The layers that another document can take in, and the names of the damaged ones.
  ///
  /// Unknown parts are kept unread. If they are damaged, a document that took them in could not be
  /// saved any more.
  ///
  /// - Complexity: O(1), but O(document) if parts of it are damaged or of a newer version.
  package var soundLayers: (layers: [any Layer], damaged: [String]) {
    guard damage != nil || document.newerVersion != nil else { return (document.layers, []) }
    var sound: [any Layer] = []
    var damaged: [String] = []
    for layer in document.layers {
      var trial = Document()
      trial.add([layer], hasLooks: true)
      if (try? DocumentArchive.bytes(of: trial)) != nil {
        sound.append(layer)
      } else {
        damaged.append(layer.name)
      }
    }
    return (sound, damaged)
  }
}
