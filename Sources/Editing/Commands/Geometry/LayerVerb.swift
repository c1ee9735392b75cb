import ArgumentParser
import PortolanDocuments
import PortolanFiles
package import PortolanInterchange
import PortolanKeeping

/// A command that makes features of those of layers: a verb from files into a file, and a step on
/// the open document.
///
/// The words of a verb are its input files, and then what the operation needs.
package protocol LayerVerb: FileCommand, WholeMapCommand {
  /// The files, and the operands behind them.
  var words: [String] { get }
  /// How many operands there are.
  static var operandCount: Int { get }
  var work: WorkOptions { get }
}

extension LayerVerb {
  package static var operandCount: Int { 0 }
  package static var jsonOptions: [String] { ["--format geojson", "--format ndjson"] }
  package var inputs: [String] { Array(words.dropLast(Self.operandCount)) }
  package var needsInput: Bool { true }

  /// The features that it does not work on are written, too; an operand or a condition may name a
  /// further layer.
  package var wishes: SourceWishes {
    if Self.operandCount > 0 { return SourceWishes(about: work.layers) }
    return SourceWishes(
      layers: work.layers, box: nil, condition: work.condition.condition?.text, asked: .all,
      figuresOfChosen: true, limit: nil
    ).ofFile
  }

  package var reading: (any FormatOptions)? { work.columns.reading }
  package var common: CommonOptions { work.common }

  package var operands: [String] { words.suffix(Self.operandCount) }
  /// Whether it works from files into a file.
  var isFromFiles: Bool { !inputs.isEmpty }

  /// Throws if its operands or options do not go together.
  func checkWords(_ example: String) throws {
    guard words.count >= Self.operandCount else {
      throw ValidationError("write \(Self.name) \(example)")
    }
    if work.inPlace, work.layerName != nil {
      throw ValidationError("--as names a new layer, and --in-place makes none")
    }
    _ = try work.result.exporter()
  }

  /// Throws for words that begin as options do and are none; an operand may begin so.
  func refuseUnknownOptions() throws {
    let known = words.suffix(Self.operandCount).filter {
      $0.dropFirst().first.map { "0123456789.".contains($0) } ?? false
    }
    let unknown = words.first {
      $0.hasPrefix("-") && $0 != "-" && !known.contains($0)
    }
    if let unknown {
      throw ValidationError("no option “\(unknown)”: help \(Self.name) lists them")
    }
  }

  /// Throws where files or an output are named in the editor.
  func checkPlace(in desk: Desk) throws {
    try refuseInputs(in: desk)
    if !isFromFiles, work.result.target.output != nil {
      throw EditingError(
        .refused,
        "-o is for files that are named: here the result is a layer, and :export writes it"
      )
    }
    if isFromFiles, work.inPlace {
      throw EditingError(.usage, "--in-place is for the open document: give -o FILE")
    }
  }

  /// Where the result goes: of files into the place of the layers, which are written then.
  var place: Desk.ResultPlace {
    isFromFiles ? .file : work.inPlace ? .inPlace : .newLayer(work.layerName?.text)
  }

  func chosen(in desk: inout Desk, besides other: LayerID? = nil) throws -> ChosenFeatures {
    try desk.chosenFeatures(
      work.layers, work.condition, asVerb: isFromFiles, besides: other)
  }

  /// Runs an operation with the layer, file or box that the operand names.
  func overlay(
    in desk: inout Desk, hasBox: Bool = false,
    _ operation: @escaping @Sendable (OperandShapes) -> LayerOperation
  ) throws {
    try checkPlace(in: desk)
    let operand = try desk.operand(operands[0], hasBox: hasBox)
    try desk.withShapes(of: operand) { desk, other in
      var layer: LayerID?
      if case .layer(let id) = operand { layer = id }
      let chosen = try chosen(in: &desk, besides: layer)
      try desk.operate(
        operation(other), on: chosen, into: place, besides: other.vertexCount)
    }
  }

  package func finish(in desk: inout Desk) throws {
    guard isFromFiles else { return }
    let path = try work.result.target.path(as: "\(Self.name) … -o FILE.geojson", in: desk)
    let other = operands.first.flatMap { name in
      desk.document.layers.last { $0.name == name || $0.title == name && !name.isEmpty }
    }
    try work.writeLayers(to: path, in: &desk, besides: other?.id)
  }
}

/// Options of commands that make features of those of layers.
package struct WorkOptions: ParsableArguments, Sendable {
  @Option(name: .customLong("as"), help: "The name of the new layer.")
  var layerName: TextArgument?

  @Flag(help: "In place of the features, instead of into a new layer.")
  var inPlace = false

  @Option(help: "Only these layers: names with commas between; may be given several times.")
  var layers: [String] = []

  @OptionGroup var result: ResultOptions

  @OptionGroup var condition: WhereOption

  @OptionGroup var columns: ColumnOptions

  @OptionGroup var common: CommonOptions

  package init() {}

  /// Writes the layers that were worked on.
  func writeLayers(to path: String, in desk: inout Desk, besides other: LayerID?) throws {
    if let name = layerName?.text {
      try desk.edit("rename layer") { document in
        let places = document.layers.indices.filter { document.layers[$0] is any BlockHolding }
        guard places.count == 1 else {
          throw EditingError(.usage, "--as names one layer, and there are \(places.count)")
        }
        document.layers[places[0]].name = name
      }
    }
    let ids =
      layers.isEmpty
      ? desk.document.layers.map(\.id) : try LayerNames.ids(layers, in: desk.document)
    try result.write(to: path, in: &desk) { ids.contains($0) && $0 != other }
  }
}

extension [String] {
  /// Words that may begin as options do, without the `--` before which options end.
  var withoutTerminator: [String] {
    firstIndex(of: "--").map { Array(self[..<$0] + self[($0 + 1)...]) } ?? self
  }
}
