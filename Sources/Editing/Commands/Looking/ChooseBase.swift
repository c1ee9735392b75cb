package import ArgumentParser
import PortolanDocuments

/// Chooses the map behind the data.
package struct ChooseBase: MapCommand {
  package static let completions = [
    "choice": Completion.list(["auto", "none", "coast", "countries", "add"])
  ]
  package static let configuration = CommandConfiguration(
    commandName: "base", abstract: "Choose the map behind the data: coasts, countries, a file.",
    discussion: """
      The base map is a reference: it is never saved, exported, picked or counted. coast shows \
      land and lakes, countries adds borders (Natural Earth 1:110,000,000, up to zoom 6; where \
      1:50,000,000 is installed, that one from zoom 3 to zoom 8); a file is read as :import reads \
      it. auto (the default) shows the coast, unless the coordinates are planar or a visible layer \
      of areas has 1,000 vertices or more and counts as land. Without an argument, base shows or \
      hides the base map. base add adds it as layers below all others, in one step; base add coast \
      and base add countries choose the map.
      """)

  @Argument(
    help: "auto, none, coast, countries, the name of a file, or add.", completion: .file())
  var choice: String?

  @Argument(help: "After add: coast or countries.")
  var added: String?

  package init() {}

  package func validate() throws {
    if let added, choice != "add" {
      throw ValidationError("“\(added)” is too much: base takes one map, or add and one map")
    }
  }

  package func run(in desk: inout Desk) throws {
    switch choice {
    case nil: try desk.toggleBase()
    case "add"?: try desk.addBase(added.map { BaseChoice(word: $0) })
    case let word?: try desk.chooseBase(BaseChoice(word: word))
    }
  }
}

extension BaseChoice: ExpressibleByArgument {
  package init?(argument: String) {
    if argument.isEmpty { return nil }
    self.init(word: argument)
  }

  package var defaultValueDescription: String { word }
}

/// Reads the base map of a file.
struct BaseRequest: Request {
  var path: String

  var name: String { "reading \(path)" }

  func perform(in world: World, _ progress: World.Progress) throws(Failure) -> BaseMap? {
    try world.base(.file(path), progress)
  }

  func take(_ answer: BaseMap?, in desk: inout Desk) { desk.takeBase(answer, of: path) }
}

extension World {
  /// The map of a choice, a finer one at a near zoom; `nil` for none.
  func base(
    _ choice: BaseChoice, at zoom: Double = 0, _ progress: Progress
  ) throws(Failure) -> BaseMap? {
    if case .file(let path) = choice {
      let data = try importData(path, layerName: nil, progress)
      guard data.isGeographic else {
        throw Failure(
          .unsupported, subject: path,
          what: "its coordinates are planar: a base map has longitudes and latitudes")
      }
      var document = Document()
      document.add(data.layers, hasLooks: true)
      return BaseMap(layers: document.shownLayers.compactMap { $0 as? any FeatureHolding })
    }
    if choice == .none { return nil }
    var setting = BaseSetting()
    setting.builtIn = options.base
    setting.choice = choice
    guard let map = setting.map else {
      throw Failure(.unsupported, what: "no base map is built in")
    }
    guard zoom > BaseMaps.finerZoom else { return map }
    let found = finerBase()
    setting.finer = found.maps
    if let fault = found.fault { addChore { fault } }
    return setting.nearMap
  }
}
