package import ArgumentParser
package import PortolanTerminals

/// Chooses whether a map at rest is shown as pixels.
package struct ChoosePictures: Command {
  package static let configuration = CommandConfiguration(
    commandName: "pictures", abstract: "Choose whether a map at rest is drawn with pixels.",
    discussion: """
      In terminals with kitty's graphics protocol, lines and areas become pixels when the map has \
      been at rest for an eighth of a second; signs, texts and the cursor stay characters above \
      them. They are characters again as soon as something moves. auto, the beginning, does so \
      where the terminal has told that it shows pictures; on also where it was not asked; never in \
      tmux. It needs cairo, as pictures in files do. Without an argument the present choice is \
      told. portolan --pictures begins with one.
      """)

  @Argument(
    help: "auto, on or off.", completion: .list(PictureChoice.allCases.map(\.rawValue)))
  var choice: PictureChoice?

  package init() {}

  package func run(in desk: inout Desk) {
    if let choice {
      desk.session.capabilities.pictures = choice
      desk.session.chosenPictures = choice
    }
    let capabilities = desk.session.capabilities
    let word = "pictures: " + capabilities.pictures.rawValue
    if capabilities.pictures == .off { return desk.say(word) }
    if capabilities.pictureCellSize != nil { return desk.say(word + ", at rest") }
    desk.say(word + Self.refusal(capabilities), choice == .on ? .warning : .note)
  }

  /// The reason why a terminal shows no pictures, and what to do.
  private static func refusal(_ capabilities: ScreenCapabilities) -> String {
    if capabilities.takesPictures == false, capabilities.terminalName == "tmux" {
      return ", but tmux shows none: start portolan outside tmux"
    }
    return ", none in this terminal"
  }
}

extension PictureChoice: ExpressibleByArgument {}
