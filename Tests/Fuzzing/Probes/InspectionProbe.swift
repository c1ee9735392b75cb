import ArchiveInspection
import PropertyLists

/// Shows a file in every form, and compares it with itself and with one that differs a little.
func probeInspection(_ bytes: [UInt8]) {
  guard let archive = try? InspectedArchive(bytes) else { return }
  let forms: [InspectionForm] = [.tree, .json, .raw, .statistics, .statisticsJSON]
  for form in forms { show(archive, form, at: "", bytes.count) }
  for path in ["/root", "/root/0", "/root/name", "/0/1", "/#1", "/#2/0"] {
    for form in [InspectionForm.tree, .json] { show(archive, form, at: path, bytes.count) }
  }
  probeValues(of: archive, bytes)
  expect(differences(archive, archive, .text, bytes.count) == 0, "a file differs from itself")
  var others = bytes
  let sum = bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFF_FFFF }
  others[sum % others.count] ^= UInt8(truncatingIfNeeded: sum >> 16) | 1
  guard let other = try? InspectedArchive(others) else { return }
  for form in ArchiveDifference.Form.allCases {
    _ = differences(archive, other, form, bytes.count)
    _ = differences(other, archive, form, bytes.count)
  }
}

/// The same of a property list in the text notation, which begins with a comment.
func probeText(_ bytes: [UInt8]) {
  probeInspection(Array("//\n".utf8) + bytes.dropFirst(3))
  guard let started = try? StartedPropertyList(text: bytes), started.faults.isEmpty else { return }
  expect((try? started.list.validate()) != nil, "a list that was read is not sound")
}

/// The same of a compiled nib, whose first bytes are always right.
func probeNib(_ bytes: [UInt8]) {
  probeInspection(Array("NIBArchive".utf8) + bytes.dropFirst(10))
}

/// The same of a GNUstep archive, whose header is always right.
func probeGNUstep(_ bytes: [UInt8]) {
  let header = "GNUstep archive000f4240:0000ffff:0000ffff:0000ffff:"
  probeInspection(Array(header.utf8) + bytes.dropFirst(header.utf8.count))
}

/// The same of a bookmark, whose first bytes are always right.
func probeBookmark(_ bytes: [UInt8]) {
  probeInspection(Array("book".utf8) + bytes.dropFirst(4))
}

private func show(
  _ archive: InspectedArchive, _ form: InspectionForm, at path: String, _ count: Int
) {
  var output: [UInt8] = []
  do {
    try Inspector(archive).write(
      form, at: InspectionPath(path), TreeOptions(),
      to: TextOutput(inputCount: count) { output += $0 })
  } catch {
    // Whoever prints it makes it safe, with the name of the file.
    expect("\(error)".utf8.count <= 1_000 + 4 * count, "the error at \(path) is far too long")
  }
  check(output, count, "\(form) \(path)")
}

private func differences(
  _ first: InspectedArchive, _ second: InspectedArchive, _ form: ArchiveDifference.Form,
  _ count: Int
) -> Int? {
  var output: [UInt8] = []
  var difference = ArchiveDifference(
    first, second, names: ("a", "b"), form: form, hasColours: false, send: { output += $0 })
  let found = try? difference.write()
  check(output, 2 * count, "the differences as \(form)")
  return found
}

/// Output is text without controls, and in proportion to the file.
func check(_ output: [UInt8], _ count: Int, _ what: @autoclosure () -> String) {
  guard let text = String(validating: output, as: UTF8.self) else {
    return expect(false, "\(what()) is not UTF-8")
  }
  let control = text.unicodeScalars.first {
    $0 != "\n" && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value))
  }
  expect(control == nil, "\(what()) holds the control \(control?.value ?? 0)")
  let most = InspectionLimits().textByteCountMax(inputCount: count)
  expect(output.count <= most, "\(what()) is far too long")
}
