import PortolanDocuments
import PortolanGraphics

/// What a GeoJSON text says of its coordinate system, gathered while it is read.
struct SystemEvidence {
  /// What the root's `crs` says; the last one counts.
  var root: CRSMember?
  /// The system that single features name, as the geometries of PostGIS do.
  private(set) var item: CoordinateSystem?
  /// The first feature of another system than those before it.
  private(set) var conflict: Int?
  /// Located features, and those among them that name a system themselves.
  private var locatedCount = 0
  private var namingCount = 0
  /// Where the first feature stands that names none.
  private var silentOffset: Int?
  /// The text that was read last: it is the same in every feature.
  private var text: [UInt8] = []
  private var isNamed = false

  /// Takes in a `crs` of the feature that is being read.
  mutating func read(_ json: UnsafeBufferPointer<UInt8>, at offset: Int) {
    if !text.isEmpty, json.elementsEqual(text) { return }
    text = Array(json)
    read(CRSMember(String(decoding: json, as: UTF8.self)), at: offset)
  }

  /// Takes in what a feature says.
  mutating func read(_ member: CRSMember, at offset: Int) {
    guard case .named(let system) = member else {
      isNamed = false
      return
    }
    isNamed = true
    if let item, item != system { conflict = conflict ?? offset }
    item = item ?? system
  }

  /// Counts a feature when it was read.
  ///
  /// - Parameter hasMember: whether a `crs` was read for it.
  mutating func finishItem(at offset: Int, isLocated: Bool, hasMember: Bool) {
    guard isLocated else { return }
    locatedCount += 1
    if hasMember, isNamed {
      namingCount += 1
    } else if silentOffset == nil {
      silentOffset = offset
    }
  }

  /// The system that the whole text names; `nil` if it names none.
  ///
  /// - Throws: where a feature stands whose system is another.
  func named() throws(ScanFault) -> CoordinateSystem? {
    var root: CoordinateSystem?
    if case .named(let system) = self.root { root = system }
    guard let item, namingCount > 0 else { return root }
    if let conflict { throw ScanFault(.mixedSystems, at: conflict, item.name) }
    if let silentOffset, item != root ?? .crs84 {
      throw ScanFault(.mixedSystems, at: silentOffset, item.name)
    }
    return item
  }
}

extension GeoJSONReader {
  /// Takes in a `crs` member of the root.
  mutating func noteSystem(_ json: String, at offset: Int) {
    let member = CRSMember(json)
    systems.root = member
    switch member {
    case .named(.crs84): break
    case .named(let system):
      isGeographic = system.isDegrees
      notes.add(.crsKept, at: offset)
    case .unnamed:
      if json != "null" { notes.add(.crsKept, at: offset) }
    }
  }

  /// Takes in a `crs` member of a feature or of its geometry.
  mutating func noteItemSystem(_ range: Range<Int>) {
    item.hasSystem = true
    systems.read(scanner.bytes(range), at: item.start)
    if let system = systems.item, !system.isDegrees { isGeographic = false }
  }

  /// Finds out what the coordinates are, when all were read.
  mutating func settleSystem() throws(ScanFault) {
    let named = try systems.named()
    if let named, named != .crs84, systems.root == nil || systems.item != nil {
      notes.add(.crsKept, at: 0)
    }
    coordinateSystem = named ?? .crs84
    if coordinateSystem.isDegrees {
      let claim: DegreesTest.Claim = named == nil && systems.root != nil ? .open : .degrees
      let test = DegreesTest(assembler.blocks, claim: claim)
      if test.arePlanar {
        coordinateSystem = .planar
        notes.add(.beyondDegrees, count: test.beyondCount, at: nil)
      }
    }
    if !coordinateSystem.isDegrees {
      isGeographic = false
      notes.remove(.latitudes)
      notes.remove(.clockwiseRings)
    }
  }
}
