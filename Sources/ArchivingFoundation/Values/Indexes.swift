public import Archiving
public import Foundation

extension Cocoa.IndexSet {
  /// Makes an index set of the same ranges.
  public init(_ indexes: IndexSet, isMutable: Bool = false) throws {
    let ranges = indexes.rangeView.compactMap {
      Cocoa.Range(location: $0.lowerBound, length: $0.count)
    }
    guard let made = Cocoa.IndexSet(ranges, isMutable: isMutable), made.count == indexes.count
    else { throw ArchiveError.noCounterpart("an index set with a negative index") }
    self = made
  }
}

extension IndexSet: FoundationCoding {
  /// Makes an index set of the same ranges; throws for an index that stands for "not found".
  public init(_ archived: Cocoa.IndexSet) throws {
    self.init()
    for range in archived.ranges {
      guard range.end < NSNotFound else {
        throw ArchiveError.noCounterpart("an index set with the index for \"not found\"")
      }
      insert(integersIn: range.location..<range.end)
    }
  }

  public var archivedValue: Cocoa.IndexSet { get throws { try Cocoa.IndexSet(self) } }
}

extension Cocoa.IndexPath {
  /// Makes an index path; throws when an index is negative.
  public init(_ path: IndexPath) throws {
    guard let made = Cocoa.IndexPath([Int](path)) else {
      throw ArchiveError.noCounterpart("an index path with a negative index")
    }
    self = made
  }
}

extension IndexPath: FoundationCoding {
  /// Makes an index path.
  public init(_ archived: Cocoa.IndexPath) { self.init(indexes: archived.indexes) }

  public var archivedValue: Cocoa.IndexPath { get throws { try Cocoa.IndexPath(self) } }
}

extension Cocoa.Range {
  /// Makes a range; throws when a number is negative or the end is beyond `Int.max`.
  public init(_ range: NSRange) throws {
    guard let made = Cocoa.Range(location: range.location, length: range.length) else {
      throw ArchiveError.noCounterpart("the range \(range.location), \(range.length)")
    }
    self = made
  }
}

extension NSRange {
  /// Makes a range.
  public init(_ archived: Cocoa.Range) {
    self.init(location: archived.location, length: archived.length)
  }
}
