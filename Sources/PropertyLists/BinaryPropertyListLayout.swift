import PortolanMemory

/// Lays the parts of a finished binary property list out in one array of bytes.
///
///     "bplist00" | leaves | large data | containers | offset table | trailer
///
/// Every size is computed first, so that the array is allocated once.
struct BinaryPropertyListLayout: ~Copyable {
  /// Kept as long as the rows, whose first memory it is.
  let block: RowBlock
  let slots: GrowingRow<UInt64>
  private(set) var leaves: GrowingRow<UInt8>
  let lists: GrowingRow<UInt32>
  let payloads: [PropertyListPayload]
  let top: PropertyListReference

  consuming func bytes() -> [UInt8] {
    let count = slots.count
    let referenceWidth = count <= 0xFF ? 1 : count <= 0xFFFF ? 2 : 4
    let payloadSize = payloads.reduce(0) { $0 + $1.byteCount }
    let tableOffset = 8 + leaves.count + payloadSize + containersSize(referenceWidth)
    let offsetWidth = Self.width(of: tableOffset)
    let total = tableOffset + count * offsetWidth + 32
    return [UInt8](unsafeUninitializedCapacity: total) { buffer, initialized in
      var output = PropertyListOutput(UnsafeMutableRawBufferPointer(buffer))
      output.put(BinaryPropertyList.magic)
      leaves.withBytes { output.put($0) }
      // The pages that are written next are the first of the result that take memory.
      leaves.removeAll()
      let payloadOffsets = putPayloads(&output)
      var table = PropertyListOutput(UnsafeMutableRawBufferPointer(buffer), at: tableOffset)
      putContainersAndTable(
        &output, &table, payloadOffsets, referenceWidth: referenceWidth, offsetWidth: offsetWidth)
      precondition(output.position == tableOffset, "containers end at \(output.position)")
      table.put(0, width: 6)
      table.put(UInt64(offsetWidth), width: 1)
      table.put(UInt64(referenceWidth), width: 1)
      table.put(UInt64(count), width: 8)
      table.put(UInt64(top), width: 8)
      table.put(UInt64(tableOffset), width: 8)
      initialized = table.position
    }
  }

  private func containersSize(_ referenceWidth: Int) -> Int {
    var size = 0
    var place = 0
    while place < lists.count {
      let references = Int(lists[place + 1]) * (lists[place] == 0xD0 ? 2 : 1)
      size += Self.headerSize(Int(lists[place + 1])) + references * referenceWidth
      place += 2 + references
    }
    return size
  }

  private func putPayloads(_ output: inout PropertyListOutput) -> [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(payloads.count)
    for payload in payloads {
      offsets.append(output.position)
      if let size = payload.dataSize { output.putHeader(0x40, size) }
      output.put(payload.source)
    }
    return offsets
  }

  private func putContainersAndTable(
    _ output: inout PropertyListOutput, _ table: inout PropertyListOutput, _ payloadOffsets: [Int],
    referenceWidth: Int, offsetWidth: Int
  ) {
    lists.withElements { lists in
      for place in 0..<slots.count {
        let slot = slots[place]
        let position = Int(slot & BinaryPropertyListWriter.positionMask)
        switch slot >> BinaryPropertyListWriter.kindShift {
        case BinaryPropertyListWriter.leaf:
          table.put(UInt64(8 + position), width: offsetWidth)
        case BinaryPropertyListWriter.payload:
          table.put(UInt64(payloadOffsets[position]), width: offsetWidth)
        case BinaryPropertyListWriter.container:
          table.put(UInt64(output.position), width: offsetWidth)
          let count = Int(lists[position + 1])
          output.putHeader(UInt8(lists[position]), count)
          let references = count * (lists[position] == 0xD0 ? 2 : 1)
          let end = position + 2 + references
          output.put(
            references: UnsafeBufferPointer(rebasing: lists[position + 2..<end]),
            width: referenceWidth)
        default:
          preconditionFailure("object \(slot) was reserved and never filled")
        }
      }
    }
  }

  static func headerSize(_ count: Int) -> Int {
    count < 15 ? 1 : count <= 0xFF ? 3 : count <= 0xFFFF ? 4 : count <= 0xFFFF_FFFF ? 6 : 10
  }

  static func width(of value: Int) -> Int {
    value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
  }
}
