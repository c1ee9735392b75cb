import PortolanDocuments
import PortolanFiles
import Testing

@testable import PortolanEditing

/// The layers at the beginning of files, for completion in shells.
@Suite struct FileHeadTests {
  /// Only the beginning of a large text is read, up to the last whole feature.
  @Test(arguments: ["a.geojson", "b.ndjson", "c.csv"])
  func `The head of a large file is enough`(name: String) throws {
    let row =
      #"{"type":"Feature","properties":{"river":"Ume {\" ["},"geometry":null,"#
      + #""more":"\#(Self.filler)"}"#
    let rows = Array(repeating: row, count: 900)
    let text =
      switch name {
      case "a.geojson":
        #"{"type":"FeatureCollection","features":["# + rows.joined(separator: ",\n")
      case "b.ndjson": rows.joined(separator: "\n")
      default:
        "river,lon,lat,more\n" + rows.map { _ in "a,1,2,\(Self.filler)" }.joined(separator: "\n")
      }
    #expect(text.utf8.count > 2 << 20)
    let files = MemoryFileSystem(files: ["/m/" + name: Array(text.utf8)])
    let heads = FileHeads(World(files: files), deadline: .max)
    let layers = heads.layers(of: ["/m/" + name, "/m/none"], for: "riv")
    #expect(layers.first?.fieldNames.first == "river" && layers.count == 1)
    #expect((layers.first?.count ?? 0) > 500)
    let late = FileHeads(World(files: files), deadline: .min)
    #expect(late.layers(of: ["/m/" + name], for: "riv").isEmpty)
  }

  private static let filler = String(repeating: "x", count: 2_500)
}
