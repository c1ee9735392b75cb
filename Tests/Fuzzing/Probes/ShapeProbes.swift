import PortolanInterchange

/// Reads a GeoPackage, writes its layers, and reads what was written.
func probeGeoPackage(_ bytes: [UInt8]) {
  let format = GeoPackageFormat()
  let options = ImportOptions(name: "probe")
  guard let read = try? format.read(bytes, options: options, progress: { _ in }) else { return }
  for note in read.notices { _ = "\(note)" }
  var written: [UInt8] = []
  guard
    (try? GeoPackageWriter().write(read.layers, options: ExportOptions()) { written += $0 }) != nil
  else { return }
  do {
    let again = try format.read(written, options: options, progress: { _ in })
    expect(again.report.featureCount == read.report.featureCount, "features came or went")
  } catch {
    expect(false, "layers that were written cannot be read: \(error)")
  }
}

/// Reads well-known text, well-known binary and TopoJSON.
func probeShapes(_ bytes: [UInt8]) {
  let options = ImportOptions(name: "probe")
  for format in [WKTFormat(), WKBFormat(), TopoJSONFormat()] as [any Importer] {
    do {
      let read = try format.read(bytes, options: options) { _ in }
      for note in read.notices { _ = "\(note)" }
      try GeoJSONFormat().write(read.layers, options: ExportOptions()) { _ in }
    } catch {
      _ = "\(error)"
    }
  }
}
