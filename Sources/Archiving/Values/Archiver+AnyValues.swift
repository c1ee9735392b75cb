// Writing values of Foundation's classes, and objects whose class is known at run time only.
extension Archiver {
  /// Writes an object of any class.
  func write(any object: Cocoa.Object) throws {
    switch object {
    case .string(let text): write(string: text)
    case .data(let bytes): try write(Cocoa.MutableData(bytes), classIndex(of: .data))
    case .unknown(let kept): try writeKept(kept)
    default: try write(foundation: object.foundationValue)
    }
  }

  /// Writes a value under the class that it names.
  func write(foundation value: any FoundationValue) throws {
    if let text = value as? String { return write(string: text) }
    let archived = value.archivedClass(isKeyed: false)
    let foundation = FoundationObject(rawValue: archived.name).map { classIndex(of: $0) }
    try write(value, foundation ?? classIndex(of: archived))
  }

  private func write(_ value: any FoundationValue, _ index: Int) throws {
    let isFurther = try checkRoom()
    _ = writer.beginObject()
    writeClass(index)
    frames.append(Int32(truncatingIfNeeded: index))
    do {
      try isFurther
        ? onFurtherStack { try value.encode(with: self) } : value.encode(with: self)
    } catch {
      throw failed(error)
    }
    frames.removeLast()
    writer.endObject()
  }
}
