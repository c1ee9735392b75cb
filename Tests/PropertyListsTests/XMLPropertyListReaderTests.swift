import PropertyLists
import Testing

/// The list in `<plist>…</plist>` around some text.
private func read(_ body: String) throws -> BinaryPropertyList {
  try BinaryPropertyList(xml: Array("<plist version=\"1.0\">\(body)</plist>".utf8))
}

/// The error that reading some text gives, or an empty one where it gives none.
private func failure(_ bytes: [UInt8]) -> PropertyListError {
  do throws(PropertyListError) {
    _ = try BinaryPropertyList(xml: bytes)
  } catch {
    return error
  }
  return PropertyListError(.wrongKind, "nothing was thrown")
}

@Suite struct XMLPropertyListReaderTests {
  @Test(
    arguments: [
      ("<true/>", .bool(true)), ("<false></false>", .bool(false)),
      ("<true> <!-- --> </true>", .bool(true)),
      ("<integer>0</integer>", .integer(0)), ("<integer> -12 </integer>", .integer(-12)),
      ("<integer>+ 7</integer>", .integer(7)), ("<integer>0xfF</integer>", .integer(255)),
      ("<integer>-0x10</integer>", .integer(-16)), ("<integer>007</integer>", .integer(7)),
      ("<integer>9223372036854775807</integer>", .integer(.max)),
      ("<integer>-9223372036854775808</integer>", .integer(.min)),
      ("<integer>18446744073709551615</integer>", .unsigned(.max)),
      ("<integer>0xFFFFFFFFFFFFFFFF</integer>", .unsigned(.max)),
      ("<integer><![CDATA[4]]>2</integer>", .integer(42)),
      ("<integer>&#52;2</integer>", .integer(42)),
      ("<real>1.5</real>", .double(1.5)), ("<real>-.5e-3</real>", .double(-0.0005)),
      ("<real>7</real>", .double(7)), ("<real>1.</real>", .double(1)),
      ("<real>+infinity</real>", .double(.infinity)), ("<real>-INF</real>", .double(-.infinity)),
      ("<real>5e-324</real>", .double(.leastNonzeroMagnitude)),
      ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
      ("<date>2000-12-31T23:59:59Z</date>", .date(-1)),
      ("<date>2024-02-29T12:30:05Z</date>", .date(730_902_605)),
      ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
      ("<date>0000-02-29T00:00:00Z</date>", .date(-63_140_428_800)),
      ("<dict><key>CF$UID</key><integer>7</integer></dict>", .uid(7)),
      ("<dict> <key>CF$UID</key>\n<integer>4294967295</integer>\t</dict>", .uid(.max)),
      ("<dict><key>CF$UID</key><integer>0x10</integer></dict>", .uid(16)),
      ("<dict><!-- a --><key>CF&#36;UID</key><integer>9</integer></dict>", .uid(9)),
    ] as [(String, PropertyListObject)])
  func `a value is read`(_ body: String, _ expected: PropertyListObject) throws {
    let list = try read(body)
    try list.validate()
    #expect(try list.object(list.top) == expected)
  }

  @Test func `not a number is read`() throws {
    let list = try read("<real>NaN</real>")
    guard case .double(let value) = try list.object(list.top) else {
      Issue.record("no real")
      return
    }
    #expect(value.isNaN)
  }

  @Test(arguments: [
    ("<string></string>", ""), ("<string/>", ""), ("<string> a\n b </string>", " a\n b "),
    ("<string>&lt;&gt;&amp;&quot;&apos;</string>", "<>&\"'"),
    ("<string>&#233;&#x1F5FA;&#x10FFFF;&#27;</string>", "é🗺\u{10FFFF}\u{1B}"),
    ("<string>é🗺</string>", "é🗺"), ("<string>\u{1}\u{1B}[2J\r\n</string>", "\u{1}\u{1B}[2J\r\n"),
    ("<string>a<![CDATA[<b>&amp;]]>c</string>", "a<b>&amp;c"),
    ("<string>a<!-- > -->b<?x y?>c</string>", "abc"), ("<string>]]></string>", "]]>"),
    ("<string x='>' y = \"/\" >a</string >", "a"),
  ])
  func `a string is read`(_ body: String, _ expected: String) throws {
    let list = try read(body)
    #expect(try list.string(list.object(list.top)) == expected)
  }

