/// Writes a property list in the XML notation, in the form that Apple's writer gives it.
///
///     let text = try XMLPropertyListWriter().write(list)
///
/// One tab a level, keys in the order of their UTF-16 units, data in lines of base 64, reals with
/// seventeen digits, references of keyed archives as dictionaries of the one key `CF$UID`.
///
/// XML cannot carry everything that a binary list can. Nothing, sets, strings whose UTF-16 is not
/// valid, and dates that are not finite are refused. Dates lose their fraction of a second, and
/// reals of four bytes come back as reals of eight. Control characters are written as they are, as
/// Apple does: strict readers of XML refuse them, `XMLPropertyListReader` does not. A carriage
/// return becomes `&#13;`, because those readers would make a line feed of it.
///
/// Shared objects are written out every time; `PropertyListLimits` bounds their size.
public struct XMLPropertyListWriter: Sendable {
  /// How deep containers may be nested, and how much text may come out.
  public var limits: PropertyListLimits
  /// Whether characters that XML forbids become U+FFFD, instead of being written as they are.
  package var replacesForbidden = false

  /// Makes a writer with limits of its own.
  public init(limits: PropertyListLimits = PropertyListLimits()) { self.limits = limits }

  /// The text of a whole list.
  ///
  /// Throws for all that `BinaryPropertyList.validate()` throws for, for values that XML cannot
  /// carry, and `tooLarge` when shared parts would make the text longer than the limits allow.
  public func write(_ list: BinaryPropertyList) throws(PropertyListError) -> [UInt8] {
    var composer = composer(list)
    return try composer.compose()
  }

  private func composer(_ list: BinaryPropertyList) -> XMLPropertyListComposer {
    XMLPropertyListComposer(list, limits: limits, replacesForbidden: replacesForbidden)
  }

  /// Sends the text of a whole list in pieces, so that a shared object is in memory once.
  ///
  /// - Parameters:
  ///   - checksFirst: whether nothing is sent before it is known that all can be written. A long
  ///     text is then composed twice.
  ///   - send: takes a piece.
  /// - Returns: the losses of the text against the list.
  /// - Throws: as `write(_:)` does, and the errors of `send`.
  @discardableResult
  package func write(
    _ list: BinaryPropertyList, checksFirst: Bool, to send: ([UInt8]) throws -> Void
  ) throws -> XMLLosses {
    var composer = composer(list)
    if checksFirst {
      let heldMax = 4 << 20 + 3 * min(list.reader.count, .max >> 8)
      while try composer.advance() {
        if composer.waitingCount > heldMax { return try sendChecked(list, composer, to: send) }
      }
      try send(composer.take())
      return composer.losses
    }
    return try sendAll(&composer, to: send)
  }

  private func sendChecked(
    _ list: BinaryPropertyList, _ checked: consuming XMLPropertyListComposer,
    to send: ([UInt8]) throws -> Void
  ) throws -> XMLLosses {
    _ = try sendAll(&checked) { _ in }
    var composer = composer(list)
    return try sendAll(&composer, to: send)
  }

  private func sendAll(
    _ composer: inout XMLPropertyListComposer, to send: ([UInt8]) throws -> Void
  ) throws -> XMLLosses {
    while try composer.advance() {
      if composer.waitingCount >= 1 << 16 { try send(composer.take()) }
    }
    try send(composer.take())
    return composer.losses
  }
}

/// The losses of an XML list against its binary source.
package struct XMLLosses: Hashable, Sendable {
  /// Dates that lost their fraction of a second; one that is written twice counts twice.
  package var fractions = 0
  /// Characters that XML forbids, written as U+FFFD; counted where they are replaced only.
  package var characters = 0
}

extension BinaryPropertyList {
  /// The list in the XML notation; see `XMLPropertyListWriter`.
  public func xml(
    limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListError) -> [UInt8] {
    try XMLPropertyListWriter(limits: limits).write(self)
  }
}
