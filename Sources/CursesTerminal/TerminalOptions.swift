package import PortolanTerminals

/// What the user wants of the terminal.
package struct TerminalOptions: Hashable, Sendable {
  /// Whether output is bracketed so that a terminal shows whole pictures only.
  package enum Synchronisation: String, Hashable, Sendable, CaseIterable {
    /// Where the terminal's description looks modern enough to ignore what it does not know.
    case auto
    case on
    case off
  }

  package var colour: ColourChoice = .auto
  /// Off leaves the mouse to the terminal, for its own selection of text.
  package var usesMouse = true
  package var synchronisation: Synchronisation = .auto

  package init() {}
}
