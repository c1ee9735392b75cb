/// The value classes as keyed archives have them.
extension InspectedArchive {
  func keyedForm(_ name: String, _ node: Int) -> KnownForm? {
    switch name {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      guard let row = container("NS.objects", node) else { return nil }
      return KnownForm(elements: .row(row), extra: fields(of: node, without: ["NS.objects"]))
    case "NSDictionary", "NSMutableDictionary":
      guard let keys = container("NS.keys", node), let values = container("NS.objects", node),
        valueCount(of: keys) == valueCount(of: values)
      else { return nil }
      return KnownForm(
        elements: .pairs(keys: keys, values: values),
        extra: fields(of: node, without: ["NS.keys", "NS.objects"]))
    default:
      guard let (summary, keys) = keyedSummary(name, node) else { return nil }
      return KnownForm(summary: summary, extra: fields(of: node, without: keys))
    }
  }

  /// What is said of an object in its line, and the keys of what that says.
  private func keyedSummary(_ name: String, _ node: Int) -> (KnownForm.Summary, [String])? {
    switch name {
    case "NSNumber":
      guard let (value, key) = singleNumber(node), let words = numberWords(value) else {
        return nil
      }
      return (.words(words), [key])
    case "NSString", "NSMutableString", "NSLocalizableString":
      for key in ["NS.string", "NS.bytes"] {
        guard let value = bare(value(forKey: key, in: node)) else { continue }
        if case .data(let range) = value { return (.text(.bytes(range)), [key]) }
        if text(of: value, limit: 1) != nil { return (.text(value), [key]) }
      }
      return nil
    case "NSData", "NSMutableData":
      for key in ["NS.data", "NS.bytes"] {
        if case .data(let range)? = bare(value(forKey: key, in: node)) {
          return (.data(.data(range)), [key])
        }
      }
      return nil
    case "NSNull": return valueCount(of: node) == 0 ? (.words(""), []) : nil
    case "NSDate":
      return real(value(forKey: "NS.time", in: node)).flatMap { seconds in
        InspectionText.date(seconds).map { (.words($0), ["NS.time"]) }
      }
    case "NSURL":
      guard let text = resolved(value(forKey: "NS.relative", in: node)) else { return nil }
      let hasBase = value(forKey: "NS.base", in: node).map { $0 != .none } ?? false
      return (.text(text), hasBase ? ["NS.relative"] : ["NS.relative", "NS.base"])
    case "NSUUID":
      // The second key is GNUstep's.
      for key in ["NS.uuidbytes", "uuid"] {
        if let range = dataRange(value(forKey: key, in: node)), range.count == 16 {
          return (.words(Self.uuid(slice(range))), [key])
        }
      }
      return nil
    case "NSValue": return keyedValue(node)
    case "NSDecimalNumberPlaceholder": return keyedDecimal(node)
    case "NSDecimalNumber": return keyedDecimal(node) ?? keyedText(name, node)
    case "NSIndexSet", "NSMutableIndexSet": return keyedIndexSet(node)
    case "NSIndexPath": return keyedIndexPath(node)
    default:
      return appKitSummary(name, node) ?? keyedText(name, node) ?? keyedNumbers(name, node)
    }
  }

  /// Classes whose objects are named by a text.
  private func keyedText(_ name: String, _ node: Int) -> (KnownForm.Summary, [String])? {
    func text(_ key: String) -> (KnownForm.Summary, [String])? {
      guard let value = resolved(value(forKey: key, in: node)),
        self.text(of: value, limit: 1) != nil
      else { return nil }
      return (.text(value), [key])
    }
    switch name {
    // GNUstep writes the text without a key.
    case "NSLocale": return text("NS.identifier") ?? text("$0")
    case "NSTimeZone": return text("NS.name") ?? text("$0")
    case "NSDecimalNumber": return text("$0")
    case "NSAttributedString", "NSMutableAttributedString": return text("NSString")
    case "NSRegularExpression": return text("NSPattern")
    case "NSCalendar": return text("NS.identifier") ?? text("$0")
    case "NSSortDescriptor":
      guard let key = shortText(value(forKey: "NSKey", in: node)),
        case .bool(let isAscending)? = value(forKey: "NSAscending", in: node)
      else { return nil }
      return (
        .words("\(key), \(isAscending ? "ascending" : "descending")"), ["NSKey", "NSAscending"]
      )
    case "NSError":
      guard let domain = shortText(value(forKey: "NSDomain", in: node)),
        let code = whole(value(forKey: "NSCode", in: node))
      else { return nil }
      return (.words("\(domain) \(code)"), ["NSDomain", "NSCode"])
    default:
      guard name.hasPrefix("NSUnit"), !name.hasPrefix("NSUnitConverter") else { return nil }
      return text("NS.symbol")
    }
  }

