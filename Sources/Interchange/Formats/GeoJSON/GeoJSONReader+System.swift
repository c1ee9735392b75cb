import PortolanDocuments
import PortolanGraphics

/// The statements of a GeoJSON text about its coordinate system, collected while reading.
struct SystemEvidence {
  /// The root's `crs`; the last one counts.
  var root: CRSMember?
  /// The system named by single features, as the geometries of PostGIS do.
  private(set) var item: CoordinateSystem?
  /// The offset of the first feature in another system than those before it.
  private(set) var conflict: Int?
  /// The number of located features that name a system themselves.
  private var namingCount = 0
  /// The offset of the first feature that names none.
  private var silentOffset: Int?
  /// The text read last: it is the same in every feature.
  private var text: [UInt8] = []
  private var isNamed = false

  /// Adds a `crs` of the feature in progress.
  mutating func read(_ json: UnsafeBufferPointer<UInt8>, at offset: Int) {
    if !text.isEmpty, json.elementsEqual(text) { return }
    text = Array(json)
    read(CRSMember(String(decoding: json, as: UTF8.self)), at: offset)
  }

  /// Adds a feature's statement.
  mutating func read(_ member: CRSMember, at offset: Int) {
    guard case .named(let system) = member else {
      isNamed = false
      return
    }
    isNamed = true
    if let item, item != system { conflict = conflict ?? offset }
    item = item ?? system
  }

  /// Counts a feature after its end.
  ///
  /// - Parameter hasMember: whether it has a `crs`.
  mutating func finishItem(at offset: Int, isLocated: Bool, hasMember: Bool) {
    guard isLocated else { return }
    if hasMember, isNamed {
      namingCount += 1
    } else if silentOffset == nil {
      silentOffset = offset
    }
  }

  /// Whether features have a `crs` of their own.
  var hasMembers: Bool { !text.isEmpty }

  /// Adds the features of the text that follows, none of which has a `crs`.
  mutating func append(_ other: SystemEvidence) {
    silentOffset = silentOffset ?? other.silentOffset
  }

  /// The system of the whole text; `nil` if it names none.
  ///
  /// - Throws: at a feature in another system.
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
  /// Adds a `crs` member of the root.
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

  /// Adds a `crs` member of a feature or of its geometry.
  mutating func noteItemSystem(_ range: Range<Int>) {
    item.hasSystem = true
    systems.read(scanner.bytes(range), at: item.start)
    if let system = systems.item, !system.isDegrees { isGeographic = false }
  }

  /// Decides on the coordinate system after the last feature.
  mutating func settleSystem() throws(ScanFault) {
    let named = try systems.named()
    if let named, named != .crs84, systems.root == nil || systems.item != nil {
      notes.add(.crsKept, at: 0)
    }
    coordinateSystem = named ?? .crs84
    if coordinateSystem.isDegrees {
      let claim: DegreesTest.Claim = named == nil && systems.root != nil ? .open : .degrees
      let test = claim == .open ? known.openTest : known.test
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
