extension Document {
  /// Puts layers of another document, or of a file, on top.
  ///
  /// Each gets a number of this document and a name that no other layer has. Groups that come along
  /// go on holding their layers; a layer whose group does not come along belongs to none.
  ///
  /// - Parameters:
  ///   - added: from the bottom up, those of a group right below it.
  ///   - hasLooks: whether somebody chose how they look; else they get the standard look.
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
  /// The layers that another document may take in, and the names of those that it may not.
  ///
  /// What is not understood is kept without being looked at. Where that is damaged, a document that
  /// took it in could not be saved any more.
  ///
  /// - Complexity: O(1), but O(document) where something of it is damaged or of a newer version.
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
