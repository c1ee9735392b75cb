package import ArgumentParser
package import PortolanDocuments
import PortolanInterchange

/// Describes the contents of a document.
package struct ShowInfo: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Report the contents of documents and warnings about their files.")

  package static let jsonOptions = ["--json"]

  @Flag(help: "As JSON.")
  var json = false

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
    DocumentNeeds(condition: map.condition.condition?.text, columns: nil).withBoxes
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let report = DocumentReport(of: try map.condition.part(of: desk.document, telling: &desk), desk)
    desk.send(json ? .printData(report.json) : .print(report.lines))
  }
}
