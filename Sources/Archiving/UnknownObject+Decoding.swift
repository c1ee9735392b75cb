import PortolanMemory

// Kept objects that become instances after all.

extension KeyedUnarchiver {
  /// Decodes an object of this archive that was kept whole, such as a `Cocoa.Object.unknown`.
  ///
  /// Other references to it lead to the same instance.
  public func decodeObject<Object: Coding>(
    _ type: Object.Type, from kept: UnknownObject
  ) throws -> Object {
    try decode(kept) { try object(type, $0) }
  }

  /// Decodes a kept object of this archive as one of the classes of a list.
  public func decodeObject<Slot>(
    in classes: ClassList<Slot>, from kept: UnknownObject
  ) throws -> Slot {
    try decode(kept) { try object(in: classes, $0) }
  }

  private func decode<Result>(
    _ kept: UnknownObject, _ make: (UInt32) throws -> Result
  ) throws -> Result {
    try checkOpen()
    guard let keyed = kept.keyed, keyed.graph === graph, Int(keyed.node.rawValue) < made.count
    else { throw kept.isOfOtherArchive }
    let object = try kept.unlessReplaced { try make(keyed.node.rawValue) }
    try settle()
    return object
  }
}

extension Unarchiver {
  /// Decodes an object of this archive that was kept whole, such as a `Cocoa.Object.unknown`.
  ///
  /// Other references to it lead to the same instance.
  public func decodeObject<Object: Coding>(
    _ type: Object.Type, from kept: UnknownObject
  ) throws -> Object {
    try decode(kept) { try object(type, $0) }
  }

  /// Decodes a kept object of this archive as one of the classes of a list.
  public func decodeObject<Slot>(
    in classes: ClassList<Slot>, from kept: UnknownObject
  ) throws -> Slot {
    try decode(kept) { try object(in: classes, $0) }
  }

  private func decode<Result>(
    _ kept: UnknownObject, _ make: (Int) throws -> Result
  ) throws -> Result {
    guard let sequential = kept.sequential, sequential.stream === stream,
      made.count > sequential.number
    else { throw kept.isOfOtherArchive }
    let object = try kept.unlessReplaced { try make(sequential.number) }
    if outerFrames.isEmpty { try settle() }
    return object
  }
}

extension UnknownObject {
  /// Makes an instance of it, apart from all others of its archive; `classes` are the subclasses
  /// that may stand for a class that is asked for.
  ///
  /// Its unarchiver makes it with the others: `unarchiver.decodeObject(Station.self, from: kept)`.
  public func decode<Object: Coding>(
    _ type: Object.Type, classes: [any Coding.Type] = [], limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Object {
    if let keyed {
      return try KeyedUnarchiver(graph: keyed.graph, classes: classes, limits: limits)
        .decodeObject(type, from: self)
    }
    guard let sequential else { throw isOfOtherArchive }
    return try Unarchiver(stream: sequential.stream, classes: classes, limits: limits)
      .decodeObject(type, from: self)
  }

  fileprivate var isOfOtherArchive: ArchiveError {
    ArchiveError(.misuse, "\(self) is of another archive; decode(_:) makes an instance of it")
  }

  fileprivate func unlessReplaced<Result>(_ make: () throws -> Result) throws -> Result {
    do {
      return try make()
    } catch is ReplacedByNothing {
      throw ArchiveError(.valueNotFound, "\(self) awakes as nothing")
    }
  }
}
