/// The elements of an XML property list; the raw value is the name, its bytes from the top down.
///
/// No name is longer than eight bytes, so that one comparison of a word finds it.
enum XMLElement: UInt64 {
  case plist = 0x70_6C69_7374
  case dict = 0x6469_6374
  case array = 0x61_7272_6179
  case key = 0x6B_6579
  case string = 0x7374_7269_6E67
  case integer = 0x69_6E74_6567_6572
  case real = 0x7265_616C
  case date = 0x6461_7465
  case data = 0x6461_7461
  case yes = 0x7472_7565
  case no = 0x66_616C_7365

  /// The name as it stands in the file.
  var name: String {
    switch self {
    case .plist: "plist"
    case .dict: "dict"
    case .array: "array"
    case .key: "key"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .yes: "true"
    case .no: "false"
    }
  }
}

/// A tag that was read: `<name …>`, `<name/>` or `</name>`.
struct XMLTag {
  enum Kind { case open, close, empty }

  var element: XMLElement
  var kind: Kind
  /// Where its `<` is.
  var offset: Int
}
