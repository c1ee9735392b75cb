/// What an archive says of itself before its objects.
package struct InspectionHeader: Sendable {
  /// The kinds of file that can be inspected.
  package enum Format: String, Sendable {
    case keyed, propertyList, typedstream, gnustep, nib, bookmark

    /// The format in a word.
    var words: String {
      switch self {
      case .keyed: "keyed archive"
      case .propertyList: "plain property list"
      case .typedstream: "typedstream"
      case .gnustep: "GNUstep archive"
      case .nib: "NIBArchive"
      case .bookmark: "bookmark"
      }
    }
  }

  package var format: Format
  /// The notation of a property list.
  package var isXML = false
  /// `$version`, the streamer's version, or the version of the library.
  package var version: Int64?
  /// The name of the archiver.
  package var archiver: String?
  /// `little` or `big`, where that differs between files.
  package var byteOrder: String?
  /// The version of the system that wrote a typedstream.
  package var systemVersion: Int?
  /// Bytes of the file.
  package var byteCount: Int
  /// Entries besides the four that every keyed archive has.
  package var otherEntries: [String] = []
  /// Bytes behind the end of an XML list that are no part of it.
  package var restCount = 0
  /// What is odd, one sentence each.
  package var notes: [String] = []

  init(format: Format, byteCount: Int) {
    self.format = format
    self.byteCount = byteCount
  }

  /// The format in words.
  package var words: String {
    switch format {
    case .keyed: "keyed archive, \(isXML ? "XML" : "binary") property list"
    case .propertyList: "\(isXML ? "XML" : "binary") property list, no archive"
    case .typedstream: "typedstream (sequential archive)"
    case .gnustep: "GNUstep archive (sequential)"
    case .nib: "NIBArchive (compiled nib)"
    case .bookmark: "bookmark (of a file)"
    }
  }
}

/// Why a file cannot be inspected, converted or compared.
package struct InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// The file is none of the kinds that can be read, or broken beyond reading.
    case unreadable
    /// A path that leads nowhere, or a combination that makes no sense.
    case usage
    /// What was asked for cannot be done with this file.
    case unsupported
  }

  package var code: Code
  package var description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
