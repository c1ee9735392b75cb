import PortolanDocuments
package import PortolanFiles

/// TopoJSON (version 1): geometries that share their borders as arcs. Each object is a layer.
///
///     {"type":"Topology","transform":{"scale":[0.1,0.1],"translate":[10,60]},
///      "objects":{"towns":{"type":"GeometryCollection","geometries":[
///        {"type":"Point","coordinates":[5,0]},{"type":"LineString","arcs":[0]}]}},
///      "arcs":[[[0,0],[1,1],[0,2]]]}
package struct TopoJSONFormat: Importer {
  package init() {}

  package var name: String { "topojson" }
  package var title: String { "TopoJSON" }
  package var extensions: [String] { ["topojson"] }
  package var isCertain: Bool { true }

  package func recognizes(_ head: ArraySlice<UInt8>) -> Bool {
    let text = head.drop { $0 <= 0x20 || $0 == 0xEF || $0 == 0xBB || $0 == 0xBF }
    guard text.first == UInt8(ascii: "{") else { return false }
    let plain = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    return plain.contains("\"type\":\"Topology\"")
  }

  package func read(
    _ source: FileSource, options: ImportOptions, progress: (Double) throws -> Void
  ) throws -> ImportResult {
    let bytes = try source.bytes()
    do {
      return try bytes.withUnsafeBufferPointer { bytes in
        try DecimalPowers.doubles.withUnsafeBufferPointer { powers in
          guard let scanner = JSONScanner(bytes, powers: powers) else {
            throw ImportError(code: .empty, offset: 0, line: 1, column: 1)
          }
          var topology = try Topology(scanner)
          try progress(0.3)
          let objects = try options.chosen(topology.objects, \.name)
          var parts: [LayerPart] = []
          for (index, object) in objects.enumerated() {
            let text = try topology.features(of: object)
            let name = topology.objects.count == 1 ? options.name : object.name
            let read = try GeoJSONFormat().read(text, options: ImportOptions(name: name)) {
              try progress(0.3 + 0.7 * (Double(index) + $0) / Double(objects.count))
            }
            guard var layer = read.layers.first as? FeatureLayer else { continue }
            layer.source = .plain
            layer.blocks = layer.blocks.map(\.plain)
            parts.append(LayerPart(layer, topology.system))
          }
          return try ImportResult(parts, options)
        }
      }
    } catch let fault as ScanFault {
      throw ImportError.place(fault.code, at: fault.offset, in: bytes, detail: fault.detail)
    }
  }
}
