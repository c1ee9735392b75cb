import PropertyLists

extension TypedstreamWriter {
  /// How numbers are written when a stream is written again.
  public enum NumberForms: Hashable, Sendable {
    /// As they were found.
    case kept
    /// As Apple's archiver writes them.
    case shortest
  }

  /// A stream written again from its values.
  ///
  /// A stream of Apple's archiver comes out as it was, byte for byte. Of others, lengths, versions
  /// and references take their shortest form; values keep theirs with `.kept`.
  public static func rewrite(
    _ stream: Typedstream, forms: NumberForms = .kept
  ) throws -> [UInt8] {
    var writer = TypedstreamWriter(byteOrder: stream.byteOrder, systemVersion: stream.systemVersion)
    writer.bytes.reserveCapacity(stream.bytes.count)
    var scanner = stream.events()
    while let event = try scanner.next() {
      writer.write(event, type: scanner.typeCode, of: stream, forms)
    }
    return writer.bytes
  }

  /// Writes a step of a stream; numbers of objects stay as they are there.
  mutating func write(
    _ event: TypedstreamEvent, type: UInt8, of stream: Typedstream, _ forms: NumberForms
  ) {
    func kept(_ form: NumberForm) -> NumberForm? { forms == .kept ? form : nil }
    func bytes(_ range: Range<Int>) -> [UInt8] {
      stream.cursor.reader.withBytes(in: range) { [UInt8]($0) } ?? []
    }
    switch event {
    case .beginGroup(let types): beginGroup(stream.string(types))
    case .byte(let value): writeByte(value)
    case .integer(let value, let form): writeInteger(value, type: type, form: kept(form))
    case .float(let value, let form): writeFloat(value, form: kept(form))
    case .double(let value, let form): writeDouble(value, form: kept(form))
    case .byteArray(let range): writeByteArray(bytes(range))
    case .bytes(let range): writeBytes(bytes(range))
    case .string(let number): writeString(stream.string(number))
    case .newCString(_, let string): writeNewCString(stream.string(string))
    case .archivedClass(let index): write(classIndex: index, of: stream)
    case .beginObject(let number):
      _ = beginObject()
      if case .object(let index)? = stream.entry(number) {
        write(classIndex: index, of: stream)
      }
    case .endObject: endObject()
    case .reference(let number): writeReference(number)
    case .none: writeNone()
    case .beginArray, .endArray, .beginStructure, .endStructure, .nothing: break
    }
  }

  /// Writes a class under its old number: one that has appeared before is referred to.
  private mutating func write(classIndex: Int, of stream: Typedstream) {
    for index in stream.classIndexes(from: classIndex) {
      let archived = stream.classes[index]
      guard archived.number >= objectCount else { return writeReference(archived.number) }
      bytes.append(TypedstreamHead.new)
      objectCount += 1
      writeString(stream.string(archived.name))
      writeInteger(Int64(archived.version))
    }
    writeNone()
  }
}
