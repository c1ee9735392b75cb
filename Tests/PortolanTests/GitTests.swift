import Foundation
import Testing

/// The settings of git that the page about inspection gives, in a repository of their own.
@Suite struct GitTests {
  private static let hasGit =
    ["/usr/bin/git", "/bin/git", "/usr/local/bin/git"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  private static func list(_ number: Int) -> String {
    "<plist version=\"1.0\"><dict><key>a</key><integer>\(number)</integer></dict></plist>\n"
  }

  /// Runs a line of the shell with the program's folder in the path and no settings of a user.
  private func shell(_ line: String, in program: Program) throws -> Program.Result {
    let environment = [
      "PATH": Program.path.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin",
      "HOME": program.folder.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat",
    ]
    return try program.run(
      ["-c", line], environment: environment, executable: URL(fileURLWithPath: "/bin/sh"))
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `git shows what changed in an archive, and goes on at one that is damaged`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(Self.list(1), to: "a.plist")
    try program.write("*.plist diff=archive\n", to: ".gitattributes")
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/inspecting.md"), encoding: .utf8)
    let settings = page.split(separator: "\n").map { $0.drop { $0 == " " } }.filter {
      $0.hasPrefix("git config diff") && !$0.contains("$ ")
    }
    #expect(settings.count == 3)
    let begun = try shell(
      "git init -q . && git -c user.name=x -c user.email=x@x commit -q --allow-empty -m one"
        + " && git add . && \(settings[0])", in: program)
    #expect(begun.status == 0, "\(begun.errors)")
    try program.write(Self.list(2), to: "a.plist")
    let text = try shell("git diff a.plist", in: program)
    #expect(text.output.contains("\n-a: 1\n+a: 2\n"), "\(text.output) \(text.errors)")
    try program.write("damaged", to: "a.plist")
    #expect(try shell("git diff a.plist", in: program).status == 128)
    #expect(try shell(String(settings[1]), in: program).status == 0)
    let damaged = try shell("git diff a.plist", in: program)
    #expect(damaged.status == 0 && damaged.output.contains("\n-a: 1\n"))
    #expect(damaged.output.contains("  -\n") && damaged.errors.contains("neither an archive"))
    try program.write(Self.list(3), to: "a.plist")
    #expect(try shell(String(settings[2]), in: program).status == 0)
    let tool = try shell("git difftool -y -t archive", in: program)
    #expect(tool.output.contains("\n@@ / @@\n-a: 1\n+a: 3\n"), "\(tool.output) \(tool.errors)")
  }
}
