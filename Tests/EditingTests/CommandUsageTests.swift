import ArgumentParser
import Foundation
import Testing

@testable import PortolanEditing

/// What commands tell programs of themselves.
@Suite struct CommandUsageTests {
  private static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test(arguments: Commands.all.map { $0.name })
  func `The usage tells exactly the flags that the help tells`(name: String) throws {
    let command = try #require(Commands.named(name))
    let usage = CommandUsage(command)
    let helped = command.helpMessage(includeHidden: false, columns: 10_000).split(separator: "\n")
      .filter { $0.hasPrefix("  -") }
      .flatMap { line in
        line.dropFirst(2).split(separator: "  ")[0].split { $0 == "," || $0 == " " || $0 == "/" }
      }
      .map(String.init).filter { $0.hasPrefix("--") && $0 != "--help" }
    #expect(Set(usage.flags) == Set(helped))
    let named = usage.arguments.filter { $0.kind != .positional }
    #expect(named.allSatisfy { !$0.names.isEmpty })
  }

  @Test(arguments: Commands.all.filter { $0.isVerb }.map { $0.name })
  func `A verb is told as JSON`(name: String) throws {
    let verb = try #require(Commands.named(name) as? any FileCommand.Type)
    let usage = try Self.object(CommandUsage(verb).json)
    #expect(usage["name"] as? String == name)
    #expect(usage["abstract"] as? String == verb.configuration.abstract)
    let codes = try #require(usage["exitCodes"] as? [String: String])
    #expect(Set(codes.keys).union(["1"]) == ["0", "1", "2", "3", "4", "5", "130"])
    let options = try #require(usage["options"] as? [[String: Any]])
    let names = options.compactMap { $0["names"] as? [String] }.flatMap { $0 }
    #expect(names.contains("--quiet"))
    for option in options {
      #expect(option["kind"] is String && option["help"] is String && option["repeats"] is Bool)
    }
    // What makes JSON is made of its own options, with their own choices.
    for form in verb.jsonOptions {
      let words = form.split(separator: " ").map(String.init)
      for (index, word) in words.enumerated() {
        if word.hasPrefix("--") {
          #expect(names.contains(word))
        } else {
          let option = options.first {
            ($0["names"] as? [String])?.contains(words[index - 1]) == true
          }
          #expect((option?["choices"] as? [String])?.contains(word) == true, "\(form)")
        }
      }
    }
  }

  @Test(arguments: Commands.all.map { $0.name })
  func `Of a choice each word is read`(name: String) throws {
    let command = try #require(Commands.named(name))
    for argument in CommandUsage(command).arguments
    where argument.kind == .option && !argument.choices.isEmpty {
      for choice in argument.choices {
        #expect(!Self.isRefused(choice, argument.names[0], by: command), "\(choice)")
      }
    }
  }

  @Test func `A word that is none of the choices is refused`() throws {
    let options = Commands.all.flatMap { command in
      CommandUsage(command).arguments.filter { $0.kind == .option && !$0.choices.isEmpty }
        .map { (command, $0.names[0]) }
    }
    let refusing = options.filter { Self.isRefused("no such word", $0.1, by: $0.0) }
    // Of the others the choices are examples, or the command itself refuses.
    #expect(refusing.count > 10)
    let (command, name) = try #require(refusing.first)
    let error = #expect(throws: (any Error).self) { try command.parse([name, "no such word"]) }
    #expect(command.message(for: try #require(error)).contains("is invalid for"))
  }

  /// Whether a value itself is refused: words that are missing beside it are no matter.
  ///
  /// The message would say so, but takes a hundred times as long.
  private static func isRefused(
    _ word: String, _ option: String, by command: any Command.Type
  ) -> Bool {
    do {
      _ = try command.parse([option, word])
      return false
    } catch {
      return "\(error)".contains("unableToParseValue")
    }
  }
}
