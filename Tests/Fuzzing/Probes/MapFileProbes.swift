import PortolanDocuments
import PortolanInterchange

/// Opens a map document, and saves what was opened.
func probeDocument(_ bytes: [UInt8]) {
  guard let opened = try? DocumentFile.open(bytes) else { return }
  guard let saved = try? DocumentFile.bytes(of: opened.document) else {
    let isTold = opened.damage != nil || opened.document.newerVersion != nil
    return expect(isTold, "what was opened cannot be saved, and nobody says so")
  }
  do {
    let again = try DocumentFile.open(saved)
    // A kept part without a number gets another one each time, so the bytes may differ.
    let second = try DocumentFile.bytes(of: again.document)
    expect(abs(second.count - saved.count) <= 16, "not saved the same again")
  } catch {
    expect(false, "a document that was saved cannot be opened: \(error)")
  }
}

/// Reads a table only: the first line of a damaged one does not always name its columns again.
func probeCSV(_ bytes: [UInt8]) {
  let options = ImportOptions(name: "probe")
  guard let read = try? CSVFormat.comma.read(bytes, options: options, progress: { _ in }) else {
    return
  }
  for note in read.report.notes { _ = "\(note)" }
  _ = try? CSVFormat.comma.write(read.layers, options: ExportOptions()) { _ in }
}

/// Reads a file of layers, writes them, and reads what was written.
func probeGeoJSON(_ bytes: [UInt8]) {
  let format = GeoJSONFormat()
  let options = ImportOptions(name: "probe")
  guard let read = try? format.read(bytes, options: options, progress: { _ in }) else { return }
  for note in read.report.notes { _ = "\(note)" }
  var written: [UInt8] = []
  guard (try? format.write(read.layers, options: ExportOptions()) { written += $0 }) != nil else {
    return
  }
  guard read.report.featureCount > 0 else { return }
  do {
    _ = try format.read(written, options: options, progress: { _ in })
  } catch {
    expect(false, "layers that were written cannot be read: \(error)")
  }
}
