import PortolanDocuments
import PortolanGraphics

/// The merge of views, panes and bookmarks.
///
/// Views are the same by their number if the base has it, additions by their name; bookmarks by
/// their name. Each property is that of the side that changed it. Where both did, ours is kept and
/// a remark tells it: no such conflict is left to be decided.
extension DocumentMerge {
  /// - Parameter added: the numbers in the result of layers that only theirs has.
  mutating func mergeViews(_ added: [LayerID: LayerID]) {
    var numbers: [ViewID: ViewID] = [:]
    let takesPanes = takesTheirPanes
    var views: [any View] = []
    for own in ours.views {
      if own.isHeldByPanes, takesPanes { continue }
      if let view = merged(own, added, &numbers) { views.append(view) }
    }
    result.views = views
    for other in theirs.views where numbers[other.id] == nil {
      if other.isHeldByPanes ? takesPanes : isAddition(other) {
        numbers[other.id] = add(other, added)
      }
    }
    if !result.views.contains(where: { $0 is any MapShowing }) { keepMap() }
    if takesPanes { takePanes(numbers) }
  }

  /// Keeps the first map that only one side removed: a document shows one at least.
  private mutating func keepMap() {
    for former in base.views where former is any MapShowing {
      guard
        let left = view(former.id, like: former, in: ours)
          ?? view(former.id, like: former, in: theirs)
      else { continue }
      result.views.insert(left, at: 0)
      return remark("view “\(left.name)”: it is kept, since both sides removed all others")
    }
    // A side that has maps of its own would have brought one.
    result.views.insert(contentsOf: ours.views.filter { $0 is any MapShowing }.prefix(1), at: 0)
  }

  private func view(_ id: ViewID, like other: any View, in document: Document) -> (any View)? {
    document.views.first { $0.id == id && $0.className == other.className }
  }

  // MARK: Views

  /// A view of ours with the changes of theirs; `nil` if theirs removed it.
  private mutating func merged(
    _ own: any View, _ added: [LayerID: LayerID], _ numbers: inout [ViewID: ViewID]
  ) -> (any View)? {
    let former = view(own.id, like: own, in: base)
    let other =
      former == nil
      ? addition(like: own)
      : view(own.id, like: own, in: theirs)
    guard let other else {
      guard let former, !own.isHeldByPanes else { return own }
      if ViewProperty.areSame(former, own) { return nil }
      remark("view “\(own.name)”: removed by theirs, changed by ours; it is kept")
      return own
    }
    numbers[other.id] = own.id
    var view = own
    var both: [String] = []
    for property in ViewProperty.all where !property.areEqual(own, other) {
      guard let former, !property.areEqual(former, other) else {
        if former == nil { both.append(property.word) }
        continue
      }
      if property.areEqual(former, own) {
        property.copy(other, &view)
      } else {
        both.append(property.word)
      }
    }
    renumberLayer(of: &view, from: own, added)
    if !both.isEmpty {
      remark("view “\(own.name)”: both changed \(both.joined(separator: ", ")); ours is kept")
    }
    return view
  }

  /// The view that theirs added under the name and kind of one that ours added.
  private func addition(like own: any View) -> (any View)? {
    theirs.views.first {
      $0.className == own.className && $0.name.hasSameBytes(as: own.name)
        && view($0.id, like: $0, in: base) == nil
    }
  }

  /// Whether a view of theirs that ours does not have comes into the result.
  private mutating func isAddition(_ other: any View) -> Bool {
    guard let former = view(other.id, like: other, in: base) else { return true }
    if ViewProperty.areSame(former, other) { return false }
    remark("view “\(other.name)”: removed by ours, changed by theirs; it is kept")
    return true
  }

