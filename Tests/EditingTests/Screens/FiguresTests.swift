import PortolanGraphics
import Testing

@testable import PortolanEditing
@testable import PortolanPrinting

@Suite struct FiguresTests {
  @Test(arguments: [
    (0.0, 0, "0"), (-0.001, 2, "0.00"), (1.005, 1, "1.0"), (-3.25, 1, "-3.3"), (9.999, 2, "10.00"),
    (.nan, 2, "-"), (.infinity, 2, "-"), (1e300, 2, "-"), (0.05, 3, "0.050"),
  ])
  func `Numbers get exactly their decimals`(value: Double, decimals: Int, text: String) {
    #expect(Figures.fixed(value, decimals: decimals) == text)
  }

  @Test(arguments: [
    (243, "243"), (9999, "9999"), (28_298, "28k"), (1_923_893, "1.9M"), (10_588_436, "10M"),
  ])
  func `Counts take at most four characters`(value: Int, text: String) {
    #expect(Figures.count(value) == text)
  }

  @Test func `Positions name their halves of the world`() {
    #expect(Figures.degrees(Coordinate(x: 13.4, y: 52.52), decimals: 2) == "52.52N 013.40E")
    #expect(Figures.degrees(Coordinate(x: -170.5, y: -5), decimals: 1) == "05.0S 170.5W")
  }

  @Test(arguments: [
    (0.5, "50cm"), (3, "3.0m"), (350, "350m"), (1400, "1.4km"), (23_456, "23km"),
    (.nan, "-"), (-1, "-"),
  ])
  func `Distances have the unit that suits them`(meters: Double, text: String) {
    #expect(Figures.distance(meters: meters) == text)
  }
}
