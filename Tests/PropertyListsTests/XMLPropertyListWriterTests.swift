import PropertyLists
import Testing

/// The text of a list with one value at the top, header and end left out.
private func text(
  _ add: (inout BinaryPropertyListWriter) -> PropertyListReference
) throws -> String {
  var writer = BinaryPropertyListWriter()
  let top = add(&writer)
  let list = try BinaryPropertyList(writer.finish(top: top))
  let text = String(decoding: try list.xml(), as: UTF8.self)
  let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """
  let end = "</plist>\n"
  try #require(text.hasPrefix(header) && text.hasSuffix(end))
  return String(text.dropFirst(header.count).dropLast(end.count))
}

@Suite struct XMLPropertyListWriterTests {
  @Test func `leaves have the form that Apple gives them`() throws {
    #expect(try text { $0.addBool(true) } == "<true/>\n")
    #expect(try text { $0.addInteger(-5) } == "<integer>-5</integer>\n")
    #expect(try text { $0.addUnsigned(.max) } == "<integer>18446744073709551615</integer>\n")
    #expect(try text { $0.addDouble(-91.73) } == "<real>-91.730000000000004</real>\n")
    #expect(try text { $0.addFloat(3.14159) } == "<real>3.1415901184082031</real>\n")
    #expect(try text { $0.addDouble(0) } == "<real>0.0</real>\n")
    #expect(try text { $0.addDouble(-.infinity) } == "<real>-infinity</real>\n")
    #expect(try text { $0.addDouble(.nan) } == "<real>nan</real>\n")
    #expect(try text { $0.addString("") } == "<string></string>\n")
    #expect(
      try text { $0.addString("a<b>&\"é🗺\r\u{1}") }
        == "<string>a&lt;b&gt;&amp;\"é🗺&#13;\u{1}</string>\n")
    #expect(try text { $0.addDate(0.75) } == "<date>2001-01-01T00:00:00Z</date>\n")
    #expect(try text { $0.addDate(-0.25) } == "<date>2000-12-31T23:59:59Z</date>\n")
    #expect(try text { $0.addData([UInt8]()) } == "<data>\n</data>\n")
    #expect(
      try text { $0.addUID(7) }
        == "<dict>\n\t<key>CF$UID</key>\n\t<integer>7</integer>\n</dict>\n")
  }

  @Test func `containers are indented and their keys sorted`() throws {
    let written = try text { writer in
      let top = writer.reserve()
      let inner = writer.reserve()
      let empty = (writer.reserve(), writer.reserve())
      writer.setArray(empty.0, [])
      writer.setDictionary(empty.1, keys: [], values: [])
      writer.setArray(inner, [empty.0, empty.1, writer.addUID(1)])
      let keys = ["b", "a", "aa", "é", "B"].map { writer.addString($0) }
      let no = writer.addBool(false)
      writer.setDictionary(top, keys: keys, values: [inner, no, no, no, no])
      return top
    }
    #expect(
      written == """
        <dict>
        \t<key>B</key>
        \t<false/>
        \t<key>a</key>
        \t<false/>
        \t<key>aa</key>
        \t<false/>
        \t<key>b</key>
        \t<array>
        \t\t<array/>
        \t\t<dict/>
        \t\t<dict>
        \t\t\t<key>CF$UID</key>
        \t\t\t<integer>1</integer>
        \t\t</dict>
        \t</array>
        \t<key>é</key>
        \t<false/>
        </dict>

        """)
  }

  @Test(arguments: [0, 1, 2, 7, 8, 12])
  func `lines of data are 76 columns less 8 a tab`(_ depth: Int) throws {
    let written = try text { writer in
      let containers = (0..<depth).map { _ in writer.reserve() }
      let data = writer.addData((0..<200).map { UInt8($0) })
      for (place, container) in containers.enumerated() {
        writer.setArray(container, [place + 1 < depth ? containers[place + 1] : data])
      }
      return containers.first ?? data
    }
    let lines = written.split(separator: "\n").filter { !$0.contains("<") }
    let tabs = min(depth, 8)
    for (place, line) in lines.enumerated() {
      #expect(line.prefix { $0 == "\t" }.count == tabs)
      let width = line.drop { $0 == "\t" }.count
      #expect(place == lines.count - 1 ? width <= 76 - 8 * tabs : width == 76 - 8 * tabs)
    }
  }

  @Test(arguments: [
    0.1, -91.73, 1 / 3, 1e15, 1e16, 1e17, 123_456_789_012_345_680, 1e21, 1e22, 1e23,
    .leastNonzeroMagnitude,
    2.2250738585072014e-308, .greatestFiniteMagnitude, 1e-4, 1e-5, 0.00012345, 9.5, 999_999.999,
    .pi, 1e-300, 2.5e15, 0.30000000000000004, 4_503_599_627_370_497.5,
  ])
  func `reals have seventeen digits and come back`(_ value: Double) throws {
    let written = try text { $0.addDouble(value) }
    let list = try BinaryPropertyList(xml: Array(written.utf8))
    #expect(try list.object(list.top) == .double(value))
  }

  @Test(arguments: [
    (-63_113_904_000.0, "0001-01-01T00:00:00Z"), (-63_113_904_001, "0000-12-31T23:59:59Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"), (730_902_605, "2024-02-29T12:30:05Z"),
    (64_092_124_800, "4032-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
    (-100_000_000_000, "-1168-02-16T14:13:20Z"), (31_493_000_000_000, "999974-06-11T19:33:20Z"),
  ])
  func `dates are whole seconds of the Gregorian calendar`(
    _ seconds: Double, _ expected: String
  ) throws {
    let written = try text { $0.addDate(seconds) }
    #expect(written == "<date>\(expected)</date>\n")
    let list = try BinaryPropertyList(xml: Array(written.utf8))
    #expect(try list.object(list.top) == .date(seconds))
  }

  @Test(arguments: [.nan, .infinity, 1e14, -1e300])
  func `dates that XML cannot carry are refused`(_ seconds: Double) {
    #expect(throws: PropertyListError.self) { try text { $0.addDate(seconds) } }
  }

  @Test func `nothing, sets, broken text and repeated keys are refused`() throws {
    #expect(throws: PropertyListError.self) {
      try text { writer in
        let top = writer.reserve()
        writer.setSet(top, [])
        return top
      }
    }
    #expect(throws: PropertyListError.self) {
      try text { writer in
        let top = writer.reserve()
        let key = writer.addString("a")
        writer.setDictionary(top, keys: [key, key], values: [key, key])
        return top
      }
    }
    #expect(throws: PropertyListError.self) {
      try text { writer in
        let top = writer.reserve()
        writer.setDictionary(top, keys: [writer.addInteger(1)], values: [writer.addInteger(1)])
        return top
      }
    }
    // One string of the unit 0xD800, nothing, and ASCII that is not.
    for object: [UInt8] in [[0x61, 0xD8, 0x00], [0x00], [0x51, 0x80]] {
      let trailer: [UInt8] =
        [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
        + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(8 + object.count)]
      let list = try BinaryPropertyList(Array("bplist00".utf8) + object + [8] + trailer)
      #expect(throws: PropertyListError.self) { try list.xml() }
    }
  }

  @Test(arguments: [(7, true), (0xFFFF_FFFF, true), (-1, false), (0x1_0000_0000, false)])
  func `a dictionary that XML takes for a reference must be one`(
    _ number: Int64, _ isWritten: Bool
  ) throws {
    func written(_ key: String) throws -> String {
      try text { writer in
        let top = writer.reserve()
        writer.setDictionary(
          top, keys: [writer.addString(key)], values: [writer.addInteger(number)])
        return top
      }
    }
    #expect(((try? written("CF$UID")) != nil) == isWritten)
    #expect(try written("CF$UIE").contains("<integer>\(number)</integer>"))
  }

  @Test func `a container that holds itself is refused`() throws {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    let inner = writer.reserve()
    writer.setArray(inner, [top])
    writer.setArray(top, [writer.addBool(true), inner])
    let list = try BinaryPropertyList(writer.finish(top: top))
    do {
      _ = try list.xml()
      Issue.record("it was written")
    } catch {
      #expect(error.code == .cycle)
    }
  }

  @Test func `what is shared is written out up to a limit`() throws {
    func laughs(_ levels: Int) throws -> BinaryPropertyList {
      var writer = BinaryPropertyListWriter()
      let arrays = (0..<levels).map { _ in writer.reserve() }
      let text = writer.addString("ha")
      for (place, array) in arrays.enumerated() {
        let inner = place + 1 < levels ? arrays[place + 1] : text
        writer.setArray(array, [PropertyListReference](repeating: inner, count: 10))
      }
      return try BinaryPropertyList(writer.finish(top: 0))
    }
    #expect(try laughs(3).xml().count > 20_000)
    let bomb = try laughs(12)
    do throws(PropertyListError) {
      _ = try bomb.xml()
      Issue.record("it was written")
    } catch {
      #expect(error.code == .tooLarge)
    }
    var limits = PropertyListLimits()
    limits.expansionBase = 100
    limits.expansionFactor = 1
    #expect(throws: PropertyListError.self) { try laughs(3).xml(limits: limits) }
  }
}
