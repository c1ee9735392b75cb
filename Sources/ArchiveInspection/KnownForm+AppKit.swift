/// The value classes of AppKit and UIKit, and others that are told as several fields, as keyed
/// archives have them.
extension InspectedArchive {
  /// What is said of an object in its line, and the keys of what that says.
  func appKitSummary(_ name: String, _ node: Int) -> (KnownForm.Summary, [String])? {
    switch name {
    case "NSFont", "UIFont": font(node)
    case "NSColor": customColour(node) ?? plainColour(node)
    case "UIColor": uiColour(node)
    case "NSColorSpace": colourSpace(node).map { (.words($0), ["NSID"]) }
    case "NSParagraphStyle", "NSMutableParagraphStyle": paragraphStyle(node)
    case "NSTextTab": textTab(node)
    case "NSShadow":
      fieldWords(
        node,
        [
          ("NSShadowHoriz", "x"), ("NSShadowVert", "y"), ("NSShadowBlurRadius", "blur"),
        ])
    case "NSDateComponents": dateComponents(node)
    case "NSDateInterval": dateInterval(node)
    case "NSPersonNameComponents": personName(node)
    case "NSURLQueryItem": queryItem(node)
    default: nil
    }
  }

  /// The words for a number.
  private func number(_ key: String, _ node: Int) -> String? {
    resolved(value(forKey: key, in: node)).flatMap { numberWords($0) }
  }

  /// Numbers with their names, those that are there; `nil` where none is.
  ///
  /// A number that Foundation takes for undefined is left out, and remains among the fields.
  private func fieldWords(
    _ node: Int, _ names: [(key: String, word: String)]
  ) -> (KnownForm.Summary, [String])? {
    var (words, keys): ([String], [String]) = ([], [])
    for (key, word) in names {
      guard let number = number(key, node), number != "\(Int64.max)", number != "\(Int32.max)"
      else { continue }
      words.append(word + " " + number)
      keys.append(key)
    }
    return words.isEmpty ? nil : (.words(words.joined(separator: ", ")), keys)
  }

  // MARK: Fonts

  private func font(_ node: Int) -> (KnownForm.Summary, [String])? {
    for (nameKey, sizeKey) in [("NSName", "NSSize"), ("UIFontName", "UIFontPointSize")] {
      guard let font = shortText(value(forKey: nameKey, in: node)),
        let size = number(sizeKey, node)
      else { continue }
      var words = "\(font) \(size)"
      var keys = [nameKey, sizeKey]
      if let traits = whole(value(forKey: "UIFontTraits", in: node)), (0...3).contains(traits) {
        if traits & 1 != 0 { words += ", italic" }
        if traits & 2 != 0 { words += ", bold" }
        keys.append("UIFontTraits")
      }
      return (.words(words), keys)
    }
    return nil
  }

  // MARK: Colours

  private func plainColour(_ node: Int) -> (KnownForm.Summary, [String])? {
    if whole(value(forKey: "NSColorSpace", in: node)) == 10 {
      return (.words("pattern"), ["NSColorSpace"])
    }
    guard let colour = colour(of: node), let words = words(of: colour) else { return nil }
    return (.words(words), PortableColour.keys(of: colour))
  }

  /// A colour with the numbers of a space of its own, the alpha last, beside those of an older one.
  private func customColour(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard case .node(let space)? = value(forKey: "NSCustomColorSpace", in: node),
      let name = colourSpace(space),
      let range = dataRange(value(forKey: "NSComponents", in: node)), range.count < 200,
      case .components(let number, _)? = colour(of: node)
    else { return nil }
    let numbers = String(decoding: slice(range).filter { $0 != 0 }, as: UTF8.self)
      .split(separator: " ").map { Double($0) ?? .nan }
    guard numbers.count > 1, numbers.allSatisfy(\.isFinite) else { return nil }
    return (
      .words(Self.colourWords(name, numbers)),
      ["NSColorSpace", PortableColour.key(ofSpace: number), "NSComponents"]
    )
  }

  private static func colourWords(_ name: String, _ numbers: [Double]) -> String {
    let words = numbers.map { InspectionText.number($0) }
    let alpha = numbers.last == 1 ? "" : ", alpha \(words.last ?? "")"
    return name + " " + words.dropLast().joined(separator: " ") + alpha
  }

  /// A colour space by its number; those of 7 and 9 are known from files.
  private func colourSpace(_ node: Int) -> String? {
    guard archivedClass(of: node)?.name == "NSColorSpace",
      let number = whole(value(forKey: "NSID", in: node))
    else { return nil }
    switch number {
    case 7: return "sRGB"
    case 9: return "gray gamma 2.2"
    default: return "colour space \(number)"
    }
  }

