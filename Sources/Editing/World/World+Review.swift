import PortolanComparing
import PortolanDocuments
import PortolanFiles
import PortolanPrinting

/// Reviews of two versions of a map.
extension World {
  func review(_ request: ReviewRequest, _ work: Progress) throws(Failure) -> String {
    let (first, second) = try reviewed(request)
    for file in [first, second] where file.isArchive {
      throw Failure(.usage, subject: file.name, what: "is no map: only maps are reviewed")
    }
    let old = try document(of: first, work.part(0, of: 4))
    let new = try document(of: second, work.part(1, of: 4))
    let difference = try self.difference(
      from: old, to: new, key: request.key, areDocuments: first.isDocument && second.isDocument,
      work.part(2, of: 4))
    let maps = ReviewMaps(new)
    let names = (first.title, second.title)
    try write(
      to: request.output, overwrites: request.overwrites, as: request.isPage ? .text : .screen,
      work
    ) { send in
      if request.isPage {
        try ReviewPage(difference: difference, names: names, maps: maps).write(send)
      } else {
        try ReviewText(difference: difference, names: names, maps: maps).write(send)
      }
    }
    return request.output == "-"
      ? "" : "review in \(request.output): \(DifferenceText.summary(difference))"
  }

  /// The two files, or a file in two revisions.
  private func reviewed(
    _ request: ReviewRequest
  ) throws(Failure) -> (ComparedFile, ComparedFile) {
    guard let dots = request.first.firstRange(of: ".."), !files.exists(request.first) else {
      return (try readCompared(request.first), try readCompared(request.second))
    }
    let revisions = [
      String(request.first[..<dots.lowerBound]), String(request.first[dots.upperBound...]),
    ].map { $0.isEmpty ? "HEAD" : $0 }
    for revision in revisions where revision.hasPrefix("-") || revision.hasPrefix(".") {
      throw Failure(.usage, what: "no revision “\(revision)”: write REV..REV -- FILE")
    }
    return (
      try file(request.second, in: revisions[0]), try file(request.second, in: revisions[1])
    )
  }

  /// A file as it is in a revision of its git repository; one that it does not have is empty.
  private func file(_ path: String, in revision: String) throws(Failure) -> ComparedFile {
    guard let run = options.runProgram else {
      throw Failure(.unsupported, what: "revisions need git, which cannot be run here")
    }
    let folder = FilePath.folder(of: path)
    let git = ["git", "-C", folder.isEmpty ? "." : folder]
    func output(_ arguments: [String]) throws(Failure) -> ProgramOutput {
      do {
        return try run(git + arguments)
      } catch {
        throw Failure(.input, subject: "git", what: error.what)
      }
    }
    let known = try output(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"])
    guard known.status == 0 else {
      let words = String(decoding: known.errors.prefix(200), as: UTF8.self)
      throw Failure(
        .input, subject: path,
        what: "git knows no revision “\(revision)” here" + (words.isEmpty ? "" : ": \(words)"))
    }
    let name = "\(revision):./\(FilePath.name(of: path))"
    let blob = try output(["cat-file", "blob", name])
    // A file that the revision does not have is a map without features.
    let bytes = blob.status == 0 ? blob.output : Array(Self.emptyMap.utf8)
    return ComparedFile(
      path: path, bytes: bytes,
      isArchive: blob.status == 0 && isArchive(bytes, path), revision: revision)
  }

  private static let emptyMap = "{\"type\":\"FeatureCollection\",\"features\":[]}"
}
