import Archiving

/// The shapes of a block in the archive: shapes without orders, the orders back to back, and one
/// index a row into each.
struct PackedShapes {
  var shapes: [FeatureShape] = []
  /// Empty if all rows have the first shape.
  var shapeIndices: [UInt16] = []
  var orderEnds: [UInt32] = []
  var orders: [UInt16] = []
  /// Empty if all rows have the order of the columns.
  var orderIndices: [UInt16] = []

  /// Packs shapes in the order in which rows use them, so that equal blocks pack alike.
  init(shapes all: [FeatureShape], indices: [UInt16]) {
    var uses = [(shape: UInt16, order: UInt16)?](repeating: nil, count: all.count)
    var shapeNumbers: [FeatureShape: UInt16] = [:]
    var orderNumbers: [[UInt16]: UInt16] = [:]
    shapeIndices.reserveCapacity(indices.count)
    orderIndices.reserveCapacity(indices.count)
    for index in indices {
      let use: (shape: UInt16, order: UInt16)
      if let known = uses[Int(index)] {
        use = known
      } else {
        use = (
          number(of: all[Int(index)], &shapeNumbers),
          number(of: all[Int(index)].propertyOrder, &orderNumbers)
        )
        uses[Int(index)] = use
      }
      shapeIndices.append(use.shape)
      orderIndices.append(use.order)
    }
    if shapes.count <= 1 { shapeIndices = [] }
    if orderEnds.isEmpty { orderIndices = [] }
  }

  init(coder: any DecodingCoder) throws {
    shapes = try coder.decodeObjects(FeatureShape.self, forKey: "shapes")
    shapeIndices = try coder.decodePackedIfPresent(UInt16.self, forKey: "shapeIndices") ?? []
    orderEnds = try coder.decodePackedIfPresent(UInt32.self, forKey: "orderEnds") ?? []
    orders = try coder.decodePackedIfPresent(UInt16.self, forKey: "orders") ?? []
    orderIndices = try coder.decodePackedIfPresent(UInt16.self, forKey: "orderIndices") ?? []
  }

  /// The shapes in their form in memory.
  func unpacked(
    rows: Int, columns: Int, coder: any DecodingCoder
  ) throws -> (shapes: [FeatureShape], indices: [UInt16]) {
    try check(rows: rows, columns: columns, coder: coder)
    var made: [FeatureShape] = []
    var numbers: [UInt32: UInt16] = [:]
    var indices: [UInt16] = []
    indices.reserveCapacity(rows)
    var last: (key: UInt32, number: UInt16)?
    for row in 0..<rows {
      let shape = shapeIndices.isEmpty ? 0 : shapeIndices[row]
      let order = orderIndices.isEmpty ? 0 : orderIndices[row]
      let key = UInt32(shape) << 16 | UInt32(order)
      if let last, last.key == key {
        indices.append(last.number)
        continue
      }
      let number = numbers[key] ?? UInt16(truncatingIfNeeded: made.count)
      if numbers[key] == nil {
        guard made.count <= Int(UInt16.max) else {
          throw coder.invalidValue("more than 65,536 shapes", forKey: "shapeIndices")
        }
        var shaped = shapes[Int(shape)]
        shaped.propertyOrder = self.order(order)
        made.append(shaped)
        numbers[key] = number
      }
      last = (key, number)
      indices.append(number)
    }
    return (made, indices)
  }

  private func check(rows: Int, columns: Int, coder: any DecodingCoder) throws {
    guard shapeIndices.isEmpty || shapeIndices.count == rows,
      shapeIndices.allSatisfy({ Int($0) < shapes.count }), rows == 0 || !shapes.isEmpty
    else {
      throw coder.invalidValue("one place in shapes a feature is needed", forKey: "shapeIndices")
    }
    var previous: UInt32 = 0
    for end in orderEnds {
      guard end >= previous else {
        throw coder.invalidValue("the ends must never fall", forKey: "orderEnds")
      }
      previous = end
    }
    guard Int(previous) == orders.count else {
      throw coder.invalidValue("the last end is not that of orders", forKey: "orderEnds")
    }
    guard orders.allSatisfy({ Int($0) < columns }) else {
      throw coder.invalidValue("an order of columns that are not there", forKey: "orders")
    }
    guard orderIndices.isEmpty || orderIndices.count == rows,
      orderIndices.allSatisfy({ Int($0) <= orderEnds.count })
    else {
      throw coder.invalidValue("one order a feature is needed", forKey: "orderIndices")
    }
  }

  private func order(_ index: UInt16) -> [UInt16]? {
    guard index > 0 else { return nil }
    let start = index == 1 ? 0 : Int(orderEnds[Int(index) - 2])
    return Array(orders[start..<Int(orderEnds[Int(index) - 1])])
  }

  private mutating func number(
    of shape: FeatureShape, _ numbers: inout [FeatureShape: UInt16]
  ) -> UInt16 {
    var plain = shape
    plain.propertyOrder = nil
    if let known = numbers[plain] { return known }
    let number = UInt16(truncatingIfNeeded: shapes.count)
    shapes.append(plain)
    numbers[plain] = number
    return number
  }

  /// 0 for the columns' order, which also replaces the 65,536th order of a block.
  private mutating func number(
    of order: [UInt16]?, _ numbers: inout [[UInt16]: UInt16]
  ) -> UInt16 {
    guard let order else { return 0 }
    if let known = numbers[order] { return known }
    guard orderEnds.count < Int(UInt16.max) else { return 0 }
    orders.append(contentsOf: order)
    orderEnds.append(UInt32(truncatingIfNeeded: orders.count))
    numbers[order] = UInt16(truncatingIfNeeded: orderEnds.count)
    return UInt16(truncatingIfNeeded: orderEnds.count)
  }
}
