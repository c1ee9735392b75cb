/// The steps of one person among those of several.
package struct OwnSteps: Hashable, Sendable {
  /// The places of the steps that hold, in the order in which undo takes them back, from its end.
  package var done: [Int] = []
  /// The places of the steps that took others back, in the order in which redo reverses them, from
  /// its end.
  package var undone: [Int] = []
}

extension History {
  /// The steps of a person that can be taken back or done again by new steps.
  ///
  /// A step that reverses another one moves it from one list to the other, whoever made it; any
  /// other step of the person ends what could be done again.
  ///
  /// - Parameter isOwn: whether the person made a step.
  /// - Complexity: O(versions).
  package func steps(where isOwn: (Version) -> Bool) -> OwnSteps {
    var steps = OwnSteps()
    var places: [Int: Int] = [:]
    for place in 0...past.count {
      let version = self[place]
      places[version.serial] = place
      if place == 0 { continue }
      let isOwn = isOwn(version)
      if let target = version.reversed.flatMap({ places[$0] }) {
        if let index = steps.done.lastIndex(of: target) {
          steps.done.remove(at: index)
          if isOwn { steps.undone.append(place) }
          continue
        }
        if let index = steps.undone.lastIndex(of: target) {
          steps.undone.remove(at: index)
          if isOwn { steps.done.append(place) }
          continue
        }
      }
      if isOwn {
        steps.done.append(place)
        steps.undone = []
      }
    }
    return steps
  }
}
