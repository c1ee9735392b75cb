import PortolanTestSupport

/// A random sound map, feature by feature, and faults to be put into it.
struct RandomMap {
  var generator: SeededGenerator
  var features: [String] = []

  init(seed: UInt64, count: Int) {
    generator = SeededGenerator(seed: seed)
    for index in 0..<count {
      features.append(sound(index).text)
    }
  }

  var text: String { Checking.collection(features) }

  /// A feature in parts, to be put together with a fault.
  struct Parts {
    var id: String
    var type = "\"type\": \"Feature\""
    var properties: String? = "\"properties\": {\"name\": \"a\", \"pop\": 7}"
    var kind: String
    /// Its name in the text, if that is another one.
    var kindText: String?
    /// The positions of each ring, of the line, or of the point.
    var rings: [[String]]
    var box: String?
    var wrapsGeometry = false

    var text: String {
      var members = [type, id]
      if let box { members.append(box) }
      if let properties { members.append(properties) }
      members.append("\"geometry\": \(geometry)")
      return "{" + members.joined(separator: ", ") + "}"
    }

    private var geometry: String {
      let lists = rings.map { "[" + $0.joined(separator: ", ") + "]" }
      let coordinates =
        switch kind {
        case "Polygon": "[" + lists.joined(separator: ", ") + "]"
        case "LineString": lists[0]
        default: rings[0][0]
        }
      let plain = "{\"type\": \"\(kindText ?? kind)\", \"coordinates\": \(coordinates)}"
      return wrapsGeometry
        ? "{\"type\": \"GeometryCollection\", \"geometries\": [\(plain)]}" : plain
    }
  }

  /// A sound polygon with or without a hole, a line or a point.
  mutating func sound(_ index: Int, kind: String? = nil) -> Parts {
    let kind =
      kind ?? ["Polygon", "Polygon", "LineString", "Point"].randomElement(using: &generator) ?? ""
    let x = Double.random(in: -170...170, using: &generator)
    let y = Double.random(in: -80...80, using: &generator)
    var rings: [[String]]
    switch kind {
    case "Polygon":
      rings = [star(x, y, 1...2)]
      if Bool.random(using: &generator) { rings.append(star(x, y, 0.1...0.3).reversed()) }
    case "LineString": rings = [star(x, y, 1...2).dropLast()]
    default: rings = [[position(x, y)]]
    }
    return Parts(id: "\"id\": \(index)", kind: kind, rings: rings)
  }

  /// A closed ring around a place, counter-clockwise; it does not cross itself.
  private mutating func star(
    _ x: Double, _ y: Double, _ radii: ClosedRange<Double>
  ) -> [String] {
    let count = Int.random(in: 5...14, using: &generator)
    var ring: [String] = []
    for corner in 0..<count {
      let angle =
        (Double(corner) + Double.random(in: -0.2...0.2, using: &generator)) * 2 * .pi
        / Double(count)
      let radius = Double.random(in: radii, using: &generator)
      ring.append(position(x + radius * Turn.cosine(angle), y + radius * Turn.sine(angle)))
    }
    ring.append(ring[0])
    return ring
  }

  private func position(_ x: Double, _ y: Double) -> String {
    "[\((x * 1e5).rounded() / 1e5), \((y * 1e5).rounded() / 1e5)]"
  }

  /// A kind of fault: the code that it has, and the change that makes it.
  struct Fault: Sendable {
    var code: String
    var kind: String?
    var change: @Sendable (inout Parts, inout SeededGenerator) -> Void
  }

