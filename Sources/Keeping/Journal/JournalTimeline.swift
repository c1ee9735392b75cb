import PortolanDocuments

/// The versions of a history as last seen, by their serials.
///
/// A history of thousands of edits is followed without looking at each of them again.
struct JournalTimeline: Sendable {
  private(set) var serials: [Int]
  /// The place of the last version of the saved revision; steps of drafts do not count.
  private(set) var savedPlace: Int?
  private var savedRevision: Int?

  init(serials: [Int] = []) { self.serials = serials }

  /// The number of versions, from the oldest, that a history has unchanged.
  ///
  /// Below a shared version all versions are shared, so that a binary search finds the last one.
  func commonCount(with history: History<Document>) -> Int {
    var low = 0
    var high = min(serials.count, history.count)
    while low < high {
      let middle = (low + high) / 2
      if serials[middle] == history[middle].serial { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Takes over the versions of a history.
  ///
  /// - Complexity: O(log versions + new versions); O(versions) after a save, and where the saved
  ///   version was dropped.
  mutating func follow(_ history: History<Document>) {
    let shared = commonCount(with: history)
    serials.removeSubrange(shared...)
    serials += (shared..<history.count).map { history[$0].serial }
    if history.savedRevision != savedRevision || savedPlace.map({ $0 >= shared }) == true {
      savedPlace = history.lastSavedPlace(from: 0)
    } else if let place = history.lastSavedPlace(from: shared) {
      savedPlace = place
    }
    savedRevision = history.savedRevision
  }
}

extension History {
  /// The last place of the saved revision, from a place on; steps of drafts do not count.
  fileprivate func lastSavedPlace(from start: Int) -> Int? {
    guard let savedRevision else { return nil }
    return (start..<count).last {
      self[$0].revision == savedRevision && self[$0].draftStroke == nil
    }
  }
}
