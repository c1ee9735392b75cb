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

extension History {
  /// The version that holds the steps which the present one would hold without one of them, or
  /// with it once more; `nil` if there is none.
  ///
  /// A step and the one that reverses it cancel each other out.
  ///
  /// - Parameter serial: that of the step to be reversed.
  /// - Complexity: O(versions).
  package func version(reversing serial: Int) -> Version? {
    var roots: [Int: Int] = [:]
    for place in 0...past.count {
      let version = self[place]
      roots[version.serial] = version.reversed.flatMap { roots[$0] } ?? version.serial
    }
    guard let root = roots[serial] else { return nil }
    var difference: Set<Int> = [root]
    for place in stride(from: past.count, through: 1, by: -1) {
      let step = self[place]
      // A step of a draft changes no value.
      if step.draftStroke == nil, let root = roots[step.serial] {
        if difference.remove(root) == nil { difference.insert(root) }
      }
      if difference.isEmpty { return self[place - 1] }
    }
    return nil
  }

  /// Makes the undone versions steps of the past again, each taken back by a new step: they can be
  /// done again when other steps follow.
  ///
  /// - Parameter adapt: changes a former value so that it can follow another one.
  package mutating func keepUndone(_ adapt: (inout Value, _ latest: Value) -> Void) {
    let former = past.count
    while redo() != nil {}
    let latest = value
    for place in stride(from: past.count, to: former, by: -1) {
      let (step, before) = (self[place], self[place - 1])
      var value = before.value
      adapt(&value, latest)
      recordReversal(
        value, title: "undo: \(step.title)", of: step.serial, revision: before.revision,
        draftStroke: step.draftStroke)
      let author = step.after?.author
      note(
        before: step.after ?? WorkNote(author: author),
        after: WorkNote(
          author: author, activeLayer: step.before?.activeLayer,
          selection: step.before?.selection ?? [], draft: step.before?.draft))
    }
  }
}
