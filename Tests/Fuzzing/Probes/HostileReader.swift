import Archiving
import PropertyLists

/// How a program that knows what it wants reads a file: it gets it, or an error.
///
/// There is one for each layer of the hostile files.
package struct HostileReader: Sendable {
  /// The folder of the files.
  package let layer: String
  /// Reads bytes; throws where it refuses them.
  package let read: @Sendable ([UInt8]) throws -> Void
  /// The probes that the bytes are shown to besides.
  package let probes: [String]

  /// The readers there are.
  package static let all: [HostileReader] = [
    HostileReader(
      layer: "bplist", read: { try BinaryPropertyList($0).validate() },
      probes: ["bplist", "graph", "keyed"]),
    HostileReader(layer: "keyed", read: readDocument, probes: ["bplist", "graph", "keyed"]),
    HostileReader(layer: "semantic", read: readDocument, probes: ["bplist", "graph", "keyed"]),
    HostileReader(
      layer: "typedstream", read: readTypedstream, probes: ["typedstream", "sequential"]),
    HostileReader(layer: "xml", read: readXML, probes: ["xml"]),
    // The old notation is not read; every reader has to say so.
    HostileReader(layer: "openstep", read: readXML, probes: ["xml", "bplist", "typedstream"]),
  ]

  /// The reader of a layer; `nil` where there is none.
  package static func of(layer: some StringProtocol) -> HostileReader? {
    all.first { $0.layer == layer }
  }
}

private func readDocument(_ bytes: [UInt8]) throws {
  let unarchiver = try KeyedUnarchiver(bytes, classes: [MapDocument.self, EvilGadget.self])
  try unarchiver.decodeObject(MapDocument.self, forKey: "root").validate()
}

/// Reads a stream of one object of a class that a careful program would expect.
private func readTypedstream(_ bytes: [UInt8]) throws {
  let unarchiver = try Unarchiver(bytes, classes: [EvilGadget.self])
  let stream = unarchiver.stream
  var root = ""
  for number in 0..<stream.objectCount where root.isEmpty {
    guard case .object(let index)? = stream.entry(number) else { continue }
    root = stream.chain(ofClass: index).first ?? ""
  }
  switch root {
  case "NSArray": _ = try unarchiver.decodeStrings(forKey: "root")
  case "NSDate": _ = try unarchiver.decodeDate()
  case "NSNumber": _ = try unarchiver.decodeObject(in: ClassList<any Coding>([MapNode.self]))
  default: _ = try unarchiver.decodeString()
  }
  guard unarchiver.isAtEnd else {
    throw ArchiveError(.corrupt, "there is more after the root object")
  }
}

private func readXML(_ bytes: [UInt8]) throws { _ = try XMLPropertyListReader().read(bytes) }
