import Archiving

/// A colour of AppKit's, as both kinds of archive have it.
enum PortableColour {
  /// The numbers of a space, the alpha last.
  case components(space: Int, [Double])
  /// A colour of a catalogue, with the one to take where there is no such catalogue.
  case named(catalogue: InspectedValue, name: InspectedValue, fallback: InspectedValue)

  /// The spaces that hold numbers: how they are called, and how many numbers there are.
  static let spaces: [Int: (name: String, count: Int)] = [
    1: ("calibrated RGB", 3), 2: ("device RGB", 3), 3: ("calibrated white", 1),
    4: ("device white", 1), 5: ("device CMYK", 4),
  ]

  /// The key under which keyed archives have the numbers of a space.
  static func key(ofSpace space: Int) -> String {
    switch space {
    case 1, 2: "NSRGB"
    case 3, 4: "NSWhite"
    default: "NSCMYK"
    }
  }

  /// The keys under which keyed archives have what the words for a colour tell.
  static func keys(of colour: PortableColour) -> [String] {
    switch colour {
    case .components(let space, _): ["NSColorSpace", key(ofSpace: space)]
    case .named: ["NSColorSpace", "NSCatalogName", "NSColorName"]
    }
  }
}

extension InspectedArchive {
  /// The colour that an `NSColor` is; `nil` when it is not as that class writes it.
  func colour(of node: Int) -> PortableColour? {
    switch source {
    case .list, .nib: keyedColour(node)
    case .stream, .items: sequentialColour(node)
    }
  }

  /// A colour in words; the alpha only where it is not 1.
  func words(of colour: PortableColour) -> String? {
    switch colour {
    case .components(let space, let numbers):
      guard let (name, count) = PortableColour.spaces[space], numbers.count == count + 1 else {
        return nil
      }
      let isFloat = isSequential
      let words = numbers.map {
        isFloat ? InspectionText.number(Float($0)) : InspectionText.number($0)
      }
      let alpha = numbers[count] == 1 ? "" : ", alpha \(words[count])"
      return name + " " + words[..<count].joined(separator: " ") + alpha
    case .named(let catalogue, let name, _):
      guard let catalogue = shortText(catalogue), let name = shortText(name) else { return nil }
      return "\(catalogue) \(name)"
    }
  }

  /// Numbers in ASCII between blanks, closed by a zero byte; an alpha of 1 is left out.
  private func keyedColour(_ node: Int) -> PortableColour? {
    guard let number = whole(value(forKey: "NSColorSpace", in: node)),
      let space = Int(exactly: number)
    else { return nil }
    if space == 6 {
      guard let catalogue = value(forKey: "NSCatalogName", in: node),
        let name = value(forKey: "NSColorName", in: node)
      else { return nil }
      let fallback = value(forKey: "NSColor", in: node) ?? .none
      return .named(catalogue: catalogue, name: name, fallback: fallback)
    }
    guard let count = PortableColour.spaces[space]?.count,
      let range = dataRange(value(forKey: PortableColour.key(ofSpace: space), in: node)),
      range.count < 200
    else { return nil }
    let text = String(decoding: slice(range).filter { $0 != 0 }, as: UTF8.self)
    let parts = text.split(separator: " ").map { Double($0) ?? .nan }
    guard parts.count == count || parts.count == count + 1, parts.allSatisfy(\.isFinite) else {
      return nil
    }
    return .components(space: space, parts.count == count ? parts + [1] : parts)
  }

  /// The space as one byte, then all numbers; or the three objects of a colour with a name.
  private func sequentialColour(_ node: Int) -> PortableColour? {
    let count = valueCount(of: node)
    guard count > 1, let number = whole(value(0, of: node)), let space = Int(exactly: number) else {
      return nil
    }
    if space == 6 {
      guard count == 4 else { return nil }
      return .named(
        catalogue: value(1, of: node), name: value(2, of: node), fallback: value(3, of: node))
    }
    guard let wanted = PortableColour.spaces[space]?.count, count == wanted + 2 else { return nil }
    let numbers = (1..<count).map { place -> Double in
      guard case .float(let number) = value(place, of: node) else { return .nan }
      return Double(number)
    }
    return numbers.allSatisfy(\.isFinite) ? .components(space: space, numbers) : nil
  }
}
