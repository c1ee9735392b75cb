import PortolanFiles
import Testing

@testable import PortolanKeeping

/// Files that belong together, such as those of a Shapefile.
@Suite struct WritingTogetherTests {
  @Test func `Two programs never leave a mixture of their files`() throws {
    let tests = try DocumentStoreTests()
    let (one, other) = (tests.store(process: 1), tests.store(process: 2))
    func write(_ byte: UInt8, by store: DocumentStore, meanwhile: () throws -> Void = {}) throws {
      try store.writeTogether(of: "/m/x.shp", overwrites: true) { sink in
        try sink("/m/x.dbf", [byte])
        try meanwhile()
        try sink("/m/x.shp", [byte])
      }
    }
    try write(1, by: one) {
      let error = #expect(throws: StoreError.self) { try write(2, by: other) }
      guard case .writtenElsewhere(let holder) = error?.code else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(holder?.process == 1)
    }
    for name in ["dbf", "shp"] { #expect(try tests.files.read("/m/x.\(name)", limit: 9) == [1]) }
    try write(2, by: other)
    for name in ["dbf", "shp"] { #expect(try tests.files.read("/m/x.\(name)", limit: 9) == [2]) }
    #expect(try !tests.files.names(in: "/m").contains { $0.hasSuffix(".lock") })
    #expect(throws: FileError.self) {
      try one.writeTogether(of: "/none/x.shp", overwrites: true) { try $0("/none/x.dbf", [1]) }
    }
  }
}
