package import ArgumentParser
import PortolanFiles

/// Runs a file of commands.
package struct RunScript: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run a script: one command a line.",
    discussion: """
      A line is a command as after : in the editor. # begins a comment, \\ at the end continues \
      the line, try before a command ignores its failure, include FILE runs another script. let \
      NAME=VALUE defines a value, and {{NAME}} inserts it in later lines: as a part of one word, \
      or as one value of an expression. The first failure ends the script: FILE:LINE:COLUMN: \
      message. A script that ends with edits neither saved, exported nor drawn reports them and \
      exits with 1.
      """)

  package static let requiresSaving = true
  package static let findings: String? = "the script leaves edits that are written nowhere"

  @Argument(help: "The script; - is standard input.", completion: .file())
  var script: String

  @Argument(help: "Files to open first; the second and later ones as layers.", completion: .file())
  var files: [String] = []

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Define a value; it replaces the script's own let of that name. May be given several times.",
      valueName: "name=value"))
  var values: [NamedValue] = []

  @OptionGroup var versions: VersionOptions

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { files }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    if script == "-" && !desk.isHeadless {
      throw EditingError(.refused, "standard input is the keyboard here: :run FILE")
    }
    if versions.noVersions {
      guard desk.isHeadless else {
        throw EditingError(.refused, "--no-versions is for the verb: write save --no-versions")
      }
      desk.session.keepsVersions = false
    }
    try desk.requireNoScript()
    var names = ScriptNames()
    for value in values { names.set(value.name, to: value.bytes) }
    desk.request(ScriptRequest(path: script, names: names))
  }
}

/// A value and its name, as `NAME=VALUE`.
package struct NamedValue: ExpressibleByArgument, Sendable {
  var name: String
  var bytes: [UInt8]

  package init?(argument: String) {
    guard let (name, bytes) = ScriptNames.assignment(FilePath.bytes(of: argument)) else {
      return nil
    }
    (self.name, self.bytes) = (name, bytes)
  }
}
