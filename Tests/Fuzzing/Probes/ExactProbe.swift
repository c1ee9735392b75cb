import ArchiveInspection

/// Makes archives of the bytes taken for exact JSON, and of the exact JSON of an archive.
func probeExact(_ bytes: [UInt8]) {
  let text = Array("{".utf8) + bytes.dropFirst()
  if let archive = try? ArchiveConversion.convert(text, to: .keyed) { probeWayBack(archive) }
  if let stream = try? ArchiveConversion.convert(text, to: .typedstream) { probeWayBack(stream) }
  probeWayBack(bytes)
}

/// An archive that is written as exact JSON and made again is as it was.
private func probeWayBack(_ bytes: [UInt8]) {
  guard let file = try? InspectedArchive(bytes), file.brokenCount == 0, let text = exact(file)
  else {
    return
  }
  check(text, bytes.count, "exact JSON")
  let isStream = file.header.format == .typedstream
  guard
    let again = try? ArchiveConversion.convert(text, to: isStream ? .typedstream : .keyed),
    let other = try? InspectedArchive(again)
  else { return }
  var difference = ArchiveDifference(file, other) { _ in }
  expect((try? difference.write()) == 0, "exact JSON makes another archive")
}

private func exact(_ file: InspectedArchive) -> [UInt8]? {
  var text: [UInt8] = []
  do {
    try file.write(.exact) { text += $0 }
    return text
  } catch {
    return nil
  }
}