  @Test(
    arguments: [
      ("<data></data>", []), ("<data/>", []), ("<data>AA==</data>", [0]),
      ("<data>\n\tAAE=\n</data>", [0, 1]), ("<data>A A E\nC</data>", [0, 1, 2]),
      ("<data>/+8=</data>", [255, 239]),
    ] as [(String, [UInt8])])
  func `data is read`(_ body: String, _ expected: [UInt8]) throws {
    let list = try read(body)
    guard case .data(let range) = try list.object(list.top) else {
      Issue.record("no data")
      return
    }
    #expect(Array(list.reader.bytes[range]) == expected)
  }

  @Test func `containers keep their order`() throws {
    let list = try read(
      "<dict><key>b</key><array><integer>1</integer><dict/></array>"
        + "<key>a</key><array/></dict>")
    try list.validate()
    guard case .dictionary(let keys, let values) = try list.object(list.top) else {
      Issue.record("no dictionary")
      return
    }
    #expect(try list.string(list.object(list.reference(0, of: keys))) == "b")
    #expect(try list.string(list.object(list.reference(1, of: keys))) == "a")
    guard case .array(let row) = try list.object(list.reference(0, of: values)) else {
      Issue.record("no array")
      return
    }
    #expect(row.count == 2)
    #expect(try list.object(list.reference(0, of: row)) == .integer(1))
  }

  @Test(arguments: [
    "<dict><key>CF$UID</key><string>7</string></dict>",
    "<dict><key>CF$UID</key><integer>7</integer><key>b</key><true/></dict>",
    "<dict><key>a</key><true/><key>CF$UID</key><integer>7</integer></dict>",
  ])
  func `a dictionary that only resembles a reference stays one`(_ body: String) throws {
    let list = try read(body)
    guard case .dictionary = try list.object(list.top) else {
      Issue.record("no dictionary")
      return
    }
  }

