import Testing

@testable import PortolanDocuments

@Suite struct DocumentDifferenceTests {
  private func document(_ layers: [FeatureLayer]) -> Document {
    var document = Document()
    document.layers = layers
    return document
  }

  @Test(arguments: [(0, "0 features"), (1, "1 feature"), (2, "2 features")])
  func `A layer that came or went is told with its features`(count: Int, words: String) {
    let (without, with) = (document([]), document([Samples.points(count)]))
    #expect(
      DocumentDifference.lines(from: without, to: with)
        == ["layer “points”: added, with \(words)"])
    #expect(
      DocumentDifference.lines(from: with, to: without)
        == ["layer “points”: removed, with \(words)"])
  }

  @Test func `Numbers of vertices are told in words`() {
    #expect((0...2).map(CountText.vertices) == ["0 vertices", "1 vertex", "2 vertices"])
    #expect(CountText.are(1, of: 3, "ring", "rings") == "1 of 3 rings is")
    #expect(CountText.are(1, of: 1, "ring", "rings") == "1 of 1 ring is")
    #expect(CountText.are(2, of: 3, "ring", "rings") == "2 of 3 rings are")
  }
}
