/// Names of members of the objects around the present place, to find one that is given twice.
struct KeyTable {
  private struct Key {
    var hash: UInt64
    /// Its first place.
    var name: Range<Int>
    /// The last value that it was given.
    var value: Range<Int>?
  }

  private var keys: [Key] = []
  private var start = 0
  /// For objects of many members.
  private var table: [UInt64: Int] = [:]
  private var isTable = false

  /// The state of the object around, to be given back to `end`.
  struct Mark {
    fileprivate var start: Int
    fileprivate var table: [UInt64: Int]
    fileprivate var isTable: Bool
  }

  mutating func begin() -> Mark {
    let mark = Mark(start: start, table: table, isTable: isTable)
    start = keys.count
    table = [:]
    isTable = false
    return mark
  }

  mutating func end(_ mark: Mark) {
    keys.removeLast(keys.count - start)
    (start, table, isTable) = (mark.start, mark.table, mark.isTable)
  }

  /// The number of a name in this object; it is added if it is new.
  ///
  /// - Parameter isSame: whether the names at two places are the same.
  @inline(__always)
  mutating func number(
    of name: Range<Int>, _ hash: UInt64, isSame: (Range<Int>, Range<Int>) -> Bool
  ) -> Int {
    if !isTable, keys.count - start >= 32 {
      isTable = true
      for index in start..<keys.count where table[keys[index].hash] == nil {
        table[keys[index].hash] = index
      }
    }
    if isTable {
      if let index = table[hash] {
        if isSame(keys[index].name, name) { return index }
      } else {
        table[hash] = keys.count
      }
    } else {
      for index in start..<keys.count where keys[index].hash == hash {
        if isSame(keys[index].name, name) { return index }
      }
    }
    keys.append(Key(hash: hash, name: name))
    return keys.count - 1
  }

  /// Sets the value of a name; returns its first place and the value that it had.
  mutating func setValue(
    _ value: Range<Int>, of number: Int
  ) -> (name: Range<Int>, value: Range<Int>)? {
    defer { keys[number].value = value }
    let key = keys[number]
    return key.value.map { (key.name, $0) }
  }

  /// FNV-1a over eight bytes at a time.
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
    var at = 0
    let raw = UnsafeRawBufferPointer(bytes)
    while at + 8 <= bytes.count {
      hash = (hash ^ raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)) &* 0x100_0000_01B3
      hash ^= hash >> 29
      at += 8
    }
    while at < bytes.count {
      hash = (hash ^ UInt64(bytes[at])) &* 0x100_0000_01B3
      at += 1
    }
    return hash ^ hash >> 32
  }
}
