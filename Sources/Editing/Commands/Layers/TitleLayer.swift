package import ArgumentParser
import PortolanDocuments

/// Gives a layer a title for legends and headings; its name stays.
package struct TitleLayer: Command {
  package static let configuration = CommandConfiguration(
    commandName: "title", abstract: "Give a layer a title for legends and headings.",
    discussion: "Without a text the layer has the title of its name again.")

  @Argument(help: "Its name or number.")
  var layer: String

  @Argument(help: "The title: one or several words.")
  var text: [String] = []

  package init() {}

  package func run(in desk: inout Desk) throws {
    let layer = try desk.layer(named: layer)
    let title = text.joined(separator: " ")
    try desk.editLayers("title \(layer.name)", [layer.id]) { $0.title = title }
    guard let titled = desk.document[layer: layer.id], titled.title == title else {
      throw EditingError(.refused, "“\(layer.name)” is of an unknown kind: it has no title")
    }
    desk.say("\(layer.name): “\(LayerTitles(desk.document).title(of: titled))”")
  }
}
