import Glibc
import PortolanGraphics

/// A reproducible source of numbers (SplitMix64).
struct BenchmarkNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 up to 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}

/// Land and islands of a made-up world, with about as many vertices as wanted.
struct SyntheticCoast {
  private var numbers: BenchmarkNumbers
  private let vertices: Int

  init(seed: UInt64, vertices: Int) {
    numbers = BenchmarkNumbers(seed: seed)
    self.vertices = vertices
  }

  /// Blocks as a document has them: 16,384 vertices or one larger ring each.
  func blocks() -> [GeometryBlock] {
    var coast = self
    // Sizes of rings as in a real coast: few large ones, then very many small ones.
    var sizes: [Int] = []
    var left = vertices
    for share in [0.073, 0.058, 0.021, 0.016, 0.015, 0.014, 0.010, 0.007, 0.0065, 0.005] {
      sizes.append(Int(Double(vertices) * share))
      left -= sizes[sizes.count - 1]
    }
    while left > 0 {
      let u = coast.numbers.unit()
      let size = min(Int(4 / (1 - u * 0.9995)), 8_000, max(4, left))
      sizes.append(max(4, size))
      left -= size
    }
    let spacing = 0.0045 * 1_900_000 / Double(vertices)
    var result: [GeometryBlock] = []
    var coordinates: [Double] = []
    var ends: [UInt32] = []
    func flush() {
      let role = PathRole(kind: .polygon, beginsMember: true, beginsPolygon: true)
      let block = GeometryBlock(
        coordinates: coordinates, elevations: [], pathEnds: ends,
        pathRoles: ends.map { _ in role }, featureEnds: (0..<ends.count).map { UInt32($0 + 1) },
        kinds: ends.map { _ in .polygon })
      if let block { result.append(block) }
      coordinates = []
      ends = []
    }
    for size in sizes {
      if coordinates.count / 2 + size > 16_384 || ends.count >= 1_000 { flush() }
      coast.addRing(size, spacing, &coordinates)
      ends.append(UInt32(coordinates.count / 2))
    }
    flush()
    return result
  }

  /// A ring with bays at every size.
  private mutating func addRing(_ size: Int, _ spacing: Double, _ coordinates: inout [Double]) {
    let radius = spacing * Double(size) / 2 / .pi / 2.5
    let middleX = numbers.unit() * 300 - 150
    let middleY = numbers.unit() * 110 - 45
    var waves: [(frequency: Double, height: Double, phase: Double)] = []
    var frequency = 2.0
    while frequency < Double(size) / 3 && waves.count < 8 {
      waves.append(
        (frequency.rounded(), 0.5 / Glibc.pow(frequency, 0.8), numbers.unit() * 2 * .pi))
      frequency *= 3.1
    }
    let first = coordinates.count
    for index in 0..<(size - 1) {
      let angle = 2 * .pi * Double(index) / Double(size - 1)
      var distance = radius
      for wave in waves {
        distance += radius * wave.height * Glibc.sin(wave.frequency * angle + wave.phase)
      }
      coordinates.append(middleX + distance * Glibc.cos(angle) * 1.4)
      coordinates.append(min(max(middleY + distance * Glibc.sin(angle), -89), 89))
    }
    coordinates.append(coordinates[first])
    coordinates.append(coordinates[first + 1])
  }
}
