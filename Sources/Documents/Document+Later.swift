import Dispatch
import PortolanGraphics
import Synchronization

/// Documents that were opened for `DocumentNeeds.allLater`.
extension Document {
  /// Whether coordinates are still to be read from the file.
  package var hasUnreadCoordinates: Bool {
    layers.contains { layer in
      (layer as? any BlockHolding)?.blocks.contains { $0.geometry.isOutline } ?? false
    }
  }

  /// Whether coordinates were read that are not those of the features: the document is to be read
  /// again.
  package var hasLostCoordinates: Bool {
    layers.contains { layer in
      (layer as? any BlockHolding)?.blocks.contains { $0.geometry.hasLostCoordinates } ?? false
    }
  }

  /// Whether all coordinates are there, and are those of the features.
  package var hasSoundCoordinates: Bool { !hasUnreadCoordinates && !hasLostCoordinates }

  /// Reads all coordinates that are still in the file, on all cores.
  ///
  /// - Parameter progress: called with the part done, from 0 to 1; an error it throws ends the
  ///   reading.
  /// - Returns: whether they are those of the features; else the document has to be read again: its
  ///   file was changed meanwhile, or has boxes that do not fit.
  package func readCoordinates(progress: (Double) throws -> Void) throws -> Bool {
    let blocks = layers.flatMap { layer in
      (layer as? any BlockHolding)?.blocks.map(\.geometry) ?? []
    }
    let areSound = Atomic(true)
    var done = 0
    while done < blocks.count {
      try progress(Double(done) / Double(blocks.count))
      let part = blocks[done..<min(done + Self.blocksAtOnce, blocks.count)]
      DispatchQueue.concurrentPerform(iterations: part.count) { number in
        if !part[part.startIndex + number].readCoordinates() {
          areSound.store(false, ordering: .relaxed)
        }
      }
      if !areSound.load(ordering: .relaxed) { return false }
      done += part.count
    }
    return true
  }

  /// Read between two reports: about a million vertices.
  private static let blocksAtOnce = 64
}