  /// Adds a view of theirs under a number of the result.
  ///
  /// - Returns: the number; `nil` for a view of a kind that cannot be copied, which is told.
  private mutating func add(_ other: any View, _ added: [LayerID: LayerID]) -> ViewID? {
    let isFree = result.view(other.id) == nil && view(other.id, like: other, in: base) != nil
    let id = isFree ? other.id : ViewID(result.makeID())
    switch other {
    case let map as any MapShowing: result.views.append(map.copy(as: id, name: map.name))
    case let table as any TableShowing:
      var copy: any View = ViewKinds.table(id)
      for property in ViewProperty.all { property.copy(table, &copy) }
      renumberLayer(of: &copy, from: nil, added)
      result.views.append(copy)
    case is any OverviewShowing:
      var copy: any View = ViewKinds.overview(id)
      copy.name = other.name
      result.views.append(copy)
    default:
      remark("view “\(other.name)” of theirs is of a kind that is not merged: it is left out")
      return nil
    }
    return id
  }

  /// Gives a table that took theirs' layer the number that the layer has in the result.
  private func renumberLayer(
    of view: inout any View, from own: (any View)?, _ added: [LayerID: LayerID]
  ) {
    guard var table = view as? any TableShowing, let layer = table.layer,
      layer != (own as? any TableShowing)?.layer, let number = added[layer]
    else { return }
    table.layer = number
    view = table
  }

  // MARK: Panes

  /// Whether only theirs changed the layout of the panes.
  private var takesTheirPanes: Bool {
    Self.choice(base.arrangement?.plain, ours.arrangement?.plain, theirs.arrangement?.plain)
      == .theirs
  }

  private mutating func takePanes(_ numbers: [ViewID: ViewID]) {
    result.layout = theirs.layout?.renumbered { numbers[$0] ?? $0 }
    for other in theirs.views {
      guard let auxiliary = (other as? any MapShowing)?.auxiliaryView,
        let number = numbers[other.id],
        let index = result.views.firstIndex(where: { $0.id == number }),
        var map = result.views[index] as? any MapShowing
      else { continue }
      map.auxiliaryView = numbers[auxiliary]
      result.views[index] = map
    }
  }

  // MARK: Bookmarks

  mutating func mergeBookmarks() {
    var bookmarks: [Bookmark] = []
    for own in ours.bookmarks {
      if let bookmark = merged(own) { bookmarks.append(bookmark) }
    }
    for other in theirs.bookmarks where ours.bookmarks[other.name] == nil {
      if let former = base.bookmarks[other.name] {
        if former.isAt(other) { continue }
        remark("bookmark “\(other.name)”: removed by ours, changed by theirs; it is kept")
      }
      bookmarks.append(other)
    }
    result.bookmarks = bookmarks
  }

  private mutating func merged(_ own: Bookmark) -> Bookmark? {
    let former = base.bookmarks[own.name]
    guard let other = theirs.bookmarks[own.name] else {
      guard let former else { return own }
      if former.isAt(own) { return nil }
      remark("bookmark “\(own.name)”: removed by theirs, changed by ours; it is kept")
      return own
    }
    var bookmark = own
    var both: [String] = []
    switch Self.choice(former?.place, own.place, other.place) {
    case .ours: break
    case .theirs: bookmark.place = other.place
    case .conflict: both.append("place")
    }
    // Without the base's bookmark, two that differ are no edit of one.
    switch former == nil && own.magnification != other.magnification
      ? .conflict
      : Self.choice(former?.magnification, own.magnification, other.magnification)
    {
    case .ours: break
    case .theirs: bookmark.magnification = other.magnification
    case .conflict: both.append("magnification")
    }
    if !both.isEmpty {
      remark("bookmark “\(own.name)”: both changed \(both.joined(separator: ", ")); ours is kept")
    }
    return bookmark
  }

  mutating func remark(_ text: String) { remarks.append(text) }
}

extension Bookmark {
  /// Whether both show the same place alike.
  fileprivate func isAt(_ other: Bookmark) -> Bool {
    place == other.place && magnification == other.magnification
  }
}
