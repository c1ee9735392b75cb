/// An earlier version of a document in the store.
package struct SavedVersion: Hashable, Sendable {
  /// Why it was kept; the raw value is written in the store.
  package enum Reason: String, Hashable, Sendable {
    /// It was saved.
    case saved
    /// It was in the file before the first known save.
    case before
    /// It was found in a hidden file of an interrupted save.
    case interrupted
    /// Another program had written it, and it was about to be replaced.
    case foreign

    package var words: String {
      switch self {
      case .saved: "saved"
      case .before: "before the first save here"
      case .interrupted: "left by an interrupted save"
      case .foreign: "written by another program"
      }
    }
  }

  /// For whom it was kept; the raw value is written in the store.
  package enum Keeper: String, Hashable, Sendable {
    /// A person who edits the document, or asked for this version.
    case person
    /// A script or another program: it can be made again.
    case script
  }

  /// Counts up from 1 for each document; never used again.
  package var number: Int
  /// The time, in seconds since 1970.
  package var time: Int64
  package var size: Int
  package var reason: Reason
  package var keeper = Keeper.person
  /// The document's path; empty if the store does not know it.
  package var document = ""
  package var digest: String
  /// The pieces, in order.
  var pieces: [Piece] = []

  struct Piece: Hashable, Sendable {
    var name: String
    var size: Int
  }

  // MARK: As a file

  private static let title = "portolan-version 1"

  var text: String {
    var lines = [
      SavedVersion.title, "number \(number)", "time \(time)", "size \(size)",
      "reason \(reason.rawValue)", "digest \(digest)", "keeper \(keeper.rawValue)",
      "document \(WordText.escaped(document.utf8))",
    ]
    lines += pieces.map { "piece \($0.name) \($0.size)" }
    return lines.map { $0 + "\n" }.joined() + "end\n"
  }

  /// Reads a file of the store; `nil` if it is torn or none.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard lines.first == SavedVersion.title[...], lines.last == "end" else { return nil }
    var values: [Substring: Substring] = [:]
    var pieces: [Piece] = []
    for line in lines {
      let words = line.split(separator: " ")
      if words.count == 2 { values[words[0]] = words[1] }
      guard words.count == 3, words[0] == "piece" else { continue }
      guard let size = Int(words[2]), size > 0, Piece.isName(words[1]) else { return nil }
      pieces.append(Piece(name: String(words[1]), size: size))
    }
    guard let number = values["number"].flatMap({ Int($0) }), number > 0, number < 1 << 53,
      let time = values["time"].flatMap({ Int64($0) }),
      let size = values["size"].flatMap({ Int($0) }),
      let reason = values["reason"].flatMap({ Reason(rawValue: String($0)) }),
      let digest = values["digest"],
      pieces.reduce(0, { $0.addingReportingOverflow($1.size).partialValue }) == size
    else { return nil }
    self.init(
      number: number, time: time, size: size, reason: reason,
      keeper: values["keeper"].flatMap { Keeper(rawValue: String($0)) } ?? .person,
      document: values["document"].map { String(decoding: WordText.unescaped($0), as: UTF8.self) }
        ?? "",
      digest: String(digest), pieces: pieces)
  }

  init(
    number: Int, time: Int64, size: Int, reason: Reason, keeper: Keeper, document: String,
    digest: String, pieces: [Piece]
  ) {
    self.number = number
    self.time = time
    self.size = size
    self.reason = reason
    self.keeper = keeper
    self.document = document
    self.digest = digest
    self.pieces = pieces
  }
}

extension SavedVersion.Piece {
  /// Only names that we give: no paths, no hidden files.
  static func isName(_ name: Substring) -> Bool {
    (32...40).contains(name.utf8.count)
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
  }
}
