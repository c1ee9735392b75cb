import PortolanDocuments
import PortolanGraphics

/// A property of a view that is compared and merged by itself.
struct ViewProperty {
  /// Its name for people.
  let word: String
  /// Whether it is where the view looks: that changes by looking, so that it is no difference.
  let isCamera: Bool
  let areEqual: (any View, any View) -> Bool
  /// Gives a view the value of another one.
  let copy: (_ source: any View, _ target: inout any View) -> Void
  /// The value in words; `nil` where it has none.
  let text: (any View) -> String?

  private init<Value>(
    _ word: String, isCamera: Bool = false, get: @escaping (any View) -> Value?,
    set: @escaping (inout any View, Value) -> Void,
    areEqual: @escaping (Value, Value) -> Bool,
    text: @escaping (Value) -> String? = { _ in nil }
  ) {
    (self.word, self.isCamera) = (word, isCamera)
    self.areEqual = { first, second in
      switch (get(first), get(second)) {
      case (nil, nil): true
      case (let first?, let second?): areEqual(first, second)
      default: false
      }
    }
    copy = { source, target in if let value = get(source) { set(&target, value) } }
    self.text = { get($0).flatMap(text) }
  }

  /// The property of views of a protocol.
  private static func of<Kind, Value: Equatable>(
    _ kind: Kind.Type, _ word: String, _ path: WritableKeyPath<Kind, Value>,
    isCamera: Bool = false, text: @escaping (Value) -> String? = { _ in nil }
  ) -> ViewProperty {
    ViewProperty(
      word, isCamera: isCamera, get: { ($0 as? Kind)?[keyPath: path] },
      set: { view, value in
        guard var changed = view as? Kind else { return }
        changed[keyPath: path] = value
        if let changed = changed as? any View { view = changed }
      }, areEqual: ==, text: text)
  }

  /// The properties of all kinds; a view lacks those of other kinds.
  static var all: [ViewProperty] {
    [
      ViewProperty(
        "name", get: { $0.name }, set: { $0.name = $1 }, areEqual: { $0.hasSameBytes(as: $1) },
        text: { "“\($0)”" }),
      of((any MapShowing).self, "title", \.mapName) { "“\($0)”" },
      of((any MapShowing).self, "place", \.center, isCamera: true),
      of((any MapShowing).self, "magnification", \.magnification, isCamera: true),
      of((any MapShowing).self, "projection", \.projection) { $0.rawValue },
      of((any MapShowing).self, "legend", \.showsLegend) { $0.map { $0 ? "shown" : "hidden" } },
      of((any TableShowing).self, "layer", \.layer),
      ViewProperty(
        "columns", get: { ($0 as? any TableShowing)?.columns },
        set: { view, columns in
          guard var table = view as? any TableShowing else { return }
          table.columns = columns
          view = table
        },
        areEqual: { first, second in
          first.elementsEqual(second) {
            $0.source == $1.source && $0.width == $1.width && $0.isHidden == $1.isHidden
              && $0.sort == $1.sort
          }
        }),
      of((any TableShowing).self, "frozen columns", \.frozen),
    ]
  }

  /// Whether two views of one kind are equal but for where they look.
  static func areSame(_ first: any View, _ second: any View) -> Bool {
    first.className == second.className
      && all.allSatisfy { $0.isCamera || $0.areEqual(first, second) }
  }
}

extension Document {
  /// The views that are the document's own; tables and overviews belong to the panes that show
  /// them.
  var ownViews: [any View] { views.filter { !$0.isHeldByPanes } }
}

extension MapDifference {
  /// The differences of views and bookmarks, one sentence each.
  static func viewNotes(from old: Document, to new: Document) -> [String] {
    let (olds, news) = (old.ownViews, new.ownViews)
    var notes: [String] = []
    var rest = olds
    for view in news {
      let index =
        rest.firstIndex { $0.id == view.id && $0.className == view.className }
        ?? rest.firstIndex { $0.name.hasSameBytes(as: view.name) && $0.className == view.className }
      guard let index else {
        notes.append("view “\(view.name)”: added")
        continue
      }
      let former = rest.remove(at: index)
      let parts = ViewProperty.all.filter { !$0.isCamera && !$0.areEqual(former, view) }.map {
        guard let from = $0.text(former), let to = $0.text(view) else { return $0.word }
        return "\($0.word) \(from) → \(to)"
      }
      if !parts.isEmpty {
        notes.append("view “\(former.name)”: \(parts.joined(separator: ", "))")
      }
    }
    notes += rest.map { "view “\($0.name)”: removed" }
    return notes + bookmarkNotes(from: old.bookmarks, to: new.bookmarks)
  }

  private static func bookmarkNotes(from old: [Bookmark], to new: [Bookmark]) -> [String] {
    var notes: [String] = []
    for bookmark in new {
      guard let former = old[bookmark.name] else {
        notes.append("bookmark “\(bookmark.name)”: added at \(text(bookmark.place))")
        continue
      }
      var parts: [String] = []
      if former.place != bookmark.place {
        parts.append("\(text(former.place)) → \(text(bookmark.place))")
      }
      if former.magnification != bookmark.magnification {
        let texts = [former, bookmark].map { $0.magnification.map { "\($0)" } ?? "none" }
        parts.append("magnification \(texts[0]) → \(texts[1])")
      }
      if !parts.isEmpty {
        notes.append("bookmark “\(bookmark.name)”: \(parts.joined(separator: ", "))")
      }
    }
    let gone = old.filter { new[$0.name] == nil }
    return notes + gone.map { "bookmark “\($0.name)”: removed" }
  }

  private static func text(_ place: Coordinate) -> String { "\(place.x) \(place.y)" }
}
