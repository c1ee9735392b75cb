import PortolanDocuments
import PortolanGraphics

/// Selected, moved and edited things while another person changes the document.
extension Desk {
  /// Follows a change of the document by another person: drops what no longer exists, with a
  /// message.
  ///
  /// - Parameters:
  ///   - former: the document before.
  ///   - person: the name of the person.
  mutating func goOn(since former: Document, beside person: String) {
    let name = person.isEmpty ? "somebody" : person
    let (draft, form, carry, selection) = (draft, form, carry, selection)
    followVertex(since: former, name)
    let isVertexLost = carry != nil && self.carry == nil
    followPath(since: former)
    forgetWhatIsGone(since: former)
    if let draft, self.draft == nil { keep(draft, since: former, without: name) }
    if let form { tellLoss(of: form, since: former, name) }
    let holdsFeatures = selection.features.contains { document.contains($0) }
    settleFilters()
    guard carry != nil, self.carry == nil, !isVertexLost else { return }
    let what = words(for: selection.features, in: former)
    say(
      holdsFeatures
        ? "an edit of \(name) lets the filter hide \(what): nothing is moved any more"
        : "\(name) removed \(what): nothing is moved any more", .warning)
  }

  /// Some features in words: the name of a single one.
  private func words(for features: [FeatureReference], in document: Document) -> String {
    features.count == 1
      ? name(of: features[0], in: document) : CountText.features(features.count)
  }

  /// Names the removed features or attribute of a form, and the text that was typed for it.
  private mutating func tellLoss(of form: AttributeForm, since former: Document, _ name: String) {
    if let present = self.form, form.editing == nil || present.editing != nil { return }
    let isOpen = self.form != nil
    let what =
      isOpen
      ? "the attribute “\(form.current?.name ?? "")”" : words(for: form.features, in: former)
    let typed = form.editing?.line.text ?? ""
    let end = typed.isEmpty ? "the form is closed" : "“\(typed)” was not set"
    say("\(name) removed \(what): \(isOpen && typed.isEmpty ? "nothing was set" : end)", .warning)
  }

  /// Ends MOVE where nothing is left to move.
  mutating func endLostCarry() {
    guard let carry else { return }
    if selection.isEmpty || carry.vertex.map({ coordinate(of: $0) == nil }) == true {
      self.carry = nil
    }
  }

  /// Lets the picked vertex be the one at its place where others of the shape have come or gone, or
  /// lets go of it.
  private mutating func followVertex(since former: Document, _ name: String) {
    guard let vertex = selection.vertex,
      let old = former.feature(vertex.feature)?.geometry,
      let new = document.feature(vertex.feature)?.geometry, old != new,
      let place = old.coordinate(of: vertex)
    else { return }
    let isNumbered =
      old.paths.map(\.vertices.count) == new.paths.map(\.vertices.count)
      && new.coordinate(of: vertex) == place
    if isNumbered { return }
    let found = Self.vertices(of: new).filter {
      new.paths[$0.path].vertices[$0.vertex] == place
    }
    let isCarried = carry != nil && carry?.vertex == vertex
    if found.count == 1 {
      let next = VertexReference(
        feature: vertex.feature, path: found[0].path, vertex: found[0].vertex)
      selection.vertex = next
      if isCarried { carry?.vertex = next }
      return
    }
    selection.vertex = nil
    if isCarried { carry = nil }
    let what = self.name(of: vertex.feature, in: former)
    say(
      "\(name) changed the shape of \(what): the vertex is not picked any more"
        + (isCarried ? ", and not moved" : ""), .warning)
  }

  /// Lets a draft that goes on with a part of a feature stay with it where other parts have come or
  /// gone; without that part there is no draft.
  private mutating func followPath(since former: Document) {
    guard case .append(let feature, let path)? = draft?.purpose,
      let old = former.feature(feature)?.geometry.paths, old.indices.contains(path),
      let new = document.feature(feature)?.geometry.paths, new.count != old.count
    else { return }
    let found = new.indices.filter { new[$0].vertices == old[path].vertices }
    if found.count == 1 {
      draft?.purpose = .append(feature, path: found[0])
    } else {
      draft = nil
    }
  }
}

extension Geometry {
  /// The place of a vertex; `nil` if there is no such one.
  func coordinate(of vertex: VertexReference) -> Coordinate? {
    guard paths.indices.contains(vertex.path),
      paths[vertex.path].vertices.indices.contains(vertex.vertex)
    else { return nil }
    return paths[vertex.path].vertices[vertex.vertex]
  }
}
