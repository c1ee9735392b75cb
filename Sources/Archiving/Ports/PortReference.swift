/// A reference to an object, as it stands in a message.
///
/// `Docs/formats/port-message.md` has its keys.
struct PortReference: IdentifiedCoding, RestrictedCoding {
  /// The side of the object, seen from the sender.
  enum Place: Int, Sendable {
    /// With the receiver: it was one of his, and comes home.
    case receiver = 0
    /// With the sender.
    case sender = 1
    /// In a third program.
    case elsewhere = 2
  }

  struct Identity: ArchiveIdentity {
    var place: Place
    var number: UInt64
    var address: String?
  }

  var place: Place
  var number: UInt64
  var address: String?

  static let archivedClass = ArchivedClass("NSDistantObject", superclass: "NSProxy")
  static var supportedCoders: CoderKinds { .port }

  var archiveIdentity: Identity { Identity(place: place, number: number, address: address) }

  init(place: Place, number: UInt64, address: String? = nil) {
    self.place = place
    self.number = number
    self.address = address
  }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeInt(place.rawValue, forKey: "tag")
    try coder.encodeInt(Int(clamping: number), forKey: "number")
    if let address { try coder.encodeString(address, forKey: "port") }
  }

  init(coder: any DecodingCoder) throws {
    let tag = try coder.decodeInt(forKey: "tag")
    guard let place = Place(rawValue: tag) else {
      throw coder.invalidValue("\(tag) is no place of an object", forKey: "tag")
    }
    guard let number = UInt64(exactly: try coder.decodeInt(forKey: "number")) else {
      throw coder.invalidValue("a number of an object is not negative", forKey: "number")
    }
    self.place = place
    self.number = number
    address = place == .elsewhere ? try coder.decodeString(forKey: "port") : nil
  }
}

/// The target of a reference in a message.
public enum PortObject {
  /// An object of this program, which was sent away before and is back.
  case local(AnyObject)
  /// An object of another program.
  case distant(DistantObject)
}