  @Test(
    arguments: [
      ("<integer></integer>", .badNumber, 1, 22), ("<integer/>", .badNumber, 1, 22),
      ("<integer>1.5</integer>", .badNumber, 1, 22), ("<integer>0x</integer>", .badNumber, 1, 22),
      ("<integer>- -1</integer>", .badNumber, 1, 22), ("<integer>1 2</integer>", .badNumber, 1, 22),
      ("<integer>18446744073709551616</integer>", .badNumber, 1, 22),
      ("<integer>-9223372036854775809</integer>", .badNumber, 1, 22),
      ("<real>1e400</real>", .badNumber, 1, 22), ("<real>0x1p3</real>", .badNumber, 1, 22),
      ("<real></real>", .badNumber, 1, 22), ("<real>1e</real>", .badNumber, 1, 22),
      ("<real>nan(1)</real>", .badNumber, 1, 22), ("<real>.</real>", .badNumber, 1, 22),
      ("<date>2001-02-29T00:00:00Z</date>", .badNumber, 1, 22),
      ("<date>2001-13-01T00:00:00Z</date>", .badNumber, 1, 22),
      ("<date>2001-01-01T24:00:00Z</date>", .badNumber, 1, 22),
      ("<date>2001-01-01T00:00:00</date>", .badNumber, 1, 22),
      ("<date>2001-1-01T00:00:00Z</date>", .badNumber, 1, 22),
      ("<date>1234567-01-01T00:00:00Z</date>", .badNumber, 1, 22),
      ("<data>A</data>", .badText, 1, 22), ("<data>A===</data>", .badText, 1, 22),
      ("<data>AA=A</data>", .badText, 1, 22), ("<data>AA*=</data>", .badText, 1, 22),
      ("<data>AAAA=</data>", .badText, 1, 22),
      ("<string>&nbsp;</string>", .badText, 1, 30), ("<string>&</string>", .badText, 1, 30),
      ("<string>&#xD800;</string>", .badText, 1, 30),
      ("<string>&#x110000;</string>", .badText, 1, 30),
      ("<string>&#;</string>", .badText, 1, 30), ("<string>&#1a;</string>", .badText, 1, 30),
      ("<string>&#x7FFFFFFFFFFFFFFFFFFFF;</string>", .badText, 1, 30),
      ("<array>\n  <string>a</array>", .badMarker, 2, 12), ("<array>\n</dict>", .badMarker, 2, 1),
      ("</array>", .badMarker, 1, 22), ("<array><nib/></array>", .badMarker, 1, 29),
      ("<array>x</array>", .wrongKind, 1, 29), ("<true>x</true>", .wrongKind, 1, 28),
      ("<array><key>a</key></array>", .badKey, 1, 29), ("<key>a</key>", .badKey, 1, 22),
      ("<dict><true/></dict>", .badKey, 1, 28), ("<dict><key>a</key></dict>", .badKey, 1, 40),
      ("<dict><key>a</key>\n<key>b</key></dict>", .badKey, 2, 1),
      ("<dict>\n<key>é</key><true/><key>é</key><true/></dict>", .duplicateKey, 2, 20),
      ("<dict><key>CF$UID</key><integer>-1</integer></dict>", .badNumber, 1, 22),
      ("<dict><key>CF$UID</key><integer>4294967296</integer></dict>", .badNumber, 1, 22),
      ("<dict><key>CF$UID</key><real>1</real></dict>", .badNumber, 1, 22),
      ("<true/><true/>", .wrongKind, 1, 29), ("", .wrongKind, 1, 1),
      ("<plist></plist>", .wrongKind, 1, 22), ("<array a=b/>", .badMarker, 1, 29),
      ("<array a/>", .badMarker, 1, 29), ("<array a='<'/>", .badLength, 1, 29),
      ("</true/>", .badMarker, 1, 22), ("<!DOCTYPE x>", .badMarker, 1, 22),
    ] as [(String, PropertyListError.Code, Int, Int)])
  func `what is wrong is refused with its line and column`(
    _ body: String, _ code: PropertyListError.Code, _ line: Int, _ column: Int
  ) throws {
    let error = failure(Array("<plist version=\"1.0\">\(body)</plist>".utf8))
    #expect(error.code == code || (code == .badMarker && error.code == .notAPropertyList))
    #expect(error.reason.hasPrefix("line \(line), column \(column): "), "\(error)")
    #expect(error.offset != nil)
  }

