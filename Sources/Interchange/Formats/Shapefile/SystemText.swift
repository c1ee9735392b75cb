/// The tree of a coordinate system in well-known text, of 2001 (`GEOGCS[…]`) and 2015
/// (`GEOGCRS[…]`).
///
///     PROJCRS["x", BASEGEOGCRS["y", …], …, ID["EPSG", 25833]]
///
/// Nodes are in a flat list, each with the number of its parent: nothing recurses. A text that ends
/// too early gives the nodes before its end.
struct SystemText {
  /// A word with what stands in its brackets.
  struct Node {
    /// The word in capitals.
    var word: String
    /// The texts and numbers of its own, without those of inner nodes.
    var values: [String] = []
    /// The index of the node around it; `nil` for the first one.
    var parent: Int?
  }

  private(set) var nodes: [Node] = []

  /// The longest text in bytes, and the most nodes, that are read.
  private static let (bytesMax, nodesMax) = (1 << 17, 1024)

  /// `nil` if the text does not begin with a word and a bracket.
  init?(_ text: String) {
    let bytes = Array(text.utf8.prefix(Self.bytesMax))
    var place = 0
    var open: Int?
    var word: [UInt8] = []
    while place < bytes.count, nodes.count < Self.nodesMax {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("):
        nodes.append(Node(word: String(decoding: word, as: UTF8.self).uppercased(), parent: open))
        word = []
        open = nodes.count - 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ","):
        end(&word, open)
        guard byte != UInt8(ascii: ","), let node = open else { continue }
        open = nodes[node].parent
        // What follows the first node is no part of it.
        if open == nil { return }
      case UInt8(ascii: "\""):
        guard let node = open else { return nil }
        nodes[node].values.append(Self.quoted(bytes, &place))
      case let byte where byte <= 0x20: continue
      // A byte order mark may come first.
      case 0x80... where open == nil: continue
      default: word.append(byte)
      }
    }
    if nodes.isEmpty { return nil }
  }

  /// Ends a number or a bare word, which is a value of the open node.
  private mutating func end(_ word: inout [UInt8], _ open: Int?) {
    if let open, !word.isEmpty {
      nodes[open].values.append(String(decoding: word, as: UTF8.self))
    }
    word = []
  }

  /// The text up to the closing quotation mark; two of them are one within.
  private static func quoted(_ bytes: [UInt8], _ place: inout Int) -> String {
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") {
        guard place < bytes.count, bytes[place] == byte else { break }
        place += 1
      }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The inner nodes of one with such a word, in their order.
  func children(of node: Int, _ words: Set<String>) -> [Int] {
    nodes.indices.filter { nodes[$0].parent == node && words.contains(nodes[$0].word) }
  }

  /// The name of a node: its first value.
  func name(_ node: Int) -> String { nodes[node].values.first ?? "" }

  /// The system of places on the ground: of a compound system the part without heights, of one that
  /// is bound to another datum the source.
  var horizontal: Int {
    var node = 0
    while Self.wrappers.contains(nodes[node].word),
      let inner = children(of: node, Self.wrapped).first
    {
      node = inner
    }
    return node
  }

  private static let wrappers: Set = [
    "COMPD_CS", "COMPDCS", "COMPOUNDCRS", "BOUNDCRS", "SOURCECRS",
  ]
  private static let wrapped = wrappers.union(geographic).union(projected).union(local)

  static let geographic: Set = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"]
  static let projected: Set = ["PROJCS", "PROJCRS", "PROJECTEDCRS", "DERIVEDPROJCRS"]
  /// Drawings, buildings, and coordinates from the earth's centre.
  static let local: Set = ["LOCAL_CS", "ENGCRS", "ENGINEERINGCRS", "GEOCCS"]

  /// The registered name of a node: what its own `AUTHORITY` or `ID` says, not that of a unit, a
  /// datum or a method in it.
  func registeredName(_ node: Int) -> String? {
    for mark in children(of: node, ["AUTHORITY", "ID"]) {
      let values = nodes[mark].values
      guard values.count >= 2 else { continue }
      let (authority, code) = (values[0].uppercased(), values[1])
      if ["EPSG", "ESRI"].contains(authority), UInt32(code) != nil {
        return authority + ":" + code
      }
      if authority == "OGC", code.uppercased().hasPrefix("CRS") { return "OGC:" + code }
    }
    return nil
  }

  /// Whether the unit of a geographic system is the degree, and its meridian that of Greenwich.
  func isOfDegrees(_ node: Int) -> Bool {
    func number(_ node: Int?) -> Double? {
      node.flatMap { nodes[$0].values.dropFirst().first }.flatMap { Double($0) }
    }
    let axes = children(of: node, ["AXIS"])
    let units = [node] + axes
    let unit = units.lazy.compactMap { owner in
      number(children(of: owner, ["UNIT", "ANGLEUNIT", "ANGULARUNIT"]).first)
    }.first
    // A radian has 57.3 degrees; programs write the size of one with 10 to 18 digits.
    let isDegree = unit.map { ($0 - .pi / 180).magnitude < 1e-9 } ?? true
    let meridian = number(children(of: node, ["PRIMEM", "PRIMEMERIDIAN"]).first) ?? 0
    let isCartesian = children(of: node, ["CS"]).contains { name($0).lowercased() == "cartesian" }
    return isDegree && meridian.magnitude < 1e-6 && !isCartesian
  }
}