  /// Faults that `--fix` repairs.
  static let repairable: [Fault] = [
    Fault(code: "G207", kind: "Polygon") { parts, _ in parts.rings[0].removeLast() },
    Fault(code: "G208", kind: "Polygon") { parts, _ in parts.rings[0].reverse() },
    Fault(code: "G208", kind: "Polygon") { parts, _ in
      parts.rings[parts.rings.count - 1].reverse()
    },
    Fault(code: "G211", kind: "Polygon") { parts, generator in
      let place = Int.random(in: 0..<parts.rings[0].count, using: &generator)
      parts.rings[0].insert(parts.rings[0][place], at: place)
    },
    Fault(code: "G211", kind: "LineString") { parts, _ in
      parts.rings[0].insert(parts.rings[0][1], at: 1)
    },
    Fault(code: "G204", kind: "LineString") { parts, generator in
      let place = Int.random(in: 0..<parts.rings[0].count, using: &generator)
      parts.rings[0][place] = parts.rings[0][place].replacing("[", with: "[\"")
        .replacing(",", with: "\",")
    },
    Fault(code: "G104") { parts, _ in parts.type = "\"type\": \"feature\"" },
    Fault(code: "G104") { parts, _ in parts.kindText = parts.kind.lowercased() },
    Fault(code: "G105") { parts, _ in parts.properties = nil },
    Fault(code: "G401") { parts, _ in parts.box = "\"bbox\": [1, 2, 3]" },
    Fault(code: "G402") { parts, _ in parts.box = "\"bbox\": [1, 50, 3, 40]" },
    Fault(code: "G403") { parts, _ in parts.box = "\"bbox\": [179.5, 89.5, 179.6, 89.6]" },
    Fault(code: "J112") { parts, _ in
      parts.properties = "\"properties\": {\"name\": \"a\", \"pop\": 7,}"
    },
    Fault(code: "J103") { parts, _ in parts.type += ", " + parts.type },
    Fault(code: "J103") { parts, generator in
      // Twice in one object at any depth, the second time perhaps with an escape.
      let name = Bool.random(using: &generator) ? "\\u0061" : "a"
      var value = "{\"a\": [1, {}], \"b\": {}, \"\(name)\": [1, {}]}"
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        value = Bool.random(using: &generator) ? "[7, \(value)]" : "{\"a\": \(value), \"c\": []}"
      }
      if Bool.random(using: &generator) {
        parts.properties = "\"properties\": {\"name\": \(value)}"
      } else {
        parts.type += ", \"foreign\": \(value)"
      }
    },
    Fault(code: "J107") { parts, _ in
      parts.properties = "\"properties\": {\"name\": \"a\", \"pop\": -Infinity}"
    },
    Fault(code: "G215") { parts, _ in parts.wrapsGeometry = true },
  ]

  /// Faults that a person must decide.
  static let others: [Fault] = [
    Fault(code: "G107") { parts, _ in parts.id = "\"id\": []" },
    Fault(code: "G102") { parts, _ in parts.type = "\"kind\": \"Feature\"" },
    Fault(code: "G103") { parts, _ in parts.kindText = "Circle" },
    Fault(code: "G202", kind: "LineString") { parts, _ in parts.rings[0][1] = "[7]" },
    Fault(code: "G205", kind: "LineString") { parts, _ in
      parts.rings[0].removeLast(parts.rings[0].count - 1)
    },
    Fault(code: "G209", kind: "Polygon") { parts, _ in
      parts.rings = [["[0, 0]", "[2, 2]", "[2, 0]", "[0, 2]", "[0, 0]"]]
    },
    Fault(code: "G302", kind: "Point") { parts, _ in parts.rings[0] = ["[50, 170]"] },
  ]
}

/// Sines without a system library.
enum Turn {
  static func both(_ angle: Double) -> (sine: Double, cosine: Double) {
    (sine(angle), cosine(angle))
  }

  static func sine(_ angle: Double) -> Double {
    var (term, sum) = (angle, angle)
    for order in stride(from: 2.0, through: 40, by: 2) {
      term *= -angle * angle / (order * (order + 1))
      sum += term
    }
    return sum
  }

  static func cosine(_ angle: Double) -> Double { sine(angle + .pi / 2) }
}
