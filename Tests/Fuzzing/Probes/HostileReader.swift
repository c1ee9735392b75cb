import ArchiveInspection
package import Archiving
import PortolanInterchange
import PropertyLists

/// How a program that knows what it wants reads a file: it gets it, or an error.
///
/// There is one for each layer of the hostile files, and some that read files of several layers.
package struct HostileReader: Sendable {
  /// The folder of the files, or a word of its own.
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
    HostileReader(
      layer: "openstep", read: readText, probes: ["text", "xml", "bplist", "typedstream"]),
    HostileReader(layer: "values", read: readValues, probes: []),
    HostileReader(layer: "events", read: readEvents, probes: []),
    HostileReader(layer: "objects", read: readObjects, probes: []),
    HostileReader(layer: "inspection", read: readInspection, probes: []),
    HostileReader(layer: "conversion", read: readConversion, probes: []),
    HostileReader(layer: "resolved", read: readResolved, probes: []),
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

/// Reads the text notation, and forgives nothing.
private func readText(_ bytes: [UInt8]) throws {
  let started = try StartedPropertyList(text: bytes)
  guard started.faults.isEmpty, started.rest == nil else {
    throw PropertyListError(.badText, at: started.rest, "not all could be read")
  }
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

/// Decodes all that an archive of either kind holds, without knowing it beforehand.
private func readValues(_ bytes: [UInt8]) throws {
  if bytes.starts(with: [4, 11]) {
    let unarchiver = try Unarchiver(bytes)
    repeat { _ = try unarchiver.decodeAnyValueIfPresent(forKey: "") } while !unarchiver.isAtEnd
  } else {
    let unarchiver = try KeyedUnarchiver(bytes)
    for field in try ObjectGraph(bytes).top {
      _ = try unarchiver.decodeAnyValueIfPresent(forKey: field.key)
    }
  }
}

/// Goes through a typedstream without any class.
private func readEvents(_ bytes: [UInt8]) throws {
  var scanner = try Typedstream(bytes).events()
  while try scanner.next() != nil {}
}

/// Makes the objects of a stream of one array of `Crumb`s, or the values of one of equal groups.
private func readObjects(_ bytes: [UInt8]) throws {
  let unarchiver = try Unarchiver(bytes)
  var scanner = unarchiver.stream.events()
  guard case .beginGroup(let types)? = try scanner.next() else { return }
  let text = unarchiver.stream.text(ofString: types)
  if text == "@" {
    _ = try unarchiver.decodeObjects(Crumb.self, forKey: "")
    return
  }
  let classes = ClassList<any Coding>([Crumb.self])
  while !unarchiver.isAtEnd { _ = try unarchiver.decodeValues(ofTypes: text, in: classes) }
}

/// Shows an archive as a tree, without keeping any of it.
private func readInspection(_ bytes: [UInt8]) throws {
  let output = TextOutput(inputCount: bytes.count) { _ in }
  try Inspector(InspectedArchive(bytes)).write(
    .tree, at: InspectionPath(""), TreeOptions(), to: output)
}

/// Writes the values of an archive, those inside its data too, without keeping any of it.
private func readResolved(_ bytes: [UInt8]) throws {
  var options = ValueOptions()
  options.isNested = true
  let output = TextOutput(inputCount: bytes.count) { _ in }
  try InspectedArchive(bytes).writeValues(at: InspectionPath(""), options, to: output)
}

/// Converts an archive into every notation, without keeping any of it.
private func readConversion(_ bytes: [UInt8]) throws {
  for notation in ArchiveNotation.allCases {
    for checksFirst in [false, true] {
      do {
        try ArchiveConversion.convert(bytes, to: notation, checksFirst: checksFirst) { _ in }
      } catch let error as InspectionError where error.code == .unsupported {
        continue
      }
    }
  }
}

/// The smallest object there is.
package final class Crumb: Coding {
  package static var archivedClass: ArchivedClass { "Crumb" }

  package func encode(with coder: any EncodingCoder) throws {}

  package init(coder: any DecodingCoder) throws {}
}

private func readXML(_ bytes: [UInt8]) throws { _ = try XMLPropertyListReader().read(bytes) }
