import Glibc

/// What is done with the bytes of a file in one reader, for fuzzers and for tests on damaged files.
///
/// A probe asks a reader for everything it can give, and writes again what was read. It takes
/// bytes, does no input or output, and ends however the bytes are made; what a reader refuses is
/// well. What must never happen (a trap, a law that does not hold) ends the process.
package struct Probe: Sendable {
  /// The word on the command line.
  package let name: String
  /// What the bytes are taken for.
  package let run: @Sendable ([UInt8]) -> Void

  /// Every probe.
  package static let all: [Probe] = [
    Probe(name: "bplist", run: probeBinaryPropertyList),
    Probe(name: "graph", run: probeGraph),
    Probe(name: "keyed", run: probeKeyed),
    Probe(name: "typedstream", run: probeTypedstream),
    Probe(name: "xml", run: probeXML),
    Probe(name: "sequential", run: probeSequential),
    Probe(name: "document", run: probeDocument),
    Probe(name: "geojson", run: probeGeoJSON),
    Probe(name: "csv", run: probeCSV),
    Probe(name: "shapefile", run: probeShapefile),
    Probe(name: "geopackage", run: probeGeoPackage),
    Probe(name: "shapes", run: probeShapes),
    Probe(name: "values", run: probeValues),
    Probe(name: "inspection", run: probeInspection),
    Probe(name: "text", run: probeText),
    Probe(name: "nib", run: probeNib),
    Probe(name: "gnustep", run: probeGNUstep),
    Probe(name: "bookmark", run: probeBookmark),
    Probe(name: "exact", run: probeExact),
    Probe(name: "journal", run: probeJournal),
    Probe(name: "ports", run: probePorts),
  ]

  /// The probe of a name.
  package static func named(_ name: String) -> Probe? { all.first { $0.name == name } }
}

/// Ends the process when a law does not hold, and says which: a fuzzer keeps the input then.
func expect(_ law: Bool, _ message: @autoclosure () -> String) {
  guard !law else { return }
  print("A law does not hold:", message())
  fflush(nil)
  abort()
}