  private func uiColour(_ node: Int) -> (KnownForm.Summary, [String])? {
    func numbers(_ keys: [String]) -> [Double]? {
      let numbers = keys.compactMap { real(value(forKey: $0, in: node)) }
      return numbers.count == keys.count ? numbers : nil
    }
    var name = ""
    var keys: [String] = []
    if let system = shortText(value(forKey: "UISystemColorName", in: node)) {
      (name, keys) = (system + " ", ["UISystemColorName"])
    }
    let (red, white) = (["UIRed", "UIGreen", "UIBlue", "UIAlpha"], ["UIWhite", "UIAlpha"])
    if let colour = numbers(red) {
      return (.words(Self.colourWords(name + "RGB", colour)), keys + red)
    }
    if let colour = numbers(white) {
      return (.words(Self.colourWords(name + "white", colour)), keys + white)
    }
    return keys.isEmpty ? nil : (.words(String(name.dropLast())), keys)
  }

  // MARK: Paragraphs

  private func paragraphStyle(_ node: Int) -> (KnownForm.Summary, [String])? {
    var (words, keys): ([String], [String]) = ([], [])
    func add(_ key: String, _ names: [Int64: String]) {
      guard let number = whole(value(forKey: key, in: node)), let name = names[number] else {
        return
      }
      words.append(name)
      keys.append(key)
    }
    // AppKit and UIKit count the center and the right in different order.
    add(
      "NSAlignment",
      [0: "left", 1: "alignment 1", 2: "alignment 2", 3: "justified", 4: "natural alignment"])
    add(
      "NSWritingDirection", [-1: "natural direction", 0: "left to right", 1: "right to left"])
    add(
      "NSLineBreakMode",
      [
        0: "wrapped by words", 1: "wrapped by characters", 2: "clipped", 3: "head truncated",
        4: "tail truncated", 5: "middle truncated",
      ])
    let numbers = fieldWords(
      node,
      [
        ("NSLineSpacing", "line spacing"), ("NSParagraphSpacing", "paragraph spacing"),
        ("NSParagraphSpacingBefore", "spacing before"), ("NSHeadIndent", "indent"),
        ("NSTailIndent", "tail indent"), ("NSFirstLineHeadIndent", "first line indent"),
        ("NSMinLineHeight", "line height from"), ("NSMaxLineHeight", "line height to"),
        ("NSLineHeightMultiple", "line height ×"), ("NSDefaultTabInterval", "tabs every"),
        ("NSHyphenationFactor", "hyphenation"),
      ])
    if case .words(let more)? = numbers?.0 { words.append(more) }
    keys += numbers?.1 ?? []
    return words.isEmpty ? nil : (.words(words.joined(separator: ", ")), keys)
  }

  private func textTab(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard let place = number("NSLocation", node) else { return nil }
    guard let kind = value(forKey: "NSType", in: node) else {
      return (.words("at \(place)"), ["NSLocation"])
    }
    let names: [Int64: String] = [0: "left", 1: "right", 2: "center", 3: "decimal"]
    guard let name = whole(kind).flatMap({ names[$0] }) else { return nil }
    return (.words("\(name) at \(place)"), ["NSLocation", "NSType"])
  }

  // MARK: Dates and names

  private func dateComponents(_ node: Int) -> (KnownForm.Summary, [String])? {
    fieldWords(
      node,
      [
        ("NS.era", "era"), ("NS.year", "year"), ("NS.quarter", "quarter"), ("NS.month", "month"),
        ("NS.day", "day"), ("NS.hour", "hour"), ("NS.minute", "minute"), ("NS.second", "second"),
        ("NS.nanosec", "nanosecond"), ("NS.weekOfYear", "week of year"),
        ("NS.weekOfMonth", "week of month"), ("NS.yearForWOY", "year of week"),
        ("NS.weekday", "weekday"), ("NS.weekdayOrdinal", "weekday ordinal"),
        ("NS.isLeapMonth", "leap month"),
      ])
  }

  private func dateInterval(_ node: Int) -> (KnownForm.Summary, [String])? {
    let keys = ["NS.startDate", "NS.endDate"]
    let dates = keys.compactMap { key -> String? in
      guard case .node(let date)? = value(forKey: key, in: node) else { return nil }
      return real(value(forKey: "NS.time", in: date)).flatMap { InspectionText.date($0) }
    }
    guard dates.count == 2 else { return nil }
    return (.words(dates.joined(separator: " to ")), keys)
  }

  private func personName(_ node: Int) -> (KnownForm.Summary, [String])? {
    let parts = ["namePrefix", "givenName", "middleName", "familyName", "nameSuffix"].map {
      "NS." + $0
    }
    let known = parts.filter { shortText(value(forKey: $0, in: node)) != nil }
    let words = known.compactMap { shortText(value(forKey: $0, in: node)) }
    return words.isEmpty ? nil : (.words(words.joined(separator: " ")), known)
  }

  private func queryItem(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard let name = shortText(value(forKey: "NS.name", in: node)) else { return nil }
    guard let value = shortText(value(forKey: "NS.value", in: node)) else {
      return (.words(name), ["NS.name"])
    }
    return (.words("\(name)=\(value)"), ["NS.name", "NS.value"])
  }
}
