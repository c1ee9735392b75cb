import Testing

@testable import PortolanInterchange

@Suite struct ForeignFormatTests {
  @Test(arguments: ["CDF,lon,lat\n1,2,3\n", "fgb_id,lon,lat\n", "PAR1,x,y\n", "BZh,lon,lat\n"])
  func `A table may begin with the letters of another format`(text: String) {
    #expect(ForeignFormat.of(Array(text.utf8)[...], path: "places.csv") == nil)
  }

  @Test(arguments: [
    "CDF\u{1}\0\0\0\0", "fgb\u{3}fgb\0\0\0", "PAR1\u{15}\u{4}\0", "BZh91AY&SY\u{1}\u{2}",
  ])
  func `Such a format is told by the bytes behind them`(text: String) {
    #expect(ForeignFormat.of(Array(text.utf8)[...], path: "-") != nil)
  }

  @Test func `Few words never stand for very much white space`() {
    let words = (1...4_000).map { "gap\($0)=65536s,65536s" }.joined(separator: " ")
    #expect(GeoJSONLayout.gapBytesMax == 1 << 26)
    let layout = GeoJSONLayout(words: words, gapBytesMax: 1 << 20)
    let total = layout.itemGaps.values.reduce(0) { $0 + $1.first.count + $1.second.count }
    #expect(total == 1 << 20)
    let long = GeoJSONLayout(words: "gap1=100000s,n")
    #expect(long.itemGaps[1]?.first.count == 100_000)
  }
}
