import Foundation
import PortolanTestSupport
import PropertyLists
import Testing

@testable import Archiving

@Suite struct GeometryTests {
  @Test(arguments: [
    0, -0.0, 1, -1, 0.1, 113.90266512166016, 1e16, 99_999_999_999_999_984, 1e17,
    123_456_789_012_345_680,
    1e-4, 1e-5, 0.00012345, 9.9999999999999995e22, 1e23, 1.7976931348623157e308,
    2.2250738585072014e-308, .leastNonzeroMagnitude, 0.3, 1.0 / 3, 4503599627370497.5,
    9_007_199_254_740_994, 1.5e300, .infinity, -.infinity, .nan, 0.5, 1.25e-7,
  ])
  func `numbers are printed as C prints them`(_ number: Double) {
    #expect(RealText.text(number) == String(format: "%.17g", number))
  }

  @Test func `random numbers are printed as C prints them and read back`() {
    var generator = SeededGenerator(seed: 20_261_121)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: generator.next())
      guard !number.isNaN else { continue }
      #expect(RealText.text(number) == String(format: "%.17g", number))
      #expect(Cocoa.Point("{\(RealText.text(number)), 0}")?.x == number)
      let short = Double(Int16(truncatingIfNeeded: generator.next())) / 64
      #expect(RealText.text(short) == String(format: "%.17g", short))
      let coordinate = Double.random(in: -180...180, using: &generator)
      #expect(RealText.text(coordinate) == String(format: "%.17g", coordinate))
    }
  }

  @Test func `the texts of geometry are Foundation's`() {
    #expect(Cocoa.Point(x: 96.25, y: 227).description == "{96.25, 227}")
    #expect(Cocoa.Size(width: 1.5, height: -2).description == "{1.5, -2}")
    let rect = Cocoa.Rect(x: 113.90266512166016, y: 267.83314020855505, width: 1, height: 2)
    #expect(rect.description == "{{113.90266512166016, 267.83314020855505}, {1, 2}}")
    #expect(Cocoa.Rect(rect.description) == rect)
  }

  @Test(arguments: [
    ("{1.0, 2.0}", 1, 2), ("{1,2}", 1, 2), ("1 2", 1, 2), ("{1}", 1, 0), ("", 0, 0),
    ("{1, 2, 3}", 1, 2), ("{3.40282e+38, -1e-3}", 3.40282e+38, -0.001), ("{inf, 2}", .infinity, 2),
  ])
  func `points are read leniently`(_ text: String, _ x: Double, _ y: Double) {
    #expect(Cocoa.Point(text) == Cocoa.Point(x: x, y: y))
  }

  @Test func `flat and broken rectangles are read`() {
    #expect(
      Cocoa.Rect("{1, 2, 3.500000000000, 4}") == Cocoa.Rect(x: 1, y: 2, width: 3.5, height: 4))
    #expect(Cocoa.Rect("{{1, 2}}") == Cocoa.Rect(x: 1, y: 2, width: 0, height: 0))
  }

  @Test(arguments: [
    "{a, b}", "{1, 2x}", "{0x10, 1}", "{\u{1B}[2J}", String(repeating: "1", count: 500), "{1;2}",
  ])
  func `a text that holds anything but numbers is refused`(_ text: String) {
    #expect(Cocoa.Point(text) == nil)
    #expect(Cocoa.Size(text) == nil)
    #expect(Cocoa.Rect(text) == nil)
  }

  @Test func `a range never wraps`() {
    #expect(Cocoa.Range(location: 3, length: 4)?.end == 7)
    #expect(Cocoa.Range(location: Int.max, length: 0)?.end == Int.max)
    #expect(Cocoa.Range(location: Int.max, length: 1) == nil)
    #expect(Cocoa.Range(location: -1, length: 1) == nil)
    #expect(Cocoa.Range(location: 0, length: -1) == nil)
  }
}
