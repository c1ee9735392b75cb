/// What could not be read of a list in text, while the rest was.
package struct PropertyListFaults: Hashable, Sendable {
  /// Why a leaf could not be read, by its number; it is of no kind. Only the first are told: there
  /// may be very many, and each looks for its line.
  package private(set) var leaves: [PropertyListReference: String] = [:]
  /// What else is wrong.
  package private(set) var notes: [String] = []
  private static let toldMax = 32
  /// Whether all could be read.
  package var isEmpty: Bool { leaves.isEmpty && notes.isEmpty }

  /// A marker that no object has.
  private static let marker: [UInt8] = [0x70]

  package init() {}

  /// Adds a leaf that nobody can read, in place of one that is broken.
  mutating func add(
    to writer: inout BinaryPropertyListWriter, _ error: () -> PropertyListError
  ) -> PropertyListReference {
    let reference = Self.marker.withUnsafeBytes { writer.addEncodedLeaf($0) }
    if leaves.count < Self.toldMax { leaves[reference] = error().description }
    return reference
  }

  mutating func note(_ error: () -> PropertyListError) {
    if notes.count < Self.toldMax { notes.append(error().description) }
  }
}

/// A property list that a file begins with, for showing a file that has more than it should.
package struct StartedPropertyList: Sendable {
  package var list: BinaryPropertyList
  /// The byte at which something other than white space and comments begins behind the list.
  package var rest: Int?
  /// What could not be read.
  package var faults = PropertyListFaults()
}

extension StartedPropertyList {
  /// Reads the text notation of OPENSTEP and GNUstep, and files of entries without braces.
  ///
  /// Comments are passed over; of broken leaves and of keys that are there twice a note is made.
  package init(
    text bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListError) {
    var bytes = bytes
    var order: XMLPropertyListReader.WideOrder?
    var end: Int?
    if let wide = XMLPropertyListReader.wideOrder(of: bytes) {
      let count = bytes.count
      let narrow = try XMLPropertyListReader.narrow(bytes, wide, in: .start)
      (bytes, order) = (narrow.text, wide)
      end = narrow.end < count ? narrow.end : nil
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      let place = error.byteOffsets.lowerBound
      throw bytes.withUnsafeBufferPointer {
        XMLScanner($0).error(.badText, at: place, "text that is not UTF-8")
      }
    }
    var rest: Int?
    var faults = PropertyListFaults()
    let list = try bytes.withUnsafeBufferPointer { input throws(PropertyListError) -> [UInt8] in
      var parser = TextPropertyListParser(XMLScanner(input), limits: limits)
      let list = try parser.parse()
      (rest, faults) = (parser.rest, parser.faults)
      return list
    }
    self.list = try BinaryPropertyList(list)
    self.faults = faults
    if let order {
      self.rest =
        rest.map { XMLPropertyListReader.units(bytes.prefix($0)) * 2 + order.start } ?? end
    } else {
      self.rest = rest
    }
  }
}
