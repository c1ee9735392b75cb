import Foundation
import PortolanTestSupport
import Testing

@testable import Archiving

/// Typedstreams of macOS, decoded without knowing what they hold.
@Suite(.enabled(if: Shared.exists("corpus/typedstream"), "no shared/corpus"))
struct ValueStreamTests {
  static let folder = "corpus/typedstream"

  static let files: [String] = {
    let all =
      (try? FileManager.default.contentsOfDirectory(atPath: Shared.folder + "/" + folder)) ?? []
    // This one was redacted by its publisher without fixing a length.
    return all.filter { $0.hasPrefix("crabstep") && !$0.hasSuffix("ExtraData") }.sorted()
  }()

  private func roots(_ file: String) throws -> [Cocoa.Object] {
    let unarchiver = try Unarchiver(Shared.bytes("\(Self.folder)/\(file)"))
    var roots: [Cocoa.Object] = []
    while !unarchiver.isAtEnd { roots.append(try unarchiver.decodeObject(Cocoa.Object.self)) }
    return roots
  }

  @Test func `there are files to read`() {
    #expect(Self.files.count > 30)
  }

  @Test(arguments: files)
  func `a stream's values are decoded, and encoded again are equal`(_ file: String) throws {
    let roots = try roots(file)
    // A kept object is one of its stream only.
    guard !roots.contains(where: \.holdsUnknown) else { return }
    let archiver = Archiver()
    for root in roots { try archiver.encodeObject(root) }
    let bytes = try archiver.finish()
    let unarchiver = try Unarchiver(bytes)
    for root in roots { #expect(try unarchiver.decodeObject(Cocoa.Object.self) == root) }
    #expect(unarchiver.isAtEnd)
    // The same values in a keyed archive.
    let keyed = KeyedArchiver()
    try keyed.encodeAnyValues(roots, forKey: "roots")
    #expect(try KeyedUnarchiver(keyed.finish()).decodeAnyValues(forKey: "roots") == roots)
  }

  /// Files in which numbers or collections are shared, or equal strings are not: values have no
  /// identity, so that they are written anew at each place, and equal strings once.
  static let sharing = [
    "0123456789", "Code", "CurrencyTemperatureVolumeWeight", "EmojiBoldUnderline", "HugeWithRefs",
    "MultiAttachment", "MultiPart", "OverlappingFormat", "TextStyles",
  ].map { "crabstep__src__test_data__" + $0 }

  @Test(arguments: files.filter { !sharing.contains($0) })
  func `a stream's values are encoded to the same bytes`(_ file: String) throws {
    let archiver = Archiver()
    for root in try roots(file) { try archiver.encodeObject(root) }
    let (bytes, original) = (try archiver.finish(), try Shared.bytes("\(Self.folder)/\(file)"))
    let difference = zip(bytes, original).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(bytes == original, "differs at byte \(difference?.offset ?? bytes.count)")
  }
}
