import PropertyLists

/// Looks at every object that the offset table names, whether it can be reached or not.
func probeBinaryPropertyList(_ bytes: [UInt8]) {
  guard let list = try? BinaryPropertyList(bytes) else { return }
  let isSound = (try? list.validate()) != nil
  var work = 8 * bytes.count + 1_000
  for number in 0..<min(list.count, 100_000) where work > 0 {
    guard let object = try? list.object(PropertyListReference(number)) else { continue }
    switch object {
    case .ascii(let range), .utf16(let range):
      work -= range.count
      _ = try? list.string(object)
    case .array(let row), .set(let row):
      work -= row.count
      look(at: row, of: list)
    case .dictionary(let keys, let values):
      work -= 2 * keys.count
      look(at: keys, of: list)
      look(at: values, of: list)
    default: break
    }
    _ = object.kindName
  }
  if isSound { expect((try? list.object(list.top)) != nil, "a sound list without a top") }
}

private func look(at row: PropertyListReferences, of list: BinaryPropertyList) {
  for index in 0..<row.count {
    guard let reference = try? list.reference(index, of: row) else { continue }
    _ = try? list.offset(of: reference)
    if let object = try? list.object(reference) { _ = try? list.string(object) }
  }
}

/// Reads a list in the XML notation, and writes it again until nothing changes.
func probeXML(_ bytes: [UInt8]) {
  guard let list = try? XMLPropertyListReader().read(bytes) else { return }
  expect((try? list.validate()) != nil, "a list that was read is not sound")
  guard let written = try? XMLPropertyListWriter().write(list) else { return }
  do {
    let again = try XMLPropertyListReader().read(written)
    expect(try XMLPropertyListWriter().write(again) == written, "not written the same again")
  } catch {
    expect(false, "a list that was written cannot be read: \(error)")
  }
}
