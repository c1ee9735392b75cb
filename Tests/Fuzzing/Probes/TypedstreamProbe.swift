import Archiving

/// Reads a typedstream whole, and writes it again from its values.
func probeTypedstream(_ bytes: [UInt8]) {
  guard let stream = try? Typedstream(bytes) else { return }
  for number in 0..<min(stream.stringCount, 10_000) { _ = stream.text(ofString: number) }
  var work = bytes.count
  for index in stream.classes.indices.prefix(10_000) where work > 0 {
    work -= stream.chain(ofClass: index).count
  }
  for number in 0..<min(stream.objectCount, 10_000) {
    _ = stream.entry(number)
    _ = stream.range(ofObject: number)
  }
  _ = stream.version(forClassName: "NSString")
  for forms in [TypedstreamWriter.NumberForms.kept, .shortest] {
    guard let written = try? TypedstreamWriter.rewrite(stream, forms: forms) else {
      expect(false, "a stream that was read cannot be written")
      return
    }
    guard let again = try? Typedstream(written) else {
      expect(false, "a stream that was written cannot be read")
      return
    }
    expect(again.objectCount == stream.objectCount, "objects were lost")
    // A string that stands in the stream twice is written once.
    expect(again.stringCount <= stream.stringCount, "strings were added")
    expect(
      (try? TypedstreamWriter.rewrite(again, forms: forms)) == written, "not written the same again"
    )
  }
}

/// Makes objects of a typedstream with classes of every make, and archives what came out.
func probeSequential(_ bytes: [UInt8]) {
  guard let stream = try? Typedstream(bytes) else { return }
  func unarchiver() -> Unarchiver { Unarchiver(stream: stream, classes: ProbeClasses.all) }
  let roots = unarchiver()
  for _ in 0..<100 where !roots.isAtEnd {
    guard let root = try? roots.decodeObject(in: ProbeClasses.list) else { break }
    reencode(root)
  }
  for types in ["@", "i", "*", "+", "ii", "f", "d", "c", "#", ":", "[3{_NSPoint=ff}]![4c]#@"] {
    _ = try? unarchiver().decodeValues(ofTypes: types, in: ProbeClasses.list)
  }
  let calls: [(Unarchiver) throws -> Void] = [
    { _ = try $0.decodeString() }, { _ = try $0.decodeData() }, { _ = try $0.decodeDate() },
    { _ = try $0.decodeCString() }, { _ = try $0.decodeSelector() }, { _ = try $0.decodeClass() },
    { _ = try $0.decodeStrings(forKey: "") }, { _ = try $0.decodeDoubles(forKey: "") },
    { _ = try $0.decodeInts(forKey: "") }, { _ = try $0.decodeStringDictionary(forKey: "") },
    { _ = try $0.decodeObjects(in: ProbeClasses.list, forKey: "") },
    { _ = try $0.decodeObject(EveryField.self) }, { _ = try $0.decodeObject(MapDocument.self) },
    { reencode(try $0.decodeObject(UnknownObject.self)) },
  ]
  for call in calls {
    let unarchiver = unarchiver()
    try? call(unarchiver)
    // What comes after an error is an error or a value, too.
    try? call(unarchiver)
  }
}

private func reencode(_ object: any Coding) {
  guard let bytes = try? Archiver.archive(object) else { return }
  expect((try? Typedstream(bytes)) != nil, "a stream of ours that cannot be read")
}
