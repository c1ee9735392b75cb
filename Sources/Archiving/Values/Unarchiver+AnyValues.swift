import PortolanMemory

// Decoding the values of a stream without knowing their classes.
extension Unarchiver {
  public var currentClassName: String? {
    frame.classIndex >= 0 ? records[frame.classIndex].name : nil
  }

  func anyValue(numbered number: Int) throws -> Cocoa.Object { try anyValue(number) }

  /// The object of a number, whatever its class.
  func anyValue(_ number: Int) throws -> Cocoa.Object {
    let node = UInt32(truncatingIfNeeded: number)
    if let known = try knownValue(node, limits) { return known }
    switch Memo(made[number]) {
    case .underConstruction: throw fault(.cycle, "a collection or value that holds itself")
    case .object, .record: return .unknown(try keep(number))
    case .none, .madeOnce, .value, .string, .readOnce: break
    }
    let (index, back) = try goTo(number)
    defer { goBack(back) }
    let name = records[index].name
    guard name == "NSString" || name == "NSData" || records[index].valueType != nil else {
      return .unknown(try keep(number))
    }
    do {
      let value = try makeValue(node, limits) { try anyValue(number, index, name) }
      return try value ?? .unknown(keep(number))
    } catch let error as ArchiveError where error.isOfOneValue {
      return keepBroken(node, try keep(number), error)
    }
  }

  private func anyValue(_ number: Int, _ index: Int, _ name: String) throws -> Cocoa.Object {
    let former = made[number]
    let depth = outerFrames.count
    do {
      _ = try begin(number, index)
      let value: Cocoa.Object
      switch name {
      case "NSString": value = .string(try Cocoa.MutableString(coder: self).text)
      case "NSData": value = .data(try Cocoa.MutableData(coder: self).bytes)
      default:
        guard let type = records[index].valueType else {
          throw classFault(number, "a value")
        }
        value =
          try making.isFurther
          ? onFurtherStack { try type.init(coder: self).asObject }
          : type.init(coder: self).asObject
      }
      try endObject()
      made[number] = former
      return value
    } catch {
      made[number] = former
      leave(number, depth)
      throw error
    }
  }

  /// The text of the string object that is being made: a group of counted bytes.
  func textOfCurrentString() throws -> String {
    guard try beginGroup(UInt8(ascii: "+"), "NS.string"),
      let range = try located({ try cursor.unnumberedString() })
    else { throw fault(.corrupt, "a string without bytes") }
    return try text(range)
  }
}
