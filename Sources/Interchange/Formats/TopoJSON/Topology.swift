import PortolanDocuments

/// A topology: its arcs, and its objects as texts of GeoJSON.
struct Topology {
  /// One object: a layer.
  struct Object {
    var name: String
    fileprivate var range: Range<Int>
  }

  private(set) var objects: [Object] = []
  /// The system of a `crs` member.
  private(set) var system: CoordinateSystem?
  private var scanner: JSONScanner
  /// x and y of the positions of all arcs.
  private var pairs: [Double] = []
  /// The position after the last of each arc.
  private var ends: [Int] = []
  private var scale = (x: 1.0, y: 1.0)
  private var shift = (x: 0.0, y: 0.0)
  private var isQuantized = false
  /// The positions that shapes may still take from arcs: an arc may be used again and again.
  private var budget = 0

  init(_ scanner: JSONScanner) throws(ScanFault) {
    self.scanner = scanner
    budget = 1_000_000 + 16 * scanner.count
    var (arcs, objects, transform): (Int?, Int?, Int?)
    try members { name, topology throws(ScanFault) in
      let place = topology.scanner.position
      switch name {
      case "arcs": arcs = place
      case "objects": objects = place
      case "transform": transform = place
      case "crs":
        let range = try topology.scanner.skipValue()
        let text = String(decoding: topology.scanner.bytes(range), as: UTF8.self)
        if case .named(let system) = CRSMember(text) { topology.system = system }
      default: break
      }
    }
    if let transform { try readTransform(transform) }
    if let arcs { try readArcs(arcs) }
    guard let objects else { throw ScanFault(.wrongType, at: 0, "there are no objects") }
    self.scanner.position = objects
    var found: [Object] = []
    try members { name, topology throws(ScanFault) in
      let start = topology.scanner.position
      let range = try topology.scanner.skipValue()
      found.append(Object(name: name, range: start..<range.upperBound))
    }
    self.objects = found
  }

  // MARK: Scanning

  /// Walks through the members of an object; what `body` does not skip is skipped.
  private mutating func members(
    _ body: (String, inout Topology) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    scanner.skipWhitespace()
    // A mark of the byte order may stand before the root.
    if scanner.position == 0, scanner.current == 0xEF { scanner.position = 3 }
    guard scanner.current == UInt8(ascii: "{") else { throw scanner.wrongType("an object") }
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.current == UInt8(ascii: "}") {
      scanner.position += 1
      return
    }
    while true {
      scanner.skipWhitespace()
      let token = try scanner.scanString()
      var name: [UInt8] = []
      _ = JSONText.unescape(scanner.bytes(token.start..<token.end), into: &name)
      scanner.skipWhitespace()
      try scanner.expect(UInt8(ascii: ":"))
      scanner.skipWhitespace()
      let start = scanner.position
      try body(String(decoding: name, as: UTF8.self), &self)
      scanner.position = start
      try scanner.skipValue()
      scanner.skipWhitespace()
      if scanner.current == UInt8(ascii: "}") {
        scanner.position += 1
        return
      }
      try scanner.expect(UInt8(ascii: ","))
    }
  }

  /// Walks through the elements of an array; `body` skips each.
  private mutating func elements(
    _ body: (inout Topology) throws(ScanFault) -> Void
  ) throws(ScanFault) {
    scanner.skipWhitespace()
    guard scanner.current == UInt8(ascii: "[") else { throw scanner.wrongType("an array") }
    scanner.position += 1
    scanner.skipWhitespace()
    if scanner.current == UInt8(ascii: "]") {
      scanner.position += 1
      return
    }
    while true {
      scanner.skipWhitespace()
      try body(&self)
      scanner.skipWhitespace()
      if scanner.current == UInt8(ascii: "]") {
        scanner.position += 1
        return
      }
      try scanner.expect(UInt8(ascii: ","))
    }
  }

