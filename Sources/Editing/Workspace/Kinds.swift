import PortolanDocuments
import Synchronization

/// The lists of kinds that an editor is made of.
package struct Kinds: Sendable {
  package let panes: [any PaneKind.Type]
  package let overlays: [any Overlay.Type]
  package let commands: CommandList
  /// The sections of the key map.
  package let modes: [Mode]
  /// The default key map as text: the keys of maps, then those of each kind.
  package let keyText: String
  /// The default key map; empty if its text were wrong, which a test rules out.
  ///
  /// It is made when it is first asked for: verbs and scripts have no keys.
  package var keyMap: KeyMap {
    madeKeyMap.value.withLock { made in
      if let made { return made }
      let map = (try? KeyMap(text: keyText, modes: modes)) ?? KeyMap()
      made = map
      return map
    }
  }
  private let madeKeyMap = MadeKeyMap()

  package static let standard = Kinds(
    panes: PaneKinds.all, overlays: Overlays.all, commands: Commands.all)

  package init(
    panes: [any PaneKind.Type], overlays: [any Overlay.Type], commands: [any Command.Type]
  ) {
    (self.panes, self.overlays) = (panes, overlays)
    self.commands = CommandList(commands)
    var seen = Set<Mode>()
    modes = (panes.map { $0.mode } + overlays.compactMap { $0.mode }).filter {
      seen.insert($0).inserted
    }
    let texts = [KeyMap.mapText] + overlays.map { $0.keys } + panes.map { $0.keys }
    keyText = (texts + [KeyMap.everyText]).joined(separator: "\n")
  }

  /// The kind of pane that shows a view: the first of the list that does.
  func pane(showing view: any View) -> any PaneKind.Type {
    panes.first { $0.shows(view) } ?? UnknownPane.self
  }
}

private final class MadeKeyMap: Sendable {
  let value = Mutex<KeyMap?>(nil)
}
