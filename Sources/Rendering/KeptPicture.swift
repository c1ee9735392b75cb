package import PortolanTerminals

/// A part of a picture that is kept as long as what it shows does not change.
package struct KeptPicture {
  /// All that the part shows and how; equal keys make equal pictures.
  package var key: AnyHashable
  /// The objects whose identities stand in the key: as long as they live, nothing else gets them.
  package var owners: [AnyObject]
  package var frame: Frame

  package init(key: AnyHashable, owners: [AnyObject], frame: Frame) {
    self.key = key
    self.owners = owners
    self.frame = frame
  }
}

extension RenderMemory {
  /// The kept picture of a name, drawn anew where its key has changed.
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
