package import PortolanTerminals

/// A cached part of a picture, valid as long as its key is unchanged.
package struct KeptPicture {
  /// All input of the drawing; equal keys make equal pictures.
  package var key: AnyHashable
  /// The objects whose identities are in the key: as long as they live, no other object gets one.
  package var owners: [AnyObject]
  package var frame: Frame

  package init(key: AnyHashable, owners: [AnyObject], frame: Frame) {
    self.key = key
    self.owners = owners
    self.frame = frame
  }
}

extension RenderMemory {
  /// The cached picture of a name, drawn anew if its key has changed.
  package func picture(
    _ name: String, key: AnyHashable, owners: @autoclosure () -> [AnyObject],
    draw: () -> Frame
  ) -> Frame {
    noteUse(ofPicture: name)
    if let kept = keptPictures[name], kept.key == key { return kept.frame }
    let frame = draw()
    keptPictures[name] = KeptPicture(key: key, owners: owners(), frame: frame)
    return frame
  }
}