  @Test func `every truncation is refused`() throws {
    let whole = Array(
      """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?><!-- c --><!DOCTYPE plist PUBLIC "a" "b">
      <plist version="1.0"><dict><key>é&amp;</key><array><data>AAAA</data><real>1</real>
      <string><![CDATA[x]]></string><dict><key>CF$UID</key><integer>1</integer></dict></array>
      </dict></plist>
      """.utf8)
    _ = try BinaryPropertyList(xml: whole)
    for count in whole.indices {
      #expect(throws: PropertyListError.self) {
        try BinaryPropertyList(xml: Array(whole[..<count]))
      }
    }
  }

  @Test(arguments: [
    "<?xml version='1.0' encoding='utf-8'?>", "\u{FEFF}<?xml version='1.0'?>", " \n",
    "<!-- <dict> --><?php ?>", "<!DOCTYPE plist SYSTEM 'file:///etc/passwd>'>",
    "<!DOCTYPE plist [<!ENTITY a 'b]>'> <!-- ' ]> --> <?x ']>?> %x;] >",
    "<?xml version=\"1.0\" encoding=\"US-ASCII\" standalone=\"no\"?>",
  ])
  func `a prologue is skipped`(_ prologue: String) throws {
    for body in ["<plist><true/></plist>\n", "<true/>", "<plist><true/></plist><!-- -->"] {
      let list = try BinaryPropertyList(reading: Array((prologue + body).utf8))
      #expect(try list.object(list.top) == .bool(true))
    }
  }

  @Test(
    arguments: [
      ("<?xml version='1.0' encoding='UTF-16'?><plist><true/></plist>", .badText),
      ("<?xml version='1.0' encoding='ISO-8859-1'?><plist><true/></plist>", .badText),
      ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><string>&a;</string></plist>", .badText),
      ("<!DOCTYPE plist [<!ENTITY a 'b'> <plist><true/></plist>", .badLength),
      ("<!DOCTYPE plist <plist><true/></plist", .badLength),
      ("<?xml version='1.0'?><svg/>", .notAPropertyList), ("<true/>x", .badLength),
      ("<plist><true/></plist><plist/>", .badLength), ("<!-- ", .badLength), ("", .badLength),
    ] as [(String, PropertyListError.Code)])
  func `a false prologue or epilogue is refused`(
    _ text: String, _ code: PropertyListError.Code
  ) {
    #expect(failure(Array(text.utf8)).code == code)
  }

  @Test(
    arguments: [
      [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xFF], [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func `bytes that are not UTF-8 are refused where they are`(_ bytes: [UInt8]) {
    let error = failure(Array("<plist>\n<string>".utf8) + bytes + Array("</string></plist>".utf8))
    #expect(error.code == .badText)
    #expect(error.offset == 16)
    #expect(error.reason.hasPrefix("line 2, column 9: "))
  }

  @Test(arguments: [false, true], [false, true])
  func `UTF-16 is read and its errors are in its bytes`(_ isBig: Bool, _ isMarked: Bool) throws {
    func wide(_ text: String) -> [UInt8] {
      let units = (isMarked ? [0xFEFF] : []) + Array(text.utf16)
      return units.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBig ? [high, low] : [low, high]
      }
    }
    let declaration = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>"
    let list = try BinaryPropertyList(
      reading: wide(declaration + "<plist><string>é🗺</string></plist>"))
    #expect(try list.string(list.object(list.top)) == "é🗺")
    let lie = failure(wide("<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><true/></plist>"))
    #expect(lie.code == .badText)
    let wrong = failure(wide("<plist><array><string>é🗺</string><nib/></array></plist>"))
    let place = (isMarked ? 2 : 0) + "<plist><array><string>é🗺</string>".utf16.count * 2
    #expect(wrong.offset == place)
    #expect(
      failure(wide("<plist><string>") + [0xD8, 0xD8] + wide("</string></plist>")).code
        == .badText)
    #expect(failure(wide("<plist/>") + [0]).code == .badLength)
  }

  @Test func `nesting ends at the limit and not on the stack`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array(
        (String(repeating: "<array>", count: depth)
          + String(repeating: "</array>", count: depth)).utf8)
    }
    _ = try BinaryPropertyList(xml: nested(512))
    #expect(failure(nested(513)).code == .tooDeep)
    #expect(failure(Array(String(repeating: "<array>", count: 100_000).utf8)).code == .tooDeep)
    var limits = PropertyListLimits()
    limits.depthMax = 100_000
    _ = try BinaryPropertyList(xml: nested(100_000), limits: limits)
  }

  @Test(arguments: [
    ("{ a = 1; }", "OpenStep"), ("( a, b )", "OpenStep"), ("<dead beef>", "OpenStep"),
    ("/* c */ {}", "OpenStep"), ("\"text\"", "OpenStep"), ("<*I1>", "OpenStep"),
    ("hello", "bplist00"), ("", "bplist00"), ("<svg/>", "bplist00"),
  ])
  func `what it is not is said`(_ text: String, _ word: String) {
    do {
      _ = try BinaryPropertyList(reading: Array(text.utf8))
      Issue.record("it was read")
    } catch {
      #expect(error.code == .notAPropertyList)
      #expect(error.reason.contains(word))
    }
  }
}
