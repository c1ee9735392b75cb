package import ArgumentParser
package import PortolanInterchange

/// Describes the contents of a document.
package struct ShowInfo: FileCommand {
  package static let takesFiles = true
  package static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Tell the contents of a document and the oddities of its file.")

  @Argument(help: "The file to look at; - is standard input.", completion: .file())
  var input: String?

  @Flag(help: "As JSON.")
  var json = false

  @OptionGroup var columns: ColumnOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { input.map { [$0] } ?? [] }
  package var needsInput: Bool { true }
  package var reading: ImportOptions { columns.reading }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let report = DocumentReport(desk)
    desk.send(json ? .printData(report.json) : .print(report.lines))
  }
}
