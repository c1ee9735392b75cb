package import ArgumentParser
package import PortolanTerminals

/// Chooses whether a map at rest is shown as pixels.
package struct ChoosePictures: Command {
  package static let configuration = CommandConfiguration(
    commandName: "pictures", abstract: "Choose whether a map at rest is drawn with pixels.",
    discussion: """
      In terminals with kitty's graphics protocol, lines and areas become pixels when the map has \
      been at rest for an eighth of a second; signs, texts and the cursor stay characters above \
      them. Any movement brings the characters back. auto (the default) draws pixels where the \
      terminal reports that it shows pictures; on draws them also where the terminal was not \
      asked; tmux never gets any. Pixels need cairo, as PNG files do. Without an argument, \
      pictures shows the present choice; portolan --pictures sets it at the start.
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
