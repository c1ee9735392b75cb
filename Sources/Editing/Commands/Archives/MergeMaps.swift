package import ArgumentParser
import PortolanComparing
import PortolanFiles

/// Merges two edits of a map.
package struct MergeMaps: FileCommand {
  package static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge two edits of a map, feature by feature.",
    discussion: """
      BASE is the map before both edits, and may be empty. Attributes are merged one by one, \
      geometries by their parts and rings. What both changed differently is a conflict: the \
      feature stays as OURS has it and keeps the other versions until somebody decides (]c and \
      :resolve in the editor). Files of GeoJSON keep the bytes of OURS, and features that only \
      THEIRS changed keep theirs. As git's merge driver: \
      git config merge.portolan.driver "portolan merge %O %A %B -o %A --git=%P". The exit code is \
      1 when there are conflicts; with --git errors are 129, since git takes 1 to 128 for \
      conflicts, and a text that is no map is left with the marks of git's own merge of lines.
      """)

  package static let findings: String? = "there are conflicts"

  @Argument(help: "The map before both edits; an empty file is an empty map.", completion: .file())
  var base: String

  @Argument(help: "The map with our edits.", completion: .file())
  var ours: String

  @Argument(help: "The map with the other edits.", completion: .file())
  var theirs: String

  @OptionGroup var target: OutputOptions

  @Option(help: "The attribute that features are matched by, in the place of their id.")
  var key: String?

  @Option(
    help: """
      What becomes of a geometry that both changed: rings (the changed parts and rings of each), \
      auto (vertices within a ring, too, if the result is valid), ours or theirs.
      """,
    completion: .list(MergeOptions.GeometryRule.allCases.map(\.rawValue)))
  var geometry: String = MergeOptions.GeometryRule.rings.rawValue

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "As git's merge driver: the name of the file, for messages. The output is overwritten.",
      valueName: "PATH"))
  var git: String?

  @OptionGroup package var common: CommonOptions

  package init() {}

  package var inputs: [String] { [] }

  package func validate() throws {
    guard MergeOptions.GeometryRule(rawValue: geometry) != nil else {
      throw ValidationError("--geometry is rings, auto, ours or theirs, not “\(geometry)”")
    }
    if [base, ours, theirs].filter({ $0 == "-" }).count > 1 {
      throw ValidationError("only one of the three can be standard input: name files")
    }
  }

  package func run(in desk: inout Desk) throws {
    let path = try target.path(as: "merge BASE OURS THEIRS -o FILE", in: desk)
    desk.request(
      MergeRequest(
        base: base, ours: ours, theirs: theirs, output: path,
        overwrites: target.force || git != nil, shownName: git,
        options: MergeOptions(
          key: key, geometry: MergeOptions.GeometryRule(rawValue: geometry) ?? .rings)))
  }
}

/// Two edits of a map to be merged.
struct MergeRequest: Request {
  var base: String
  var ours: String
  var theirs: String
  var output: String
  var overwrites: Bool
  /// The name of the file for messages, where the output is a copy of it; `nil` for the output's.
  var shownName: String?
  var options: MergeOptions

  var name: String { "merging \(shownName ?? ours)" }
  var isWriting: Bool { true }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> String {
    do {
      return try world.merge(self, progress)
    } catch {
      throw world.leavingBoth(of: self, after: error)
    }
  }
}
