package import ArgumentParser
import PortolanDocuments

/// Chooses the classes of the active layer in a panel, while the map shows them.
package struct ChooseClasses: Command {
  package enum Action: String, ExpressibleByArgument, CaseIterable, Sendable {
    case open, up, down, next, previous, accept
  }

  package static let configuration = CommandConfiguration(
    commandName: "classes",
    abstract: "Choose the classes of the active layer in a panel; the map shows them at once.",
    discussion: "Scripts use `style LAYER --by FIELD`.")

  @Argument(help: "open, up, down, next, previous or accept.")
  var action = Action.open

  @Argument(help: "How many lines or choices.")
  var count = 1

  package init() {}

  package var summary: String {
    switch action {
    case .open: "Choose classes, with a preview."
    case .up: "Previous line."
    case .down: "Next line."
    case .next: "Next choice."
    case .previous: "Previous choice."
    case .accept: "Take the choices."
    }
  }

  package func run(in desk: inout Desk) throws {
    if action == .open { return try desk.openClassPanel() }
    let count = min(max(count, 0), 1000)
    guard var panel = desk.classPanel,
      let layer = desk.document[layer: panel.layer] as? any FeatureHolding
    else { throw EditingError(.refused, "no classes are being chosen: :classes begins") }
    switch action {
    case .open: return
    case .up: panel.move(by: -count)
    case .down: panel.move(by: count)
    case .next: panel.change(by: count, of: layer)
    case .previous: panel.change(by: -count, of: layer)
    case .accept:
      desk.classPanel = nil
      guard panel.isChanged else { return }
      return try desk.accept(panel, for: layer)
    }
    desk.classPanel = panel
  }
}

extension Desk {
  package internal(set) var classPanel: ClassPanel? {
    get { work.overlay[ClassPanel.self] }
    set { work.overlay[ClassPanel.self] = newValue }
  }

  fileprivate mutating func openClassPanel() throws {
    let layer = try drawnLayer(orActive: nil)
    guard let holding = layer as? any FeatureHolding, holding.count > 0 else {
      throw EditingError(.refused, "“\(layer.name)” has no features to make classes of")
    }
    if isReadOnly || document.isProtected(layer) { throw EditingError.locked(layer.name) }
    let isFromLayers = session.isLayersPanelFocused
    leaveModes()
    session.isLayersPanelFocused = isFromLayers
    classPanel = ClassPanel(holding)
  }

  fileprivate mutating func accept(_ panel: ClassPanel, for layer: any Layer) throws {
    if panel.isDeferred {
      return try StyleLayer.parse(panel.arguments).makeClasses(of: layer, in: &self)
    }
    try edit("style \(layer.name)") { $0.replaceStyle(panel.former, by: panel.preview) }
    say("\(layer.name): " + (panel.word.isEmpty ? "one look" : panel.word))
  }

  /// Closes the panel if its layer has gone, or looks otherwise than when it was opened.
  mutating func checkClassPanel() {
    guard let panel = classPanel else { return }
    if document[layer: panel.layer]?.style !== panel.former { classPanel = nil }
  }
}