  private func keyedNumbers(_ name: String, _ node: Int) -> (KnownForm.Summary, [String])? {
    switch name {
    case "NSMeasurement":
      guard let amount = real(value(forKey: "NS.value", in: node)) else { return nil }
      return (.words(InspectionText.number(amount)), ["NS.value"])
    case "NSUnitConverterLinear":
      guard let factor = real(value(forKey: "NS.coefficient", in: node)),
        let constant = real(value(forKey: "NS.constant", in: node))
      else { return nil }
      let text = "× \(InspectionText.number(factor)) + \(InspectionText.number(constant))"
      return (.words(text), ["NS.coefficient", "NS.constant"])
    case "NSAffineTransform":
      guard let range = dataRange(value(forKey: "NSTransformStruct", in: node)), range.count == 24
      else { return nil }
      let bytes = slice(range)
      let numbers = (0..<6).map { place in
        let bits = bytes[place * 4..<place * 4 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return InspectionText.number(Float(bitPattern: bits))
      }
      return (.words(numbers.joined(separator: " ")), ["NSTransformStruct"])
    default: return nil
    }
  }

  // MARK: Single classes

  private func keyedValue(_ node: Int) -> (KnownForm.Summary, [String])? {
    func field(_ key: String) -> InspectedValue? { value(forKey: key, in: node) }
    switch whole(field("NS.special")) {
    case 1?: return shortText(field("NS.pointval")).map { (.words("point \($0)"), specials(1)) }
    case 2?: return shortText(field("NS.sizeval")).map { (.words("size \($0)"), specials(2)) }
    case 3?: return shortText(field("NS.rectval")).map { (.words("rect \($0)"), specials(3)) }
    case 4?:
      guard let location = whole(field("NS.rangeval.location")),
        let length = whole(field("NS.rangeval.length"))
      else { return nil }
      return (.words("range {\(location), \(length)}"), specials(4))
    case 12?:
      let numbers = specials(12).dropFirst().compactMap { real(field($0)) }
      guard numbers.count == 4 else { return nil }
      let text = numbers.map { InspectionText.number($0) }.joined(separator: ", ")
      return (.words("insets {\(text)}"), specials(12))
    case nil:
      guard case .scalar(let number, let type)? = keyedScalar(node) else { return nil }
      return words(ofScalar: number, type: type).map { (.words($0), ["$0", "$1"]) }
    default: return nil
    }
  }

  /// The keys of a special value.
  private func specials(_ kind: Int) -> [String] {
    let keys: [String] =
      switch kind {
      case 1: ["NS.pointval"]
      case 2: ["NS.sizeval"]
      case 3: ["NS.rectval"]
      case 4: ["NS.rangeval.location", "NS.rangeval.length"]
      default: ["NS.edgeval.top", "NS.edgeval.left", "NS.edgeval.bottom", "NS.edgeval.right"]
      }
    return ["NS.special"] + keys
  }

  private func keyedDecimal(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard let exponent = whole(value(forKey: "NS.exponent", in: node)),
      let length = whole(value(forKey: "NS.length", in: node)),
      case .bool(let isNegative)? = value(forKey: "NS.negative", in: node),
      let range = dataRange(value(forKey: "NS.mantissa", in: node)), range.count == 16,
      let order = whole(value(forKey: "NS.mantissa.bo", in: node))
    else { return nil }
    let bytes = slice(range)
    let words = (0..<8).map { place -> UInt16 in
      let pair = (UInt16(bytes[place * 2]), UInt16(bytes[place * 2 + 1]))
      return order == 2 ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    guard
      let text = Self.decimal(
        words: words, length: length, exponent: exponent, isNegative: isNegative)
    else { return nil }
    let keys = ["exponent", "length", "negative", "compact", "mantissa.bo", "mantissa"]
    return (.words(text), keys.map { "NS." + $0 })
  }

  private func keyedIndexSet(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard let count = whole(value(forKey: "NSRangeCount", in: node)) else { return nil }
    if count == 0 { return (.words("empty"), ["NSRangeCount"]) }
    if count == 1, let start = whole(value(forKey: "NSLocation", in: node)),
      let length = whole(value(forKey: "NSLength", in: node))
    {
      return (
        .words(Self.range(start, length)), ["NSRangeCount", "NSLocation", "NSLength"]
      )
    }
    guard let words = rangeWords(value(forKey: "NSRangeData", in: node), count: count) else {
      return nil
    }
    return (.words(words), ["NSRangeCount", "NSRangeData"])
  }

  /// The ranges that data hold, the first twelve of them.
  func rangeWords(_ data: InspectedValue?, count: Int64) -> String? {
    guard let range = dataRange(data), let numbers = Self.variableNumbers(slice(range, 400)),
      numbers.count >= 2
    else { return nil }
    var parts = stride(from: 0, to: min(numbers.count - 1, 24), by: 2).map {
      Self.range(Int64(clamping: numbers[$0]), Int64(clamping: numbers[$0 + 1]))
    }
    if count > parts.count { parts.append("…") }
    return parts.joined(separator: ", ")
  }

  private func keyedIndexPath(_ node: Int) -> (KnownForm.Summary, [String])? {
    guard let count = whole(value(forKey: "NSIndexPathLength", in: node)) else { return nil }
    if count == 0 { return (.words("empty"), ["NSIndexPathLength"]) }
    if count == 1, let index = whole(value(forKey: "NSIndexPathValue", in: node)) {
      return (.words("\(index)"), ["NSIndexPathLength", "NSIndexPathValue"])
    }
    guard let range = dataRange(value(forKey: "NSIndexPathData", in: node)), range.count <= 400,
      let numbers = Self.variableNumbers(slice(range)), numbers.count == Int(exactly: count)
    else { return nil }
    return (
      .words(numbers.map { String($0) }.joined(separator: ".")),
      ["NSIndexPathLength", "NSIndexPathData"]
    )
  }
}
