import PortolanFiles

/// The git repository that a file is in, asked through git itself.
struct Repository {
  /// The path of the file from the top of the repository, as git names it.
  let name: String
  private let folder: String
  /// The path of the folder from the top, with a slash behind it; empty for the top.
  private let prefix: String
  private let run: @Sendable ([String]) throws(ProgramOutput.Refusal) -> ProgramOutput

  /// - Throws: `Failure` if git cannot be run, or the file is in no repository.
  init(
    of path: String,
    run: (@Sendable ([String]) throws(ProgramOutput.Refusal) -> ProgramOutput)?
  ) throws(Failure) {
    guard let run else {
      throw Failure(.unsupported, what: "revisions need git, which cannot be run here")
    }
    let folder = FilePath.folder(of: path)
    self.run = run
    self.folder = folder.isEmpty ? "." : folder
    let found = try Self.output(run, self.folder, ["rev-parse", "--show-prefix"])
    guard found.status == 0 else {
      throw Failure(
        .input, subject: path.isEmpty ? "this folder" : path,
        what: "is in no repository of git: \(Self.words(found.errors))")
    }
    prefix = FilePath.text(of: found.output.dropLast())
    name = prefix + FilePath.name(of: path)
  }

  /// The name of a commit for git.
  func commit(_ revision: String) throws(Failure) -> String {
    let found = try output(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
    guard found.status == 0 else {
      let words = Self.words(found.errors)
      throw Failure(
        .input, subject: shown(name),
        what: "git knows no revision “\(revision)” here" + (words.isEmpty ? "" : ": \(words)"))
    }
    return Self.line(found.output)
  }

  /// The commit that two have in common, as `git diff A...B` takes it.
  func base(of first: String, _ second: String) throws(Failure) -> String {
    let found = try output(["merge-base", first, second])
    guard found.status == 0 else {
      throw Failure(.input, subject: shown(name), what: "the two revisions have no common one")
    }
    return Self.line(found.output)
  }

  /// Whether a commit has a file.
  ///
  /// - Parameter name: from the top of the repository.
  func has(_ name: String, in commit: String) throws(Failure) -> Bool {
    try output(["cat-file", "-e", "\(commit):\(name)"]).status == 0
  }

  /// The bytes of a file of a commit, or staged ones where the commit is empty.
  func bytes(of name: String, in commit: String) throws(Failure) -> [UInt8] {
    let blob = try output(["cat-file", "blob", "\(commit):\(name)"])
    guard blob.status == 0 else {
      throw Failure(.input, subject: shown(name), what: Self.words(blob.errors))
    }
    return blob.output
  }

  /// The names of the files whose staged text is new or changed.
  ///
  /// - Parameter words: those that are meant, as git takes them from the folder; empty for all.
  func staged(_ words: [String]) throws(Failure) -> [String] {
    let found = try output(
      Self.diff + ["--cached", "--name-only", "-z", "--diff-filter=ACMR", "--"] + words)
    guard found.status == 0 else {
      throw Failure(.input, subject: "git", what: Self.words(found.errors))
    }
    return found.output.split(separator: 0).map { FilePath.text(of: $0) }
  }

  /// The files that were renamed between two commits, as `git diff -M` finds them.
  func renames(
    from first: String, to second: String
  ) throws(Failure) -> [(old: String, new: String)] {
    let found = try output(
      Self.diff + ["-M", "--diff-filter=R", "--name-status", "-z", first, second])
    guard found.status == 0 else { return [] }
    // R100, the old name, the new name, each with a zero behind it.
    let words = found.output.split(separator: 0).map { FilePath.text(of: $0) }
    return stride(from: 0, to: words.count - words.count % 3, by: 3).map {
      (words[$0 + 1], words[$0 + 2])
    }
  }

  /// The path of a file of the repository as the user would write it.
  ///
  /// - Parameter name: from the top of the repository.
  func shown(_ name: String) -> String {
    let ups = prefix.split(separator: "/").map(String.init)
    var parts = name.split(separator: "/").map(String.init)
    var common = 0
    while common < ups.count, common < parts.count - 1, ups[common] == parts[common] { common += 1 }
    parts = Array(repeating: "..", count: ups.count - common) + parts[common...]
    let path = parts.joined(separator: "/")
    return folder == "." ? path : FilePath.join(folder, path)
  }

  /// The words for differences whose names are from the top, whatever the user has set.
  private static let diff = ["-c", "diff.relative=false", "diff"]

  private func output(_ words: [String]) throws(Failure) -> ProgramOutput {
    try Self.output(run, folder, words)
  }

  private static func output(
    _ run: @Sendable ([String]) throws(ProgramOutput.Refusal) -> ProgramOutput, _ folder: String,
    _ words: [String]
  ) throws(Failure) -> ProgramOutput {
    do {
      return try run(["git", "-C", folder] + words)
    } catch {
      throw Failure(.input, subject: "git", what: error.what)
    }
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private static func words(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(200).prefix { $0 != 0x0A }, as: UTF8.self)
  }
}
