import ArgumentParser
import PortolanEditing

/// The manual page, made from the list of commands: portolan(1).
enum ManualPage {
  static var text: String {
    var lines = [
      ".TH PORTOLAN 1", ".SH NAME", "portolan \\- map documents in a terminal", ".SH SYNOPSIS",
      ".B portolan", "[FILE ...]", ".br", ".B portolan", "VERB ...",
      ".SH DESCRIPTION",
      "Portolan opens map data in a terminal, lets you look at it, change it and keep it as one",
      "document, and exports it from scripts. Press ? in the editor for its keys.",
      ".SH VERBS",
    ]
    for verb in Portolan.verbs + Portolan.sharing { lines += section(verb) }
    lines += [".SH COMMANDS", "After : in the editor, and in scripts:"]
    for command in Commands.all where !command.isVerb {
      lines += section(command)
    }
    lines += [
      ".SH ENVIRONMENT", ".TP", "TERM", "the terminal's type", ".TP", "NO_COLOR",
      "no colours, if not empty", ".TP", "COLORFGBG",
      "the background of a terminal that does not tell it", ".TP", "PORTOLAN_ASK",
      "no: the terminal is asked nothing; PORTOLAN_THEME and so on set the other settings",
      ".SH FILES", ".TP", "$XDG_CONFIG_HOME/portolan/config, /etc/xdg/portolan/config",
      "settings; portolan option shows them, portolan option \\-\\-example prints a file with all",
      ".SH EXIT STATUS", "0 done; 1 done, with findings; 2 usage or script error; 3 input missing,",
      "unreadable or corrupt; 4 output not written; 5 not supported; 130 interrupted.",
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func section(_ command: any ParsableCommand.Type) -> [String] {
    let name = command.configuration.commandName ?? command._commandName
    let help = command.helpMessage(includeHidden: false, columns: 72)
      .split(separator: "\n", omittingEmptySubsequences: false).map(escaped)
    return [".SS \(escaped(Substring(name)))", ".nf"] + help + [".fi"]
  }

  /// Text escaped for troff.
  private static func escaped(_ text: Substring) -> String {
    let safe = text.split(separator: "\\", omittingEmptySubsequences: false)
      .joined(separator: "\\e").split(separator: "-", omittingEmptySubsequences: false)
      .joined(separator: "\\-")
    return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
  }
}
