package import PortolanTerminals

/// The user's options for the terminal.
package struct TerminalOptions: Hashable, Sendable {
  /// Whether output is bracketed so that a terminal shows whole frames only.
  package enum Synchronisation: String, Hashable, Sendable, CaseIterable {
    /// If the terminal's description looks modern enough to ignore unknown modes.
    case auto
    case on
    case off
  }

  package var colour: ColourChoice = .auto
  /// The theme; without one, or without a ground of its own, the terminal is asked for its
  /// background, then the environment.
  package var theme: Theme?
  /// The characters for the edges of areas.
  package var blocks = BlockChoice.auto
  /// The use of pictures below the characters.
  package var pictures = PictureChoice.auto
  /// Off leaves the mouse to the terminal, for its own selection of text.
  package var usesMouse = true
  package var synchronisation: Synchronisation = .auto

  /// Whether the terminal is asked what it can; without, its description and the environment tell.
  package var asks = true

  package init() {}
}
