import Archiving
import ArchivingFoundation
import Foundation
import PortolanTestSupport
import Testing

/// Laws of the conversions, with seeded random values.
@Suite struct ConversionLawTests {
  @Test(arguments: 0..<40)
  func `a random value converted there and back is the same`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = RandomValues.object(&random, levels: 4)
    let made = try Cocoa.Object(foundation: value.foundationObject())
    #expect(made == value, "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `Foundation reads a random value that we archive, and we its archive`(
    _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let value = RandomValues.object(&random, levels: 3)
    let object = try value.foundationObject()
    let read = try #require(try FoundationSamples.read(Data(KeyedArchiver.archive(value))))
    #expect(read.isEqual(object), "seed \(seed)")
    let data = try FoundationSamples.archive(object)
    let again = try KeyedUnarchiver(forReadingFrom: data).decodeFoundationIfPresent(forKey: "root")
    #expect(again?.isEqual(object) == true, "seed \(seed)")
  }

  @Test(arguments: 0..<20)
  func `decimal numbers keep every digit or are refused`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let bits = Int.random(in: 0...128, using: &random)
      let mantissa = UInt128.random(in: 0...UInt128.max, using: &random) >> UInt128(128 - bits)
      let exponent = Int.random(in: -128...127, using: &random)
      let number = try #require(
        Cocoa.DecimalNumber(
          mantissa: mantissa, exponent: exponent, isNegative: Bool.random(using: &random)))
      guard let decimal = try? Decimal(number) else { continue }
      #expect(try Cocoa.DecimalNumber(decimal).description == number.description)
    }
  }

  @Test(arguments: 0..<20)
  func `index sets, index paths, UUIDs and dates are kept`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var indexes = IndexSet()
    for _ in 0..<Int.random(in: 0...20, using: &random) {
      let start = Int.random(in: 0...1_000_000, using: &random)
      indexes.insert(integersIn: start..<start + Int.random(in: 1...50, using: &random))
    }
    #expect(try IndexSet(Cocoa.IndexSet(indexes)) == indexes)
    let path = IndexPath(
      indexes: (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Int.random(in: 0...Int.max, using: &random)
      })
    #expect(try IndexPath(Cocoa.IndexPath(path)) == path)
    let halves = (random.next(), random.next())
    let uuid = withUnsafeBytes(of: halves) { bytes in
      UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
    #expect(UUID(Cocoa.UUID(uuid)) == uuid)
    #expect(Cocoa.UUID(uuid).description == uuid.uuidString)
    let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: random.next() >> 2))
    #expect(Date(Cocoa.Date(date)) == date)
  }

  @Test(arguments: 0..<20)
  func `character sets hold the same characters`(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var set = CharacterSet()
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let number = UInt32.random(in: 0...0x10FFFF, using: &random)
      if let scalar = Unicode.Scalar(number) { set.insert(scalar) }
    }
    if Bool.random(using: &random) { set.invert() }
    #expect(try CharacterSet(Cocoa.CharacterSet(set)) == set)
    let low = Int.random(in: 0..<0xD000, using: &random)
    let range = try #require(
      Cocoa.Range(location: low, length: Int.random(in: 1...500, using: &random)))
    let made = try CharacterSet(try #require(Cocoa.CharacterSet(.range(range))))
    for number in [low - 1, low, range.end - 1, range.end] where number >= 0 {
      let scalar = try #require(Unicode.Scalar(UInt32(number)))
      #expect(made.contains(scalar) == (number >= low && number < range.end))
    }
  }
}

/// Random values of every kind that both sides have.
enum RandomValues {
  static func object(_ random: inout SeededGenerator, levels: Int) -> Cocoa.Object {
    guard levels > 0, Int.random(in: 0..<3, using: &random) > 0 else { return leaf(&random) }
    let count = Int.random(in: 0...5, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .array(Cocoa.Array((0..<count).map { _ in object(&random, levels: levels - 1) }))
    case 1:
      return .dictionary(
        Cocoa.Dictionary(
          (0..<count).map { number in
            .init(key: .string("k\(number)"), value: object(&random, levels: levels - 1))
          }))
    case 2: return .set(Cocoa.Set((0..<count).map { .string("s\($0)") }))
    default: return .orderedSet(Cocoa.OrderedSet((0..<count).map { .number(Cocoa.Number($0)) }))
    }
  }

  private static func leaf(_ random: inout SeededGenerator) -> Cocoa.Object {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .null
    case 1: return .number(Cocoa.Number(Bool.random(using: &random)))
    case 2: return .number(Cocoa.Number(Int64(bitPattern: random.next())))
    case 3: return .number(Cocoa.Number(Double(random.next() >> 12) / 4))
    case 4:
      return .date(
        Cocoa.Date(secondsSinceReferenceDate: Double(random.next() >> 20) / 8))
    case 5: return .data((0..<Int.random(in: 0...40, using: &random)).map { UInt8($0) })
    case 6:
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
      return Cocoa.UUID(bytes: bytes).map { .uuid($0) } ?? .null
    case 7: return .url(Cocoa.URL("https://example.org/\(random.next())"))
    case 8: return .locale(Cocoa.Locale(["de_CH", "en_US", "fr"][Int(random.next() % 3)]))
    default:
      let scalars = "aé🗺 ’\u{0}"
      return .string(String((0..<5).compactMap { _ in scalars.randomElement(using: &random) }))
    }
  }
}
