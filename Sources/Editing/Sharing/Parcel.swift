import Archiving

/// Packed bytes as an argument of a call, by copy.
struct Parcel: Coding {
  static var archivedClass: ArchivedClass { "PortolanParcel" }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeData(bytes, forKey: "bytes")
  }

  init(coder: any DecodingCoder) throws {
    bytes = try coder.decodeData(forKey: "bytes")
  }
}
