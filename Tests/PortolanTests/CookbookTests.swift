import Foundation
import Testing

/// The recipes of the cookbook.
enum Cookbook {
  static let hasTools = ["/usr/bin/jq", "/usr/local/bin/jq", "/bin/jq"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Docs")

  /// A command and its output.
  struct Recipe: CustomTestStringConvertible, Sendable {
    var command: String
    var output = ""
    var testDescription: String { command }
  }

  /// Indented lines that begin with `$`, each with the indented lines below it.
  static func recipes(of page: String) throws -> [Recipe] {
    let text = try String(contentsOf: docs.appendingPathComponent(page), encoding: .utf8)
    var recipes: [Recipe] = []
    var isOpen = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    $ ") {
        recipes.append(Recipe(command: String(line.dropFirst(6))))
        isOpen = true
      } else if line.hasPrefix("    "), isOpen {
        recipes[recipes.count - 1].output += line.dropFirst(4) + "\n"
      } else {
        isOpen = false
      }
    }
    return recipes
  }
}

/// The commands of the cookbook, run as they stand, print what stands below them.
@Suite struct CookbookTests {
  @Test func `There are recipes of every kind of file`() throws {
    let commands = try Cookbook.recipes(of: "cookbook.md").map(\.command).joined()
    for file in [
      "messages.txt", "recent-items.plist", "places.plist", "windows.plist", "notes.plist",
      "panel.nib", "compiled.nib", "towns.geojson", "stations.csv",
    ] {
      #expect(commands.contains(file))
    }
  }

  @Test(
    .enabled(if: Cookbook.hasTools, "jq is not installed: apt-get install jq"),
    arguments: try Cookbook.recipes(of: "cookbook.md"))
  func `A recipe prints what stands below it`(_ recipe: Cookbook.Recipe) throws {
    try Self.run(recipe)
  }

  @Test(arguments: try Cookbook.recipes(of: "describing.md"))
  func `A description says what stands below it`(_ recipe: Cookbook.Recipe) throws {
    try Self.run(recipe)
  }

  @Test(arguments: try Cookbook.recipes(of: "expressions.md"))
  func `An example of expressions prints what stands below it`(
    _ recipe: Cookbook.Recipe
  ) throws { try Self.run(recipe) }

  @Test(arguments: try Cookbook.recipes(of: "coverages.md"))
  func `An example of coverages prints what stands below it`(_ recipe: Cookbook.Recipe) throws {
    try Self.run(recipe)
  }

  @Test(arguments: try Cookbook.recipes(of: "checking.md"))
  func `An example of checking prints what stands below it`(
    _ recipe: Cookbook.Recipe
  ) throws { try Self.run(recipe) }

  private static func run(_ recipe: Cookbook.Recipe) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", recipe.command]
    process.currentDirectoryURL = Cookbook.docs.appendingPathComponent("examples")
    process.environment = [
      "PATH": Program.path.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin",
      "SWIFT_BACKTRACE": "enable=no",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // Tables end their lines with a carriage return, which a page does not show.
    let lines = String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n")
    #expect(lines == recipe.output)
  }
}
