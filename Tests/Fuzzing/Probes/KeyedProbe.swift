import Archiving

/// Decodes an archive with classes of every make, and encodes what came out.
func probeKeyed(_ bytes: [UInt8]) {
  guard let unarchiver = try? KeyedUnarchiver(bytes, classes: ProbeClasses.all) else { return }
  for key in ["root", "a", "map", "tree"] {
    if let object = try? unarchiver.decodeObject(in: ProbeClasses.list, forKey: key) {
      reencode(object)
    }
    _ = try? unarchiver.decodeObjects(in: ProbeClasses.list, forKey: key)
    _ = try? unarchiver.decodeObject(EveryField.self, forKey: key)
    _ = try? unarchiver.decodeString(forKey: key)
    _ = try? unarchiver.decodeData(forKey: key)
    _ = try? unarchiver.decodeStringDictionary(forKey: key)
  }
  guard let graph = try? KeyedUnarchiver(bytes) else { return }
  if let document = try? graph.decodeObject(MapDocument.self, forKey: "root") {
    reencode(document)
  }
  if let kept = try? graph.decodeObject(UnknownObject.self, forKey: "root") { reencode(kept) }
}

private func reencode(_ object: any Coding) {
  let archiver = KeyedArchiver()
  guard (try? archiver.encodeAnyObject(object, forKey: "root")) != nil,
    let bytes = try? archiver.finish()
  else { return }
  expect((try? KeyedUnarchiver(bytes)) != nil, "an archive of ours that cannot be read")
}
