import Archiving
import PortolanTestSupport
import Testing

/// Collections of strings and numbers, whose elements are handled in a loop of their type.
@Suite struct StandardElementTests {
  private func both(
    _ encode: (any EncodingCoder) throws -> Void, _ check: (any DecodingCoder) throws -> Void
  ) throws {
    let (keyed, sequential) = (KeyedArchiver(), Archiver())
    for coder in [keyed, sequential] as [any EncodingCoder] { try encode(coder) }
    try check(KeyedUnarchiver(keyed.finish()))
    try check(Unarchiver(sequential.finish()))
  }

  private func comesBack<Element: Coding & Equatable>(_ elements: [Element]) throws {
    try both(
      { coder throws in
        try coder.encode(elements, forKey: "array")
        try coder.encode([elements, elements], forKey: "arrays")
        try coder.encode(["k": elements], forKey: "dictionary")
        try coder.encode("end", forKey: "end")
      },
      { coder throws in
        #expect(try coder.decode([Element].self, forKey: "array") == elements)
        #expect(try coder.decode([[Element]].self, forKey: "arrays") == [elements, elements])
        #expect(try coder.decode([String: [Element]].self, forKey: "dictionary") == ["k": elements])
        #expect(try coder.decode(String.self, forKey: "end") == "end")
      })
  }

  @Test func `arrays of every standard type come back`() throws {
    var generator = SeededGenerator(seed: 20_261_125)
    for _ in 0..<20 {
      let numbers = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        UInt64.random(in: 0...UInt64.max, using: &generator)
      }
      try comesBack(numbers)
      try comesBack(numbers.map { Int(truncatingIfNeeded: $0) })
      try comesBack(numbers.map { Int64(truncatingIfNeeded: $0) })
      try comesBack(numbers.map { Int32(truncatingIfNeeded: $0) })
      try comesBack(numbers.map { UInt32(truncatingIfNeeded: $0) })
      try comesBack(numbers.map { $0 % 2 == 0 })
      try comesBack(numbers.map { Double(bitPattern: $0 >> 2) })
      try comesBack(numbers.map { Float(Double($0)) })
      try comesBack(numbers.map { "\($0 % 3)" })
    }
  }

  @Test func `the call for everything reads what the calls of the types wrote, and fits numbers`()
    throws
  {
    try both(
      { coder throws in
        try coder.encodeInts([0, 1, 300], forKey: "ints")
        try coder.encodeDoubles([0.5, 2], forKey: "reals")
        try coder.encodeStrings(["a", "a"], forKey: "strings")
      },
      { coder throws in
        // Sequential archives are read in order.
        #expect(try coder.decode([Int32].self, forKey: "ints") == [0, 1, 300])
        #expect(try coder.decode([Float].self, forKey: "reals") == [0.5, 2])
        #expect(try coder.decode([String].self, forKey: "strings") == ["a", "a"])
      })
  }

  @Test func `a number that does not fit its type is refused`() throws {
    let attempts: [(any DecodingCoder) throws -> Void] = [
      { _ = try $0.decode([Int32].self, forKey: "n") },
      { _ = try $0.decode([UInt64].self, forKey: "n") },
      { _ = try $0.decode([String].self, forKey: "n") },
    ]
    for attempt in attempts {
      try both(
        { try $0.encodeInts([-1, 1 << 40], forKey: "n") },
        { coder throws in #expect(throws: ArchiveError.self) { try attempt(coder) } })
    }
    try both(
      { try $0.encodeStrings(["a"], forKey: "n") },
      { coder throws in
        let error = #expect(throws: ArchiveError.self) { try coder.decode([Int].self, forKey: "n") }
        #expect(error.map { [.typeMismatch, .classNotAllowed].contains($0.code) } == true)
      })
  }

  @Test func `one call for everything writes the bytes of the calls for each type`() throws {
    var generator = SeededGenerator(seed: 20_261_126)
    for count in 0..<40 {
      let numbers = (0..<count).map { _ in Int.random(in: -1_000...1 << 40, using: &generator) }
      let reals = numbers.map { Double($0) / 3 }
      let texts = numbers.map { "\($0 % 7)" }
      for make in [{ KeyedArchiver() }, { Archiver() }] as [() -> any EncodingCoder] {
        let (one, each) = (make(), make())
        try one.encode(numbers, forKey: "numbers")
        try one.encode(reals, forKey: "reals")
        try one.encode(texts, forKey: "texts")
        try each.encodeInts(numbers, forKey: "numbers")
        try each.encodeDoubles(reals, forKey: "reals")
        try each.encodeStrings(texts, forKey: "texts")
        let (first, second) = (try bytes(one), try bytes(each))
        #expect(first == second)
      }
    }
  }

  @Test func `equal sets and dictionaries of large numbers give equal archives`() throws {
    let numbers = (0..<50).map { UInt64(1) << 60 + $0 }
    let pairs = numbers.map { ($0, "\($0)") }
    for make in [{ KeyedArchiver() }, { Archiver() }] as [() -> any EncodingCoder] {
      let (there, back) = (make(), make())
      try there.encode(Set(numbers), forKey: "set")
      try back.encode(Set(numbers.reversed()), forKey: "set")
      try there.encode(Dictionary(uniqueKeysWithValues: pairs), forKey: "dictionary")
      try back.encode(Dictionary(uniqueKeysWithValues: pairs.reversed()), forKey: "dictionary")
      let (first, second) = (try bytes(there), try bytes(back))
      #expect(first == second)
    }
  }

  @Test func `a dictionary refuses a value of another kind inside it, as an array does`() throws {
    func archive(_ name: String, _ rows: String) -> [UInt8] {
      let text = """
        <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
        <key>$version</key><integer>100000</integer>
        <key>$top</key><dict><key>v</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
        <key>$objects</key><array><string>$null</string><dict>\(rows)
        <key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict></dict>
        <dict><key>$classname</key><string>\(name)</string><key>$classes</key><array>
        <string>\(name)</string><string>NSObject</string></array></dict></array></dict></plist>
        """
      return Array(text.utf8)
    }
    let values = "<key>NS.objects</key><array><integer>7</integer><string>x</string></array>"
    let keys = "<key>NS.keys</key><array><string>a</string><string>b</string></array>"
    let array = try KeyedUnarchiver(archive("NSArray", values))
    #expect(throws: ArchiveError.self) { try array.decode([Int].self, forKey: "v") }
    let dictionary = try KeyedUnarchiver(archive("NSDictionary", keys + values))
    #expect(throws: ArchiveError.self) { try dictionary.decode([String: Int].self, forKey: "v") }
    let sound = values.replacing("<string>x</string>", with: "<integer>8</integer>")
    let whole = try KeyedUnarchiver(archive("NSDictionary", keys + sound))
    #expect(try whole.decode([String: Int].self, forKey: "v") == ["a": 7, "b": 8])
  }

  private func bytes(_ coder: any EncodingCoder) throws -> [UInt8] {
    if let keyed = coder as? KeyedArchiver { return try keyed.finish() }
    return try #require(coder as? Archiver).finish()
  }
}
