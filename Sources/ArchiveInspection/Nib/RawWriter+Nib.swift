import PropertyLists

/// A compiled nib as its tables.
extension RawWriter {
  mutating func write(_ nib: NibArchive) throws {
    for table in NibArchive.Table.allCases {
      line.add(offset: nib.starts[table.rawValue])
      line.add("\(table.words): \(InspectionText.count(nib.counts[table.rawValue]))")
      try end()
      switch table {
      case .objects: try writeObjects(nib)
      case .keys: try writeKeys(nib)
      case .values: try writeValues(nib)
      case .classNames: try writeClassNames(nib)
      }
    }
    for damage in nib.damage {
      line.add(offset: damage.offset)
      line.add("broken: \(damage.reason)", .broken)
      try end()
    }
    let end = nib.ends.max() ?? 0
    guard nib.damage.isEmpty, end < nib.reader.count else { return }
    line.add(offset: end)
    line.add("\(InspectionText.count(nib.reader.count - end, "byte")) that belong to no table")
    try writeBytes(end..<nib.reader.count)
  }

  private mutating func writeObjects(_ nib: NibArchive) throws {
    for (number, object) in nib.objects.enumerated() {
      line.pad(to: 10)
      line.add("#\(number) ", .number)
      line.add(nib.chain(ofClass: object.classNumber).first ?? "class ?", .className)
      line.add("  (class \(object.classNumber))", .faint)
      line.add(": \(InspectionText.count(object.valueCount, "value")) from \(object.firstValue) on")
      try end()
    }
  }

  private mutating func writeKeys(_ nib: NibArchive) throws {
    for (number, range) in nib.keys.enumerated() {
      line.add(offset: range.lowerBound)
      line.add("[\(number)] ", .number)
      line.add("\"\(InspectionText.escaped(nib.key(number)))\"", .key)
      try end()
    }
  }

  private mutating func writeValues(_ nib: NibArchive) throws {
    for number in 0..<nib.valueCount {
      line.add(offset: Int(nib.valueStarts[number]))
      line.add("[\(number)] ", .number)
      let key = nib.keyNumber(ofValue: number) ?? -1
      line.add(nib.key(key), .key)
      line.add("  (key \(key)): ", .faint)
      switch nib.value(number) {
      case .integer(let value)?: line.add(String(value), .number)
      case .bool(let value)?: line.add(value ? "true" : "false", .number)
      case .float(let value)?: line.add("float \(value)", .number)
      case .double(let value)?: line.add("real \(value)", .number)
      case .data(let range)?:
        line.add("data of \(range.count)")
        try writeBytes(range)
        continue
      case .object(let object)?: line.add("→ #\(object)", .number)
      case NibArchive.Value.none?: line.add("nil", .faint)
      case nil: line.add("?", .broken)
      }
      try end()
    }
  }

  private mutating func writeClassNames(_ nib: NibArchive) throws {
    for number in nib.classNames.indices {
      let chain = nib.chain(ofClass: number)
      line.add(offset: nib.classNames[number].name.lowerBound)
      line.add("[\(number)] ", .number)
      line.add(chain.first ?? "", .className)
      if chain.count > 1 {
        line.add("  (else \(chain.dropFirst().joined(separator: ", ")))", .faint)
      }
      try end()
    }
  }
}
