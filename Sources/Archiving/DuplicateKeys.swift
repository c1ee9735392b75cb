/// A key that is there twice, compared by code units: spellings of one text are different keys.
func firstDuplicate<Value>(_ pairs: [(key: String, value: Value)]) -> String? {
  guard pairs.count > 16 else {
    for last in pairs.indices {
      // Equal texts first, which most are not; spellings of one text are.
      for first in 0..<last where pairs[first].key == pairs[last].key {
        if ExactKey(pairs[first].key) == ExactKey(pairs[last].key) { return pairs[last].key }
      }
    }
    return nil
  }
  var seen: Set<ExactKey> = []
  return pairs.first { !seen.insert(ExactKey($0.key)).inserted }?.key
}

/// Why a Swift dictionary cannot have a key that it has already.
func doubleKeyReason(_ key: String, _ keys: [String]) -> String {
  let isExact = keys.filter { ExactKey($0) == ExactKey(key) }.count > 1
  return isExact
    ? "the key \(key) is there twice"
    : "two spellings of the key \(key) differ only in Unicode composition, which a Swift "
      + "dictionary does not hold apart; decode them with decodeStringPairs or decodeAnyValue"
}
