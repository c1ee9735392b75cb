import PortolanFiles
import PortolanInterchange

/// Reads a Shapefile whose parts are one after the other, and its layers as GeoJSON again.
///
///     0        2        4        6        8
///     | .shx n | .dbf n | .prj n | .cpg n | .shx … | .dbf … | .prj … | .cpg … | .shp …
///
/// The lengths have the least significant byte first; a part of length 0 is no file, and what is
/// left is the .shp.
func probeShapefile(_ bytes: [UInt8]) {
  guard bytes.count >= 8 else { return }
  var rest = bytes[8...]
  let files = MemoryFileSystem()
  guard (try? files.makeDirectories("/m")) != nil else { return }
  for (number, ending) in ["shx", "dbf", "prj", "cpg"].enumerated() {
    let part = rest.prefix(Int(bytes[2 * number]) | Int(bytes[2 * number + 1]) << 8)
    rest = rest.dropFirst(part.count)
    if !part.isEmpty {
      _ = try? files.save(Array(part), to: "/m/a.\(ending)", expecting: .absent)
    }
  }
  let source = FileSource(Array(rest), path: "/m/a.shp", in: files)
  let options = ImportOptions(name: "probe")
  guard let read = try? ShapefileFormat().read(source, options: options, progress: { _ in }) else {
    return
  }
  for note in read.report.notes { _ = "\(note)" }
  // A record takes eight bytes of the .shp, a row without a shape one of the .dbf.
  expect(read.report.featureCount <= bytes.count, "more features than bytes")
  guard read.report.featureCount > 0 else { return }
  let format = GeoJSONFormat()
  var written: [UInt8] = []
  guard (try? format.write(read.layers, options: ExportOptions()) { written += $0 }) != nil else {
    return
  }
  do {
    let again = try format.read(written, options: options, progress: { _ in })
    expect(
      again.report.featureCount == read.report.featureCount, "not as many features once written")
  } catch {
    expect(false, "layers of a Shapefile cannot be read once written: \(error)")
  }
}
