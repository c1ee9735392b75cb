/// Merges one feature that both sides changed: its attributes one by one, its geometry by rings.
struct FeatureMerge {
  typealias Value = ValueMerge.Value

  let base: FeatureText?
  let ours: FeatureText
  let theirs: FeatureText
  var rule = MergeOptions.GeometryRule.rings
  /// The side that holds where both disagree; `nil` for ours, with a conflict.
  var preferred: MergeSide?

  /// The feature in the text of ours, and what both changed differently.
  func merged() throws -> MergedText {
    let object = ObjectMerge(
      base: base.map { Value(json: $0.json, range: $0.range) },
      ours: Value(json: ours.json, range: ours.range),
      theirs: Value(json: theirs.json, range: theirs.range), preferred: preferred,
      omitted: [FeatureText.conflictName, "bbox"], special: { try part($0, $1) })
    guard var merged = try object.merged() else {
      // A name that is given twice: which of both is meant is not known.
      return preferred == .theirs
        ? MergedText(text: theirs.bytes)
        : MergedText(text: ours.bytes, conflicts: preferred == nil ? ["the whole feature"] : [])
    }
    merged.text = try withBox(merged.text)
    return merged
  }

  private func part(_ name: String, _ values: ValueMerge) throws -> MergedText? {
    switch name {
    case "properties":
      guard let ours = values.ours, let theirs = values.theirs else { return nil }
      let base = values.base.flatMap { $0.isNull ? nil : $0 }
      return try ObjectMerge(base: base, ours: ours, theirs: theirs, preferred: preferred).merged()
    case "geometry":
      guard var merged = try GeometryMerge(rule: rule, preferred: preferred).merged(values) else {
        return nil
      }
      merged.conflicts = merged.conflicts.map { $0.hasPrefix("geometry") ? $0 : "geometry, \($0)" }
      return merged
    default: return nil
    }
  }

  /// The merged feature with the box of its geometry, where a side has one.
  private func withBox(_ text: [UInt8]) throws -> [UInt8] {
    let merged = try FeatureText(JSONSpans(text), 0..<text.count)
    guard ours["bbox"] != nil || theirs["bbox"] != nil else { return text }
    if isSame("geometry", merged, ours) {
      guard isSame("geometry", ours, theirs), base != nil else { return text }
      return try taking("bbox", in: merged, from: theirs)
    }
    if isSame("geometry", merged, theirs) {
      return try taking("bbox", in: merged, from: theirs, true)
    }
    guard let own = merged["bbox"], let geometry = merged["geometry"],
      let box = try BoxText.text(of: geometry, in: merged.json, like: own)
    else { return text }
    var edits = TextEdits()
    edits.replace(own, by: box)
    return edits.applied(to: text, 0..<text.count)
  }

  private func isSame(_ name: String, _ first: FeatureText, _ second: FeatureText) -> Bool {
    guard let value = first[name], let other = second[name] else {
      return first[name] == nil && second[name] == nil
    }
    return JSONSpans.areEqual(first.json, value, second.json, other)
  }

  /// The feature with a member of another version, where the base has it as ours, or in any case.
  private func taking(
    _ name: String, in feature: FeatureText, from other: FeatureText, _ always: Bool = false
  ) throws -> [UInt8] {
    let text = feature.bytes
    if !always, let base, !isSame(name, base, feature) { return text }
    var pieces: [EditedList.Piece] = feature.members.indices.map { .own($0, nil) }
    let place = feature.members.lastIndex { $0.name.elementsEqual(name.utf8) }
    let member = other.members.last { $0.name.elementsEqual(name.utf8) }
    switch (place, member) {
    case (nil, nil): return text
    case (let place?, let member?):
      pieces[place] = .own(place, Array(other.json.bytes[member.range]))
    case (let place?, nil): pieces.remove(at: place)
    case (nil, let member?): pieces.append(.added(Array(other.json.bytes[member.range])))
    }
    return EditedList(feature.json, feature.range, elements: feature.members.map(\.range))
      .text(pieces)
  }
}

/// The box of coordinates as the numbers that they are written with.
enum BoxText {
  /// The box of a geometry with as many numbers as another box has; `nil` without coordinates, and
  /// where that box spans the antimeridian, so that its sides cannot be found by comparing.
  static func text(
    of geometry: Range<Int>, in json: JSONSpans, like box: Range<Int>
  ) throws -> [UInt8]? {
    guard let sides = try json.elements(of: box), sides.count == 4 || sides.count == 6,
      let numbers = numbers(sides, json), numbers[0] <= numbers[sides.count / 2],
      let list = try json.members(of: geometry)?.last(where: {
        $0.name.elementsEqual("coordinates".utf8)
      })
    else { return nil }
    let dimensions = sides.count / 2
    var least = [(value: Double, range: Range<Int>)?](repeating: nil, count: dimensions)
    var most = least
    var ordinate = 0
    var place = list.value.lowerBound
    while place < list.value.upperBound {
      let byte = json.bytes[place]
      if byte == UInt8(ascii: "[") { ordinate = 0 }
      guard byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) else {
        place += 1
        continue
      }
      let range = try json.skipValue(&place)
      defer { ordinate += 1 }
      guard ordinate < dimensions, let value = number(range, json) else { continue }
      if least[ordinate].map({ value < $0.value }) ?? true { least[ordinate] = (value, range) }
      if most[ordinate].map({ value > $0.value }) ?? true { most[ordinate] = (value, range) }
    }
    let found = (least + most).compactMap { $0?.range }
    guard found.count == sides.count else { return nil }
    return EditedList(json, box, elements: sides).text(
      found.enumerated().map { .own($0, Array(json.bytes[$1])) })
  }

  private static func numbers(_ ranges: [Range<Int>], _ json: JSONSpans) -> [Double]? {
    let values = ranges.compactMap { number($0, json) }
    return values.count == ranges.count ? values : nil
  }

  private static func number(_ range: Range<Int>, _ json: JSONSpans) -> Double? {
    Double(String(decoding: json.bytes[range], as: UTF8.self))
  }
}
