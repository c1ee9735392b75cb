import Foundation
import Testing

/// The commands of the page about merging, in a repository of their own.
@Suite struct GitMergeTests {
  private static let hasGit =
    ["/usr/bin/git", "/bin/git", "/usr/local/bin/git"].contains {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  /// - Parameter rest: how many features follow that nobody changes.
  private static func map(_ features: (Int, String)..., rest: Int = 0) -> String {
    let all = features + (0..<rest).map { (50 + $0, "same") }
    return "{\"type\":\"FeatureCollection\",\"features\":[\n"
      + all.map { id, name in
        "{\"type\":\"Feature\",\"id\":\(id),\"properties\":{\"name\":\"\(name)\",\"n\":\(id)},"
          + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(id),\(id)]}}"
      }.joined(separator: ",\n") + "\n]}\n"
  }

  private func shell(_ line: String, in program: Program) throws -> Program.Result {
    let environment = [
      "PATH": Program.path.deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin",
      "HOME": program.folder.path, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat",
      "GIT_AUTHOR_NAME": "x", "GIT_AUTHOR_EMAIL": "x@x", "GIT_COMMITTER_NAME": "x",
      "GIT_COMMITTER_EMAIL": "x@x",
    ]
    return try program.run(
      ["-c", line], environment: environment, executable: URL(fileURLWithPath: "/bin/sh"))
  }

  /// The lines of the page that begin with some words.
  private func lines(_ words: String) throws -> [String] {
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/merging.md"), encoding: .utf8)
    return page.split(separator: "\n").map { String($0.drop { $0 == " " }) }
      .filter { $0.hasPrefix(words) }
  }

  /// A repository with the page's settings, and two branches that changed a map.
  private func repository(
    _ ours: String, _ theirs: String, rest: Int = 0
  ) throws -> Program {
    let program = try Program()
    let settings = try lines("git config merge.portolan")
    #expect(settings.count == 2)
    let attributes = try #require(try lines("*.geojson ").first)
    try program.write(attributes + "\n*.ndjson merge=portolan\n", to: ".gitattributes")
    try program.write(Self.map((1, "a"), (2, "b"), (3, "c"), rest: rest), to: "map.geojson")
    let begun = try shell(
      (["git init -q -b main ."] + settings + ["git add -A", "git commit -qm base"])
        .joined(separator: " && "), in: program)
    #expect(begun.status == 0, "\(begun.errors)")
    _ = try shell("git checkout -qb other", in: program)
    try program.write(theirs, to: "map.geojson")
    _ = try shell("git commit -qam theirs && git checkout -q main", in: program)
    try program.write(ours, to: "map.geojson")
    _ = try shell("git commit -qam ours", in: program)
    return program
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `git merges maps by their features, renamed ones too`() throws {
    let program = try repository(
      Self.map((1, "our"), (2, "b"), (3, "c"), (5, "five"), rest: 9),
      Self.map((1, "a"), (2, "their"), (4, "four"), rest: 9), rest: 9)
    defer { program.remove() }
    _ = try shell("git mv map.geojson moved.geojson && git commit -qam moved", in: program)
    let merged = try shell("git merge -q -m merged other", in: program)
    #expect(merged.status == 0, "\(merged.output) \(merged.errors)")
    let text = try program.read("moved.geojson")
    #expect(text == Self.map((1, "our"), (2, "their"), (5, "five"), (4, "four"), rest: 9))
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `a conflict stops the merge, is decided and committed`() throws {
    let program = try repository(
      Self.map((1, "our"), (2, "b"), (3, "c")), Self.map((1, "their"), (2, "b"), (3, "cc")))
    defer { program.remove() }
    let merged = try shell("git merge -m merged other", in: program)
    #expect(merged.status == 1 && merged.output.contains("CONFLICT"), "\(merged)")
    #expect(merged.errors.contains("map.geojson: conflict: feature 1 “our” (id 1): name"))
    try program.write("open map.geojson\nresolve theirs --all\nsave\n", to: "decide.portolan")
    let decided = try shell(
      "portolan run decide.portolan && git commit -qam merged && git status --short -uno",
      in: program)
    #expect(decided.status == 0 && decided.output.isEmpty, "\(decided.errors)")
    #expect(
      try program.read("map.geojson")
        == Self.map((1, "their"), (2, "b"), (3, "cc")))
    // A driver that fails leaves ours, and git does not take that for a merge.
    let failed = try shell(
      "printf '{' > bad; portolan merge map.geojson map.geojson bad -o out --git x", in: program)
    #expect(failed.status == 129 && failed.errors.contains("x (theirs): line 1, column 2"))
    #expect(try shell("portolan merge --git x a", in: program).status == 129)
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `both add a file, and a review tells what a revision changed`() throws {
    let program = try repository(
      Self.map((1, "our"), (2, "b"), (3, "c")), Self.map((1, "a"), (2, "b"), (3, "cc")))
    defer { program.remove() }
    for (branch, id) in [("other", 1), ("main", 2)] {
      _ = try shell("git checkout -q \(branch)", in: program)
      try program.write(Self.map((id, "new")), to: "added.geojson")
      _ = try shell("git add -A && git commit -qm added", in: program)
    }
    let merged = try shell("git merge -q -m merged other", in: program)
    #expect(merged.status == 0, "\(merged.output) \(merged.errors)")
    #expect(
      try program.read("added.geojson")
        == Self.map((2, "new"), (1, "new")))
    let review = try shell("portolan review HEAD~1..HEAD -- map.geojson", in: program)
    #expect(review.status == 0, "\(review.errors)")
    #expect(review.output.contains("--- map.geojson in HEAD~1\n+++ map.geojson in HEAD\n"))
    #expect(review.output.contains("~ feature 3 “cc” (id 3)\n    name: \"c\" → \"cc\"\n"))
    let page = try shell(
      "portolan review main~2.. -- map.geojson -o review.html && head -c 15 review.html",
      in: program)
    #expect(page.status == 0 && page.output == "<!DOCTYPE html>", "\(page.errors)")
    let unknown = try shell("portolan review nothing..HEAD -- map.geojson", in: program)
    #expect(unknown.status == 3 && unknown.errors.contains("no revision “nothing”"))
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `a driver that fails leaves both texts, and takes every name`() throws {
    let program = try Program()
    defer { program.remove() }
    let settings = try lines("git config merge.portolan")
    let begin = ["git init -q -b main ."] + settings
    try program.write("*.geojson merge=portolan\n", to: ".gitattributes")
    for name in ["./-dash.geojson", "broken.geojson"] {
      try program.write(Self.map((1, "a"), (2, "b")), to: name)
    }
    _ = try shell(
      (begin + ["git add -A", "git commit -qm base", "git checkout -qb other"])
        .joined(separator: " && "), in: program)
    try program.write(Self.map((1, "a"), (2, "their")), to: "./-dash.geojson")
    try program.write("{ no map\n", to: "broken.geojson")
    _ = try shell("git commit -qam theirs && git checkout -q main", in: program)
    for name in ["./-dash.geojson", "broken.geojson"] {
      try program.write(Self.map((1, "our"), (2, "b")), to: name)
    }
    _ = try shell("git commit -qam ours", in: program)
    let merged = try shell("git merge -m merged other", in: program)
    #expect(merged.status == 1 && merged.errors.contains("the file has both texts"), "\(merged)")
    #expect(merged.errors.contains("broken.geojson (theirs): "), "\(merged)")
    #expect(try program.read("./-dash.geojson") == Self.map((1, "our"), (2, "their")))
    let broken = try program.read("broken.geojson")
    #expect(broken.contains("<<<<<<< ours\n") && broken.contains("{ no map\n>>>>>>> theirs"))
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `a review follows renames, begins where branches parted, and wants a file`() throws {
    let program = try repository(
      Self.map((1, "our"), (2, "b"), (3, "c"), rest: 9),
      Self.map((1, "a"), (2, "b"), (3, "cc"), rest: 9), rest: 9)
    defer { program.remove() }
    _ = try shell("git mv map.geojson moved.geojson && git commit -qam moved", in: program)
    let moved = try shell("portolan review HEAD~2..HEAD -- moved.geojson", in: program)
    #expect(moved.status == 0, "\(moved.errors)")
    #expect(moved.output.hasPrefix("--- map.geojson in HEAD~2\n+++ moved.geojson in HEAD\n"))
    #expect(moved.output.contains("1 changed") && !moved.output.contains("feature 3"))
    // The old name does, too, and in another folder.
    let old = try shell(
      "mkdir sub && cd sub && git config diff.relative true"
        + " && portolan review HEAD~2..HEAD -- ../map.geojson", in: program)
    #expect(old.output.contains("name: \"a\" → \"our\""), "\(old.errors)")
    let fork = try shell("portolan review main...other -- map.geojson", in: program)
    #expect(fork.output.contains("“cc”") && !fork.output.contains("our"), "\(fork.errors)")
    let missing = try shell("portolan review HEAD~1..HEAD -- typo.geojson", in: program)
    #expect(missing.status == 3 && missing.errors.contains("in neither revision"))
  }

  @Test(.enabled(if: hasGit, "git is absent"))
  func `the documented hook checks the staged text of every map`() throws {
    let program = try Program()
    defer { program.remove() }
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/checking.md"), encoding: .utf8)
    let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("exec portolan") })
    _ = try shell("git init -q -b main .", in: program)
    try program.write("#!/bin/sh\n\(line)\n", to: ".git/hooks/pre-commit")
    let faulty = Self.map((1, "a"), (1, "b"))
    try program.write(faulty, to: "my map é.geojson")
    try program.write("not a map", to: "notes.json")
    let first = try shell(
      "chmod +x .git/hooks/pre-commit && git add -A && git commit -qm one", in: program)
    #expect(first.status == 1 && first.errors.contains("my map é.geojson:"), "\(first)")
    // The staged text counts, not the file in the folder.
    try program.write(Self.map((1, "a"), (2, "b")), to: "my map é.geojson")
    #expect(try shell("git commit -qm one", in: program).status == 1)
    #expect(try shell("git add -A && git commit -qm one", in: program).status == 0)
    let conflict = Self.map((1, "a")).replacingOccurrences(
      of: "\"properties\"",
      with: "\"portolan:conflict\":{\"base\":null,\"ours\":null},\"properties\"")
    try program.write(conflict, to: "c.geojson")
    _ = try shell("portolan import c.geojson -o m.doc && rm c.geojson && git add -A", in: program)
    let document = try shell("git commit -qm two", in: program)
    #expect(document.status == 1 && document.errors.contains("m.doc:"), "\(document)")
    #expect(try shell("portolan check --staged -- '*.geojson'", in: program).status == 0)
  }
}
