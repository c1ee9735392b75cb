import Archiving
import Testing

/// An object with a list of parts and a view of one of them, which may come first.
final class Gallery: Coding {
  var favourite: View?
  var views: [View]

  init(favourite: View?, views: [View]) { (self.favourite, self.views) = (favourite, views) }

  static var archivedClass: ArchivedClass { "Gallery" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeConditionalObject(favourite, forKey: "favourite")
    try coder.encodeObjects(views, forKey: "views")
  }

  init(coder: any DecodingCoder) throws {
    favourite = try coder.decodeObjectIfPresent(View.self, forKey: "favourite")
    views = try coder.decodeObjects(View.self, forKey: "views")
  }
}

/// A node of a tree whose children know their parent, decoded in the order of its encoding.
final class Branch: Coding {
  var name: String
  var children: [Branch]
  weak var parent: Branch?

  init(_ name: String, _ children: [Branch] = []) {
    self.name = name
    self.children = children
    for child in children { child.parent = self }
  }

  static var archivedClass: ArchivedClass { "Branch" }

  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeString(name)
    try coder.encodeConditionalObject(parent)
    try coder.encodeObjects(children, forKey: "children")
  }

  init(coder: any DecodingCoder) throws {
    name = try coder.decodeString()
    children = []
    try coder.decodeReference(Branch.self) { [weak self] in self?.parent = $0 }
    children = try coder.decodeObjects(Branch.self, forKey: "children")
  }
}

/// A root that encodes another within itself.
final class NestedRoot: Coding {
  init() {}
  static var archivedClass: ArchivedClass { "NestedRoot" }
  func encode(with coder: any EncodingCoder) throws {
    try coder.encodeRootObject(View(title: "inner"))
  }
  init(coder: any DecodingCoder) {}
}

/// Conditional references in archives without keys.
@Suite struct ConditionalTests {
  @Test func `a conditional object that is reached later is written where it is met first`() throws
  {
    let views = [View(title: "a"), View(title: "b")]
    let bytes = try Archiver.archive(Gallery(favourite: views[1], views: views))
    let again = try Unarchiver.unarchive(Gallery.self, from: bytes)
    #expect(again.favourite === again.views[1])
    // The body stands at the first reference: object 0 is the gallery, behind its two classes.
    let stream = try Typedstream(bytes)
    guard case .object(let index)? = stream.entry(3) else {
      Issue.record("object 3 is no object")
      return
    }
    #expect(stream.chain(ofClass: index) == ["View", "NSObject"])
    #expect(try TypedstreamWriter.rewrite(stream) == bytes)
  }

  @Test func `a conditional object that nothing else reaches is none`() throws {
    let bytes = try Archiver.archive(
      Gallery(favourite: View(title: "x"), views: [View(title: "a")]))
    let again = try Unarchiver.unarchive(Gallery.self, from: bytes)
    #expect(again.favourite == nil && again.views.map(\.title) == ["a"])
  }

  @Test func `a parent and its children find each other again`() throws {
    let tree = Branch("root", [Branch("a", [Branch("c")]), Branch("b")])
    let again = try Unarchiver.unarchive(Branch.self, from: Archiver.archive(tree))
    #expect(again.children.map(\.name) == ["a", "b"])
    #expect(again.children.allSatisfy { $0.parent === again })
    #expect(again.children[0].children[0].parent === again.children[0])
    #expect(again.parent == nil)
  }

  @Test func `a part alone does not pull its whole with it`() throws {
    let tree = Branch("root", [Branch("a", [Branch("c")])])
    let again = try Unarchiver.unarchive(
      Branch.self, from: Archiver.archive(tree.children[0]))
    #expect(again.name == "a" && again.parent == nil)
  }

  @Test func `an earlier root counts as written, a later one does not`() throws {
    let views = [View(title: "a"), View(title: "b")]
    let archiver = Archiver()
    try archiver.encodeObject(views[0])
    try archiver.encodeObject(Gallery(favourite: views[0], views: []))
    try archiver.encodeObject(Gallery(favourite: views[1], views: []))
    try archiver.encodeObject(views[1])
    let unarchiver = try Unarchiver(archiver.finish())
    let first = try unarchiver.decodeObject(View.self)
    #expect(try unarchiver.decodeObject(Gallery.self).favourite === first)
    #expect(try unarchiver.decodeObject(Gallery.self).favourite == nil)
    #expect(try unarchiver.decodeObject(View.self).title == "b")
  }

  @Test func `values are referred to by their identity, before and after`() throws {
    let styles = [Style(number: 1, colour: "red"), Style(number: 2, colour: "blue")]
    let legend = Legend(styles: styles + [styles[0]], preferred: StyleID(number: 2))
    let bytes = try Archiver.archive(legend)
    let stream = try Typedstream(bytes)
    let count = (0..<stream.objectCount).filter {
      guard case .object(let index)? = stream.entry($0) else { return false }
      return stream.chain(ofClass: index).first == "Style"
    }.count
    #expect(count == 2)
    let again = try Unarchiver.unarchive(Legend.self, from: bytes)
    #expect(again.styles == legend.styles)
    #expect(again.preferred == StyleID(number: 2))
    let nobody = try Archiver.archive(Legend(styles: [], preferred: StyleID(number: 9)))
    #expect(try Unarchiver.unarchive(Legend.self, from: nobody).preferred == nil)
  }

  @Test func `a second pass writes what a first would have, and later roots go on`() throws {
    let views = [View(title: "a"), View(title: "b")]
    let archiver = Archiver()
    try archiver.encodeStrings(["before"], forKey: "")
    try archiver.encodeObject(Gallery(favourite: views[1], views: views))
    try archiver.encodeStrings(["before", "a", "after"], forKey: "")
    let unarchiver = try Unarchiver(archiver.finish())
    #expect(try unarchiver.decodeStrings(forKey: "") == ["before"])
    let gallery = try unarchiver.decodeObject(Gallery.self)
    #expect(gallery.favourite === gallery.views[1])
    #expect(try unarchiver.decodeStrings(forKey: "") == ["before", "a", "after"])
    #expect(unarchiver.isAtEnd)
  }

  @Test func `nested roots and conditional objects outside of a graph are errors`() throws {
    let nested = #expect(throws: ArchiveError.self) { try Archiver.archive(NestedRoot()) }
    #expect(nested?.code == .misuse)
    #expect(nested?.path == "group 0.NestedRoot")
    let outside = #expect(throws: ArchiveError.self) {
      try Archiver().encodeConditionalObject(View(title: ""), forKey: "view")
    }
    #expect(outside?.code == .misuse)
    #expect(outside?.reason.contains("root") == true)
  }
}