  private mutating func number() throws(ScanFault) -> Double {
    scanner.skipWhitespace()
    let first = scanner.current
    guard first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
      throw scanner.wrongType("a number")
    }
    var traits = NumberTraits()
    return try scanner.scanNumber(&traits)
  }

  private mutating func numbers() throws(ScanFault) -> [Double] {
    var numbers: [Double] = []
    try elements { topology throws(ScanFault) in numbers.append(try topology.number()) }
    return numbers
  }

  private mutating func readTransform(_ place: Int) throws(ScanFault) {
    scanner.position = place
    var (scale, shift): ([Double], [Double]) = ([], [])
    try members { name, topology throws(ScanFault) in
      if name == "scale" { scale = try topology.numbers() }
      if name == "translate" { shift = try topology.numbers() }
    }
    guard scale.count >= 2, shift.count >= 2 else {
      throw ScanFault(.wrongType, at: place, "a scale and a translate of two numbers")
    }
    (self.scale, self.shift) = ((scale[0], scale[1]), (shift[0], shift[1]))
    isQuantized = true
  }

  private mutating func readArcs(_ place: Int) throws(ScanFault) {
    scanner.position = place
    try elements { topology throws(ScanFault) in
      var (x, y) = (0.0, 0.0)
      try topology.elements { topology throws(ScanFault) in
        let place = topology.scanner.position
        let position = try topology.numbers()
        guard position.count >= 2 else { throw ScanFault(.shortPosition, at: place) }
        if topology.isQuantized {
          (x, y) = (x + position[0], y + position[1])
          topology.pairs.append(x * topology.scale.x + topology.shift.x)
          topology.pairs.append(y * topology.scale.y + topology.shift.y)
        } else {
          topology.pairs += position[..<2]
        }
      }
      topology.ends.append(topology.pairs.count / 2)
    }
  }

  // MARK: Objects

  /// An object as a FeatureCollection in GeoJSON.
  mutating func features(of object: Object) throws(ScanFault) -> [UInt8] {
    var text = Array(#"{"type":"FeatureCollection","features":["#.utf8)
    scanner.position = object.range.lowerBound
    var waiting = [object.range.lowerBound]
    var isFirst = true
    // Collections at the root are lists of features, and may stand in each other.
    var depth = 0
    while let place = waiting.popLast() {
      let shape = try shape(at: place)
      if shape.type == "GeometryCollection", depth == 0, let list = shape.geometries,
        shape.properties == nil
      {
        depth = 1
        var places: [Int] = []
        scanner.position = list
        try elements { topology throws(ScanFault) in
          places.append(topology.scanner.position)
          try topology.scanner.skipValue()
        }
        waiting += places.reversed()
        continue
      }
      text += Array((isFirst ? "\n" : ",\n").utf8)
      isFirst = false
      text += Array(#"{"type":"Feature""#.utf8)
      if let id = shape.id { text += Array(",\"id\":".utf8) + scanner.bytes(id) }
      text += Array(",\"properties\":".utf8)
      text += shape.properties.map { Array(scanner.bytes($0)) } ?? Array("{}".utf8)
      text += Array(",\"geometry\":".utf8)
      try appendGeometry(shape, depth: 0, to: &text)
      text.append(UInt8(ascii: "}"))
    }
    return text + Array("\n]}\n".utf8)
  }

  /// The members of a geometry object.
  private struct Shape {
    var place: Int
    var type = ""
    var id: Range<Int>?
    var properties: Range<Int>?
    var arcs: Int?
    var coordinates: Int?
    var geometries: Int?
  }

  private mutating func shape(at place: Int) throws(ScanFault) -> Shape {
    var shape = Shape(place: place)
    scanner.position = place
    try members { name, topology throws(ScanFault) in
      let start = topology.scanner.position
      switch name {
      case "type":
        let range = try topology.scanner.skipValue()
        let text = String(decoding: topology.scanner.bytes(range), as: UTF8.self)
        shape.type = text == "null" ? "" : String(text.dropFirst().dropLast())
      case "id": shape.id = try topology.scanner.skipValue()
      case "properties": shape.properties = try topology.scanner.skipValue()
      case "arcs": shape.arcs = start
      case "coordinates": shape.coordinates = start
      case "geometries": shape.geometries = start
      default: break
      }
    }
    return shape
  }

  private static let depthMax = 32

  private mutating func appendGeometry(
    _ shape: Shape, depth: Int, to text: inout [UInt8]
  ) throws(ScanFault) {
    if shape.type.isEmpty {
      text += Array("null".utf8)
      return
    }
    guard depth < Self.depthMax else { throw ScanFault(.tooDeep, at: shape.place) }
    text += Array(#"{"type":"\#(shape.type)",""#.utf8)
    if shape.type == "GeometryCollection" {
      text += Array("geometries\":[".utf8)
      scanner.position = shape.geometries ?? shape.place
      var places: [Int] = []
      try elements { topology throws(ScanFault) in
        places.append(topology.scanner.position)
        try topology.scanner.skipValue()
      }
      for (index, place) in places.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        try appendGeometry(try self.shape(at: place), depth: depth + 1, to: &text)
      }
      text += Array("]}".utf8)
      return
    }
    text += Array("coordinates\":".utf8)
    // How many lists of arcs stand in each other.
    let levels = ["LineString": 0, "MultiLineString": 1, "Polygon": 1, "MultiPolygon": 2]
    if let levels = levels[shape.type] {
      guard let arcs = shape.arcs else { throw ScanFault(.badCoordinates, at: shape.place, "arcs") }
      scanner.position = arcs
      try appendArcs(levels, to: &text)
    } else {
      guard ["Point", "MultiPoint"].contains(shape.type), let coordinates = shape.coordinates else {
        throw ScanFault(.unknownType, at: shape.place, ScanFault.excerpt(shape.type))
      }
      scanner.position = coordinates
      try appendPoints(isMany: shape.type == "MultiPoint", to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }

  /// Positions that are no parts of arcs: quantized, but each by itself.
  private mutating func appendPoints(isMany: Bool, to text: inout [UInt8]) throws(ScanFault) {
    var found: [[Double]] = []
    if isMany {
      try elements { topology throws(ScanFault) in found.append(try topology.numbers()) }
    } else {
      found = [try numbers()]
    }
    if isMany { text.append(UInt8(ascii: "[")) }
    for (index, position) in found.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      guard position.count >= 2 else {
        text += Array("[]".utf8)
        continue
      }
      append(position[0] * scale.x + shift.x, position[1] * scale.y + shift.y, to: &text)
    }
    if isMany { text.append(UInt8(ascii: "]")) }
  }

  /// A line of arcs, or lists of them.
  private mutating func appendArcs(_ levels: Int, to text: inout [UInt8]) throws(ScanFault) {
    text.append(UInt8(ascii: "["))
    var isFirst = true
    if levels > 0 {
      var places: [Int] = []
      try elements { topology throws(ScanFault) in
        places.append(topology.scanner.position)
        try topology.scanner.skipValue()
      }
      for place in places {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        scanner.position = place
        try appendArcs(levels - 1, to: &text)
      }
    } else {
      let place = scanner.position
      var isJoint = false
      for number in try numbers() {
        guard let arc = Int(exactly: number), let positions = range(of: arc < 0 ? ~arc : arc) else {
          throw ScanFault(.badCoordinates, at: place, "there is no such arc")
        }
        budget -= positions.count
        if budget < 0 { throw ScanFault(.tooLarge, at: place, "arcs are used too often") }
        // The first position of an arc is the last one of that before.
        for step in (isJoint ? 1 : 0)..<max(positions.count, isJoint ? 1 : 0) {
          let index = arc < 0 ? positions.upperBound - 1 - step : positions.lowerBound + step
          if !isFirst { text.append(UInt8(ascii: ",")) }
          isFirst = false
          append(pairs[2 * index], pairs[2 * index + 1], to: &text)
        }
        isJoint = isJoint || !positions.isEmpty
      }
    }
    text.append(UInt8(ascii: "]"))
  }

  /// The positions of an arc; `nil` if there is no such arc.
  private func range(of arc: Int) -> Range<Int>? {
    guard ends.indices.contains(arc) else { return nil }
    return (arc == 0 ? 0 : ends[arc - 1])..<ends[arc]
  }

  private func append(_ x: Double, _ y: Double, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "["))
    text += NumberPrinter.shortest(x, isPointed: false)
    text.append(UInt8(ascii: ","))
    text += NumberPrinter.shortest(y, isPointed: false)
    text.append(UInt8(ascii: "]"))
  }
}
