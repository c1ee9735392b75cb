package import ArgumentParser
package import PortolanDocuments
package import PortolanInterchange

/// Describes the contents of a document.
package struct ShowInfo: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Report the contents of documents and warnings about their files.")

  package static let jsonOptions = ["--json"]

  @Flag(help: "As JSON.")
  var json = false

  @Option(help: "Only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @OptionGroup var box: BoxOption

  @OptionGroup package var map: MapOptions

  package init() {}

  package var parts: [any FileCommand] {
    if map.files.count < 2 { return [self] }
    return map.files.map { file in
      var part = self
      part.map.files = [file]
      return part
    }
  }

  package var needs: DocumentNeeds {
    if box.bbox != nil { return .all }
    return DocumentNeeds(condition: map.condition.condition?.text, columns: nil).withBoxes
  }

  package var wishes: SourceWishes {
    SourceWishes(
      layers: layers, box: box.bbox, condition: map.condition.condition?.text, asked: .all,
      figuresOfChosen: false, limit: nil)
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    var document = try map.condition.part(of: desk.document, telling: &desk)
    if !layers.isEmpty {
      let named = Set(try LayerNames.ids(layers, in: document))
      let groups = document.layers.filter { named.contains($0.id) }
        .flatMap { document.groups(around: $0).map(\.id) }
      document.layers.removeAll { !named.contains($0.id) && !groups.contains($0.id) }
    }
    let chosen = document.layers.filter { $0 is any FeatureHolding }.map(\.id)
    let report = DocumentReport(of: try box.part(of: document, chosen), desk)
    desk.send(json ? .printData(report.json) : .print(report.lines))
  }
}
