/// The versions of a value: the present one, those before it, and those that were undone.
///
/// Undo keeps the former value itself, no inverse of the change: documents share their unchanged
/// parts, so that a version costs as much as its edit. The number of versions has no limit.
///
///     var history = History(document)
///     history.record(changed, title: "set name")
///     history.undo()
package struct History<Value: Sendable>: Sendable {
  /// A value and the title of its step.
  package struct Version: Sendable {
    package let title: String
    /// The number of its value: different for any two values of a history. A step back to the saved
    /// value and a step that only changes the draft keep the number.
    package let revision: Int
    /// Different for any two versions of a history: two states of a history that agree on the
    /// serial at a place agree on all places below it.
    package let serial: Int
    package fileprivate(set) var value: Value
    /// The work right before the step and right after it; `nil` if it was not noted.
    package fileprivate(set) var before: WorkNote?
    package fileprivate(set) var after: WorkNote?
    /// The draft that the step only continued; its value is that of the version before.
    package fileprivate(set) var draftStroke: Int?
    /// The serial of the step that this one takes back, as a new step beside those of others.
    package fileprivate(set) var reversed: Int?
    /// Consecutive steps of the same stroke are one step.
    fileprivate var stroke: Int?

    /// The draft of the version, if it has any vertices.
    package var draft: Draft? { after?.draft.flatMap { $0.isEmpty ? nil : $0 } }

    fileprivate init(
      title: String, revision: Int, serial: Int, value: Value, stroke: Int? = nil,
      draftStroke: Int? = nil
    ) {
      self.title = title
      self.revision = revision
      self.serial = serial
      self.value = value
      self.stroke = stroke
      self.draftStroke = draftStroke
    }
  }

  package private(set) var present: Version
  /// The versions before the present one, the oldest first.
  package private(set) var past = SharedStack<Version>()
  /// The versions that were undone, the next one last.
  package private(set) var future = SharedStack<Version>()
  /// The revision of the version in the file; `nil` if none is.
  package private(set) var savedRevision: Int?
  /// How many times a version was written: a version may be written again.
  package private(set) var saveCount = 0
  /// The serial of the next version.
  package private(set) var nextSerial = 1

  /// Whether the present version is one or follows one.
  ///
  /// - Parameter serial: the serial of a version of this history, whether it is still in it or not.
  /// - Complexity: O(log versions).
  package func follows(serial: Int) -> Bool {
    if present.serial == serial { return true }
    var low = 0
    var high = past.count
    while low < high {
      let middle = (low + high) / 2
      if past[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    return low < past.count && past[low].serial == serial
  }

  /// Starts with a value as read, or (`isSaved` false) with one that is in no file.
  package init(_ value: Value, title: String = "opened", isSaved: Bool = true) {
    present = Version(title: title, revision: 0, serial: 0, value: value)
    savedRevision = isSaved ? 0 : nil
  }

  /// A history restored from its versions.
  ///
  /// - Parameters:
  ///   - versions: from the oldest to the first undone one.
  ///   - position: the present one's index among them.
  ///   - savedPosition: the index of the one in the file, if there is one.
  ///   - drafts: the draft of each version, and the stroke of versions that only continued it.
  /// - Precondition: there is a version at `position`.
  package init(
    versions: [(title: String, value: Value)], position: Int, savedPosition: Int?,
    drafts: [(draft: Draft?, stroke: Int?)] = []
  ) {
    var made: [Version] = []
    for (number, version) in versions.enumerated() {
      let known: (draft: Draft?, stroke: Int?) =
        drafts.indices.contains(number) ? drafts[number] : (nil, nil)
      let former = made.last
      var next = Version(
        title: version.title, revision: known.stroke == nil ? number : former?.revision ?? number,
        serial: number, value: version.value, draftStroke: known.stroke)
      if known.draft != nil || former?.after != nil {
        next.before = WorkNote(draft: former?.after?.draft)
        next.after = WorkNote(draft: known.draft)
      }
      made.append(next)
    }
    present = made[position]
    past = SharedStack(made[..<position])
    future = SharedStack(made[(position + 1)...].reversed())
    savedRevision = savedPosition.map { made[$0].revision }
    nextSerial = made.count
  }

  /// The number of all versions.
  package var count: Int { past.count + 1 + future.count }

  /// The places of all versions.
  private var indices: Range<Int> { 0..<count }

  /// A version by its place, counted from the oldest.
  ///
  /// - Precondition: the place is below `count`.
  package subscript(place: Int) -> Version {
    if place < past.count { return past[place] }
    return place == past.count ? present : future[count - 1 - place]
  }

  package var value: Value { present.value }

  /// Whether the present version differs from the file's: undoing back to it clears this.
  package var isEdited: Bool { present.revision != savedRevision }

  /// The value in the file; `nil` if it is in the history no more.
  ///
  /// - Complexity: O(versions).
  package var savedValue: Value? {
    guard let savedRevision else { return nil }
    return indices.lazy.map { self[$0] }.first { $0.revision == savedRevision }?.value
  }

  package var canUndo: Bool { !past.isEmpty }
  package var canRedo: Bool { !future.isEmpty }

  /// The title of the step that `undo` would take back.
  package var undoTitle: String? { past.isEmpty ? nil : present.title }
  /// The title of the step that `redo` would repeat.
  package var redoTitle: String? { future.last?.title }

  /// Makes a value the present one; undone versions are dropped.
  ///
  /// - Parameters:
  ///   - value: the changed value.
  ///   - title: the step in a few words.
  ///   - stroke: consecutive steps with the same number are undone as one: a drag, a freehand line,
  ///     typing. A save in between ends the stroke.
  package mutating func record(_ value: Value, title: String, stroke: Int? = nil) {
    let continues = stroke != nil && stroke == present.stroke && isEdited && future.isEmpty
    if !continues { past.append(present) }
    present = Version(
      title: title, revision: nextSerial, serial: nextSerial, value: value, stroke: stroke)
    nextSerial += 1
    future.removeAll()
  }

  /// Forgets all versions but the present one.
  package mutating func forgetOthers() {
    past = SharedStack()
    future = SharedStack()
  }

  /// Continues a draft: a step that changes the work and not the value, so it edits nothing.
  package mutating func recordDraft(title: String, stroke: Int) {
    past.append(present)
    present = Version(
      title: title, revision: present.revision, serial: nextSerial, value: present.value,
      draftStroke: stroke)
    nextSerial += 1
    future.removeAll()
  }

  /// Records a step that takes another one back; that one stays in the history.
  ///
  /// - Parameters:
  ///   - value: the present value without that step.
  ///   - serial: the serial of that step.
  ///   - revision: that of an equal value of the history; `nil` for a new one.
  ///   - draftStroke: the draft, where that step only continued one.
  package mutating func recordReversal(
    _ value: Value, title: String, of serial: Int, revision: Int? = nil, draftStroke: Int? = nil
  ) {
    past.append(present)
    present = Version(
      title: title, revision: revision ?? nextSerial, serial: nextSerial, value: value,
      draftStroke: draftStroke)
    present.reversed = serial
    nextSerial += 1
    future.removeAll()
  }

  /// Notes that the present version takes back a step.
  package mutating func noteReversal(of serial: Int) { present.reversed = serial }

  /// Notes the work around the step that made the present version.
  package mutating func note(before: WorkNote, after: WorkNote) {
    present.before = present.before ?? before
    present.after = after
  }

  /// Makes the steps of a draft and the present version, which finished it, one step.
  package mutating func fold(draft stroke: Int) {
    while let last = past.last, last.draftStroke == stroke {
      present.before = last.before ?? present.before
      _ = past.popLast()
    }
  }

  /// Makes the version in the file the present one, as a step that can be undone.
  ///
  /// - Returns: whether the history holds that version; if not, nothing was done.
  package mutating func goBackToSaved(title: String) -> Bool {
    guard let savedRevision,
      let place = indices.first(where: { self[$0].revision == savedRevision })
    else { return false }
    let saved = self[place].value
    past.append(present)
    present = Version(
      title: title, revision: savedRevision, serial: nextSerial, value: saved, stroke: nil)
    nextSerial += 1
    future.removeAll()
    return true
  }

  /// Ends the present stroke: the next change is a step of its own.
  package mutating func endStroke() { present.stroke = nil }

  /// Changes the present value without a step: for parts outside of undo, such as the camera in a
  /// saved view.
  package mutating func amend(_ change: (inout Value) throws -> Void) rethrows {
    try change(&present.value)
  }

  /// Goes back one version.
  ///
  /// - Returns: the title of the undone step; `nil` if there is nothing to undo.
  @discardableResult
  package mutating func undo() -> String? {
    guard let former = past.popLast() else { return nil }
    endStroke()
    let title = present.title
    future.append(present)
    present = former
    endStroke()
    return title
  }

  /// Goes forward one version.
  ///
  /// - Returns: the title of the redone step; `nil` if there is nothing to redo.
  @discardableResult
  package mutating func redo() -> String? {
    guard let next = future.popLast() else { return nil }
    past.append(present)
    present = next
    return present.title
  }

  /// Notes that a version was written; call it after a successful save with the saved revision,
  /// since the value may have changed meanwhile.
  package mutating func markSaved(_ revision: Int) {
    savedRevision = revision
    saveCount += 1
  }

  /// Notes that no version is in the file any more.
  package mutating func markUnsaved() { savedRevision = nil }
}
