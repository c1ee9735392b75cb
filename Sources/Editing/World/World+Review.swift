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
    let isFork = request.first[dots.upperBound...].hasPrefix(".")
    let first = String(request.first[..<dots.lowerBound])
    let second = String(request.first[dots.upperBound...].dropFirst(isFork ? 1 : 0))
    let revisions = [first, second].map { $0.isEmpty ? "HEAD" : $0 }
    for revision in revisions where revision.hasPrefix("-") || revision.hasPrefix(".") {
      throw Failure(.usage, what: "no revision “\(revision)”: write REV..REV -- FILE")
    }
    let repository = try Repository(of: request.second, run: options.runProgram)
    var commits = try revisions.map { revision throws(Failure) in
      try repository.commit(revision)
    }
    if isFork { commits[0] = try repository.base(of: commits[0], commits[1]) }
    // A file that was renamed between the revisions has two names.
    var names = [repository.name, repository.name]
    let isThere = try commits.map { commit throws(Failure) in
      try repository.has(repository.name, in: commit)
    }
    if isThere[0] != isThere[1] {
      let renames = try repository.renames(from: commits[0], to: commits[1])
      if isThere[1], let old = renames.first(where: { $0.new == names[1] })?.old { names[0] = old }
      if isThere[0], let new = renames.first(where: { $0.old == names[0] })?.new { names[1] = new }
    } else if !isThere[0] {
      throw Failure(
        .input, subject: request.second,
        what: "is in neither revision: check the name, which is that in the working tree or of "
          + "one of the two")
    }
    func file(_ place: Int) throws(Failure) -> ComparedFile {
      let path = repository.shown(names[place])
      // A revision without the file has a map without features.
      let bytes =
        try repository.has(names[place], in: commits[place])
        ? try repository.bytes(of: names[place], in: commits[place]) : nil
      return ComparedFile(
        path: path, bytes: bytes ?? Array(Self.emptyMap.utf8),
        isArchive: bytes.map { isArchive($0, path) } ?? false, revision: revisions[place])
    }
    return (try file(0), try file(1))
  }

  private static let emptyMap = "{\"type\":\"FeatureCollection\",\"features\":[]}"
}
