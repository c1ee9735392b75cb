import PortolanTestSupport
import PropertyLists
import Testing

@testable import ArchiveInspection

/// A long text that is referred to again and again costs in proportion to the file.
///
/// The bytes that are written grow no faster than the file, by the limits; here it is the work.
@Suite(.serialized) struct GrowthTests {
  enum Kind: String, CaseIterable, Sendable {
    case ascii, latin, wide, data, keys, overlapping
  }

  /// A list of a text and as many references to it as it has bytes; nearly.
  private static func file(_ kind: Kind, _ size: Int) throws -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    let top = writer.reserve()
    switch kind {
    case .keys:
      let key = writer.addString(String(repeating: "é", count: size / 2))
      let value = writer.addBool(true)
      writer.setArray(
        top,
        (0..<size / 16).map { _ in
          let entry = writer.reserve()
          writer.setDictionary(entry, keys: [key], values: [value])
          return entry
        })
    case .overlapping: return overlapping(size)
    default:
      let value =
        switch kind {
        case .ascii: writer.addString(String(repeating: "a", count: size))
        case .latin: writer.addString(String(repeating: "é\u{1B}", count: size / 4))
        case .wide: writer.addString(String(repeating: "東\u{300}", count: size / 4))
        default: writer.addData([UInt8](repeating: 7, count: size))
        }
      writer.setArray(top, Array(repeating: value, count: size))
    }
    return try writer.finish(top: top)
  }

  /// Texts that lie over each other: each holds the heads of all that begin behind its own.
  private static func overlapping(_ size: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let count = size / 18
    let array = [0xAF, 0x12] + number(count) + (1...count).flatMap { number($0) }
    var bytes = Array("bplist00".utf8) + array
    let first = bytes.count
    for place in 0..<count { bytes += [0x5F, 0x12] + number((count - place - 1) * 6) }
    var table = number(8)
    for place in 0..<count { table += number(first + 6 * place) }
    let start = bytes.count
    bytes += table + [0, 0, 0, 0, 0, 0, 4, 4]
    bytes += number(0) + number(count + 1) + number(0) + number(0) + number(0) + number(start)
    return bytes
  }

  private static func write(
    _ archive: InspectedArchive, _ body: (TextOutput) throws -> Void
  ) {
    // What is too long is refused while it is written.
    var limits = InspectionLimits()
    (limits.expansionFactor, limits.expansionBase) = (32, 1 << 16)
    try? body(TextOutput(inputCount: archive.header.byteCount, limits: limits) { _ in })
  }

  static let forms: [(name: String, run: @Sendable ([UInt8]) -> Void)] = {
    func shown(_ form: InspectionForm, _ cuts: Bool = false) -> @Sendable ([UInt8]) -> Void {
      { bytes in
        guard let archive = try? InspectedArchive(bytes) else { return }
        var options = TreeOptions()
        options.cutsTexts = cuts
        write(archive) { try Inspector(archive).write(form, at: "", options, to: $0) }
      }
    }
    return [
      ("tree", shown(.tree)), ("cut tree", shown(.tree, true)), ("json", shown(.json)),
      ("raw", shown(.raw)), ("statistics", shown(.statistics)),
      (
        "values",
        { bytes in
          guard let archive = try? InspectedArchive(bytes) else { return }
          write(archive) { _ = try archive.writeValues(at: "", ValueOptions(), to: $0) }
        }
      ),
      (
        "exact",
        { bytes in
          guard let archive = try? InspectedArchive(bytes) else { return }
          write(archive) { _ = try archive.writeExact(ValueOptions(), to: $0) }
        }
      ),
      (
        "path",
        { bytes in
          guard let archive = try? InspectedArchive(bytes) else { return }
          write(archive) { try Inspector(archive).write(.tree, at: "/0", TreeOptions(), to: $0) }
        }
      ),
      ("keyed", { _ = try? ArchiveConversion.convert($0, to: .keyed) }),
      (
        "differences",
        { bytes in
          var other = bytes
          // The end of the text.
          if let place = other.lastIndex(of: UInt8(ascii: "a")) { other[place] = 0x62 }
          for form in ArchiveDifference.Form.allCases {
            var sent = 0
            guard let one = try? InspectedArchive(bytes), let two = try? InspectedArchive(other)
            else { return }
            var difference = ArchiveDifference(
              one, two, names: ("a", "b"), form: form, hasColours: false,
              send: {
                sent += $0.count
                if sent > 64 * bytes.count { throw CancellationError() }
              })
            _ = try? difference.write()
          }
        }
      ),
    ]
  }()

  @Test(arguments: Kind.allCases)
  func `twice the file costs about twice the time, in every form`(_ kind: Kind) throws {
    let sizes = [2_000, 4_000]
    let files = try sizes.map { try Self.file(kind, $0) }
    for form in Self.forms {
      func measured() -> [Double] { files.map { file in processorTime { form.run(file) } } }
      var times = measured()
      // What else the processor does only adds.
      for _ in 0..<2 where times[1] >= 3 * times[0] + 0.1 {
        times = zip(times, measured()).map { min($0, $1) }
      }
      #expect(times[1] < 3 * times[0] + 0.1, "\(form.name) of \(kind): \(times) s")
    }
  }
}
