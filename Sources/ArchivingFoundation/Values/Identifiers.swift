public import Archiving
public import Foundation

extension Cocoa.URL {
  /// Makes a URL with its bases; throws when there are more than 16 of them.
  public init(_ url: URL) throws {
    guard let base = url.baseURL else {
      self.init(url.relativeString)
      return
    }
    guard let made = Cocoa.URL(url.relativeString, relativeTo: try Cocoa.URL(base)) else {
      throw ArchiveError.noCounterpart("a URL with more than 16 bases")
    }
    self = made
  }
}

extension URL: FoundationCoding {
  /// Makes a URL with its bases; throws when Foundation does not take the text for one.
  public init(_ archived: Cocoa.URL) throws {
    let base = try archived.base.map { try URL($0) }
    guard let url = URL(string: archived.relative, relativeTo: base) else {
      throw ArchiveError.noCounterpart("\(archived.relative.prefix(100)) is no URL")
    }
    self = url
  }

  public var archivedValue: Cocoa.URL { get throws { try Cocoa.URL(self) } }
}

extension Cocoa.UUID {
  /// Makes a UUID.
  public init(_ uuid: UUID) {
    let bytes = withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) }
    self.init(
      high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
      low: bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension UUID: FoundationCoding {
  /// Makes a UUID.
  public init(_ archived: Cocoa.UUID) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: archived.bytes) }
    self.init(uuid: bytes)
  }

  public var archivedValue: Cocoa.UUID { Cocoa.UUID(self) }
}

extension Cocoa.URLQueryItem {
  /// Makes a query item.
  public init(_ item: URLQueryItem) { self.init(item.name, value: item.value) }
}

extension URLQueryItem: FoundationCoding {
  /// Makes a query item.
  public init(_ archived: Cocoa.URLQueryItem) {
    self.init(name: archived.name, value: archived.value)
  }

  public var archivedValue: Cocoa.URLQueryItem { Cocoa.URLQueryItem(self) }
}

extension Cocoa.PersonNameComponents {
  /// Makes a person's name; the phonetic parts are not archived, as in Foundation.
  public init(_ name: PersonNameComponents) {
    let parts: [Field: String?] = [
      .namePrefix: name.namePrefix, .givenName: name.givenName, .middleName: name.middleName,
      .familyName: name.familyName, .nameSuffix: name.nameSuffix, .nickname: name.nickname,
    ]
    self.init(parts.compactMapValues { $0 })
  }
}

extension PersonNameComponents: FoundationCoding {
  /// Makes a person's name.
  public init(_ archived: Cocoa.PersonNameComponents) {
    self.init()
    namePrefix = archived.fields[.namePrefix]
    givenName = archived.fields[.givenName]
    middleName = archived.fields[.middleName]
    familyName = archived.fields[.familyName]
    nameSuffix = archived.fields[.nameSuffix]
    nickname = archived.fields[.nickname]
  }

  public var archivedValue: Cocoa.PersonNameComponents { Cocoa.PersonNameComponents(self) }
}
