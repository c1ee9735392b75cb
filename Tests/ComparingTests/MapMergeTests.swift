import Testing

@testable import PortolanComparing

@Suite("Merging files of features")
struct MapMergeTests {
  @Test("attributes are merged one by one")
  func attributes() throws {
    #expect(Bool(true))
  }
}
