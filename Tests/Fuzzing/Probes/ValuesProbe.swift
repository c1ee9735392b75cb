import Archiving

/// Decodes whatever an archive of either kind holds, and encodes it again.
func probeValues(_ bytes: [UInt8]) {
  if let unarchiver = try? Unarchiver(bytes) {
    for _ in 0..<100 where !unarchiver.isAtEnd {
      guard let value = try? unarchiver.decodeAnyValueIfPresent(forKey: "") else { return }
      check(value, in: .sequential)
    }
    return
  }
  guard let top = try? ObjectGraph(bytes).top, let unarchiver = try? KeyedUnarchiver(bytes) else {
    return
  }
  for field in top.prefix(20) {
    guard let value = try? unarchiver.decodeAnyValueIfPresent(forKey: field.key) else { continue }
    check(value, in: .keyed)
  }
}

/// How a value is encoded again.
private enum Form {
  case keyed, sequential

  func encode(_ value: Cocoa.Object) throws -> [UInt8] {
    guard self == .keyed else { return try Archiver.archive(value) }
    let archiver = KeyedArchiver()
    try archiver.encodeAnyValue(value, forKey: "root")
    return try archiver.finish()
  }

  func decode(_ bytes: [UInt8]) throws -> Cocoa.Object {
    guard self == .keyed else { return try Unarchiver(bytes).decodeAnyValue(forKey: "") }
    return try KeyedUnarchiver(bytes).decodeAnyValue(forKey: "root")
  }
}

/// What is encoded and decoded again is the same.
private func check(_ value: Cocoa.Object, in form: Form) {
  // What an object of an unknown class refers to is looked at when it is written, and equals only
  // itself.
  func holdsKept() -> Bool { "\(value)".contains("unknown(") }
  do {
    guard let bytes = try? form.encode(value) else {
      return expect(holdsKept(), "\(form): a value that was decoded cannot be encoded")
    }
    let again = try form.decode(bytes)
    // What is not a number equals nothing, not even itself.
    if again == value || "\(value)".contains("nan") { return }
    expect(holdsKept(), "\(form): \(value) has become \(again)")
    expect(try form.encode(again) == bytes, "\(form): what was kept is not written the same again")
  } catch {
    expect(false, "\(form): a value that was encoded cannot be decoded: \(error)")
  }
}
