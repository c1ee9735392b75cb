import ArchiveInspection

/// Writes the values of a file in every form; the same bytes give the same text.
func probeValues(of file: InspectedArchive, _ bytes: [UInt8]) {
  for path in ["", "/root", "/root/0", "/#1"] {
    for isNested in [false, true] {
      var options = ValueOptions()
      options.isNested = isNested
      options.dataForm = isNested ? .hex : .base64
      let first = values(of: file, at: path, options, bytes.count)
      expect(first == values(of: file, at: path, options, bytes.count), "values differ at \(path)")
      guard let first else { continue }
      check(first, bytes.count, "the values at \(path)")
      expect(first.last == UInt8(ascii: "\n"), "the values at \(path) end in the middle")
    }
    _ = try? file.writeTexts(
      at: InspectionPath(path), isSafe: true, to: TextOutput(inputCount: bytes.count) { _ in })
  }
  probeLines(bytes)
}

/// The values of a file; `nil` where they are refused.
private func values(
  of file: InspectedArchive, at path: String, _ options: ValueOptions, _ count: Int
) -> [UInt8]? {
  var output: [UInt8] = []
  do {
    try file.writeValues(
      at: InspectionPath(path), options, to: TextOutput(inputCount: count) { output += $0 })
    return output
  } catch {
    return nil
  }
}

/// The bytes as lines themselves, and as digits of one line: one line of JSON for each.
private func probeLines(_ bytes: [UInt8]) {
  let hexadecimal: [UInt8] = Array("0123456789abcdef".utf8)
  var digits: [UInt8] = []
  for byte in bytes {
    digits.append(hexadecimal[Int(byte >> 4)])
    digits.append(hexadecimal[Int(byte & 15)])
  }
  for (lines, form) in [(bytes, ArchiveLines.Form.values), (digits, .values), (digits, .text)] {
    var output: [UInt8] = []
    var reader = ArchiveLines(.hex, form, ValueOptions(), at: InspectionPath("")) { output += $0 }
    let isWhole = lines.withUnsafeBytes { all in
      (try? reader.add(all)) != nil && (try? reader.finish()) != nil
    }
    expect(isWhole, "lines end in an error")
    let count = lines.split(separator: 10, omittingEmptySubsequences: false).count
    let wanted = count - (lines.last == 10 || lines.isEmpty ? 1 : 0)
    expect(output.count { $0 == 10 } == wanted, "not one line of JSON for each line")
  }
}
