package import ArgumentParser
package import PortolanDocuments
package import PortolanInterchange
import PortolanPrinting

/// Describes a map in plain sentences.
package struct DescribeMap: MapVerb {
  package static let configuration = CommandConfiguration(
    commandName: "describe",
    abstract: "Describe in sentences what a map holds, where and how much.",
    discussion: """
      For screen readers, tickets and programs that cannot see the map: layers, kinds and numbers \
      of features, extent and size, countries by the built-in map of the world, attributes with \
      their types and ranges, and notes on anything unusual. info has the same facts as a list.
      """)

  package static let jsonOptions = ["--json"]

  @Flag(help: "As JSON, with every attribute and country.")
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

  package var wishes: SourceWishes {
    SourceWishes(
      layers: [], box: nil, condition: map.condition.condition?.text, asked: .all,
      figuresOfChosen: false, limit: nil)
  }

  package var needs: DocumentNeeds { .shapes(where: map.condition.condition?.text) }

  package func run(in desk: inout Desk) throws {
    try refuseInputs(in: desk)
    let document = try map.condition.part(of: desk.document, telling: &desk)
    desk.request(
      DescriptionRequest(
        document: document, file: desk.file.path ?? desk.file.source ?? "",
        notices: desk.notices,
        countries: desk.session.base.builtIn, isJSON: json))
  }
}

/// Makes a description in the background.
private struct DescriptionRequest: Request {
  var document: Document
  var file: String
  var notices: [String]
  var countries: BuiltInBase?
  var isJSON: Bool

  var name: String { "describing the map" }

  func perform(
    in world: World, _ progress: World.Progress
  ) throws(Failure) -> DocumentDescription {
    do {
      return try DocumentDescription(
        document, file: file, notices: notices,
        countries: countries?.map(.countries).flatMap { CountryCensus.areas(of: $0.layers) }
      ) { try progress.report($0) }
    } catch {
      throw Failure(error)
    }
  }

  func take(_ description: DocumentDescription, in desk: inout Desk) {
    desk.send(isJSON ? .printData(description.json) : .print(description.sentences))
  }
}
