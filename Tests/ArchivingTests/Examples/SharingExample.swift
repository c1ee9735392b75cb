import Archiving
import Testing

/// Values that have an identity, and `Codable` values inside an archive.
@Suite struct SharingExample {
  // snippet: identity
  struct CategoryID: ArchiveIdentity { var number: Int }

  /// A value, but one thing in the document: archived once, however many items refer to it.
  struct Category: IdentifiedCoding, Equatable {
    var archiveIdentity: CategoryID
    var name: String

    static var archivedClass: ArchivedClass { "Category" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeInt(archiveIdentity.number, forKey: "number")
      try coder.encodeString(name, forKey: "name")
    }

    init(coder: any DecodingCoder) throws {
      archiveIdentity = CategoryID(number: try coder.decodeInt(forKey: "number"))
      name = try coder.decodeString(forKey: "name")
    }

    init(_ number: Int, _ name: String) {
      (archiveIdentity, self.name) = (CategoryID(number: number), name)
    }
  }
  // end

  // snippet: codable
  struct Settings: Codable, Equatable {
    var theme: String
    var recent: [String]
  }

  struct Catalogue: Coding, Equatable {
    var categories: [Category]
    var chosen: CategoryID?
    var settings: Settings

    static var archivedClass: ArchivedClass { "Catalogue" }

    func encode(with coder: any EncodingCoder) throws {
      try coder.encodeObjects(categories, forKey: "categories")
      try coder.encodeReference(chosen, forKey: "chosen")
      try coder.encodeCodable(settings, forKey: "settings")
    }

    init(coder: any DecodingCoder) throws {
      categories = try coder.decodeObjects(Category.self, forKey: "categories")
      chosen = try coder.decodeIdentityIfPresent(of: Category.self, forKey: "chosen")
      settings = try coder.decodeCodable(Settings.self, forKey: "settings")
    }
  }
  // end

  private func catalogue(choosing number: Int) -> Catalogue {
    Catalogue(
      categories: [Category(1, "Parks"), Category(2, "Piers")], chosen: CategoryID(number: number),
      settings: Settings(theme: "dark", recent: ["a.map"]))
  }

  @Test func `a value is referred to by its identity`() throws {
    let catalogue = catalogue(choosing: 2)
    let keyed = try KeyedArchiver.archive(catalogue)
    #expect(try KeyedUnarchiver.unarchive(Catalogue.self, from: keyed) == catalogue)
    let sequential = try Archiver.archive(catalogue)
    #expect(try Unarchiver.unarchive(Catalogue.self, from: sequential) == catalogue)
  }

  @Test func `a reference to what is not in the document is none`() throws {
    let keyed = try KeyedArchiver.archive(catalogue(choosing: 3))
    #expect(try KeyedUnarchiver.unarchive(Catalogue.self, from: keyed).chosen == nil)
  }
}

extension SharingExample.Catalogue {
  init(
    categories: [SharingExample.Category], chosen: SharingExample.CategoryID?,
    settings: SharingExample.Settings
  ) {
    (self.categories, self.chosen, self.settings) = (categories, chosen, settings)
  }
}
