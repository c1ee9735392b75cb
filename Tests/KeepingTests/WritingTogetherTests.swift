import Foundation
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

  @Test func `Files that wait for another write to end hold no lock meanwhile`() throws {
    let tests = try DocumentStoreTests()
    let store = tests.store(process: 1)
    let done = DispatchSemaphore(value: 0)
    try store.write(to: "/m/y.csv", overwrites: true) { sink in
      try sink([1])
      Thread.detachNewThread {
        try? store.writeTogether(of: "/m/x.shp", overwrites: true) { try $0("/m/x.shp", [1]) }
        done.signal()
      }
      // An interrupt ends the program as soon as this write is over.
      #expect(done.wait(timeout: .now() + 0.3) == .timedOut)
      #expect(try !tests.files.names(in: "/m").contains { $0.hasSuffix(".lock") })
    }
    #expect(done.wait(timeout: .now() + 20) == .success)
    #expect(try tests.files.read("/m/x.shp", limit: 9) == [1])
  }
}
