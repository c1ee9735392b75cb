package import ArgumentParser
package import PortolanInterchange

/// Describes the contents of a document.
package struct ShowInfo: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Tell the contents of documents and the oddities of their files."
  )

  package static let jsonOptions = ["--json"]

  @Argument(
    help: "The files to look at; - is standard input.", completion: .file())
  var files: [String] = []

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup var condition: WhereOption

  @OptionGroup var columns: ColumnOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { files }
  package var needsInput: Bool { true }
  package var reading: (any FormatOptions)? { columns.reading }

  package var parts: [any FileCommand] {
    if files.count < 2 { return [self] }
    return files.map { file in
      var part = self
      part.files = [file]
      return part
    }
  }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let report = DocumentReport(of: try condition.part(of: desk.document, telling: &desk), desk)
    desk.send(json ? .printData(report.json) : .print(report.lines))
  }
}
