/// What an archive says of itself before its objects.
public struct InspectionHeader: Sendable {
  /// The kinds of file that can be inspected; more may come.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Format: String, Sendable {
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

  /// The kind of the file.
  public internal(set) var format: Format
  /// Whether a property list is XML.
  public internal(set) var isXML = false
  /// `$version`, the streamer's version, or the version of the library.
  public internal(set) var version: Int64?
  /// The name of the archiver.
  public internal(set) var archiver: String?
  /// `little` or `big`, where that differs between files.
  public internal(set) var byteOrder: String?
  /// The version of the system that wrote a typedstream.
  public internal(set) var systemVersion: Int?
  /// Bytes of the file.
  public internal(set) var byteCount: Int
  /// Entries besides the four that every keyed archive has.
  public internal(set) var otherEntries: [String] = []
  /// Bytes behind the end of a property list that are no part of it.
  public internal(set) var restCount = 0
  /// Bytes before a binary property list that are no part of it.
  var startCount = 0
  /// Whether a property list is in the text notation.
  var isText = false
  /// What is odd, one sentence each.
  public internal(set) var notes: [String] = []

  init(format: Format, byteCount: Int) {
    self.format = format
    self.byteCount = byteCount
  }

  /// What a conversion leaves out.
  var leftOut: [String] {
    let count = startCount + restCount
    return count == 0
      ? [] : ["\(InspectionText.count(count, "byte")) that are no part of the list are left out"]
  }

  /// The notation of a property list, in a word.
  private var notation: String { isXML ? "XML" : isText ? "text" : "binary" }

  /// The format in words.
  public var words: String {
    switch format {
    case .keyed: "keyed archive, \(notation) property list"
    case .propertyList: "\(notation) property list, no archive"
    case .typedstream: "typedstream (sequential archive)"
    case .gnustep: "GNUstep archive (sequential)"
    case .nib: "NIBArchive (compiled nib)"
    case .bookmark: "bookmark (of a file)"
    }
  }
}

/// Why a file cannot be inspected, converted or compared.
public struct InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Code: Hashable, Sendable {
    /// The file is none of the kinds that can be read, or broken beyond reading.
    case unreadable
    /// A path that leads nowhere, or a combination that makes no sense.
    case usage
    /// What was asked for cannot be done with this file.
    case unsupported
  }

  /// What kind of failure it is, for programs.
  public internal(set) var code: Code
  /// What is wrong and where, for people.
  public internal(set) var description: String

  static func tooManyValues(in byteCount: Int) -> InspectionError {
    InspectionError(
      .unsupported,
      "holds so many tiny values that they would take far more memory than its \(byteCount) bytes: "
        + "`portolan inspect --raw` shows it as it stands")
  }

  /// An error of this kind, in these words.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
