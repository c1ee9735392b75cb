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
        if isText(value) { return (.text(value), [key]) }
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
    case "NSValue": return told(keyedGeometry(node) ?? keyedScalar(node))
    case "NSDecimalNumberPlaceholder": return told(keyedPortableDecimal(node))
    case "NSDecimalNumber": return told(keyedPortableDecimal(node)) ?? keyedText(name, node)
    case "NSIndexSet", "NSMutableIndexSet": return keyedIndexSet(node)
    case "NSIndexPath": return keyedIndexPath(node)
    default:
      return appKitSummary(name, node) ?? keyedText(name, node) ?? keyedNumbers(name, node)
    }
  }

  /// Classes whose objects are named by a text.
  private func keyedText(_ name: String, _ node: Int) -> (KnownForm.Summary, [String])? {
    func text(_ key: String) -> (KnownForm.Summary, [String])? {
      guard let value = resolved(value(forKey: key, in: node)), isText(value) else { return nil }
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

  private func told(_ value: PortableValue?) -> (KnownForm.Summary, [String])? {
    guard let value, let words = words(of: value) else { return nil }
    return (.words(words), value.keys)
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
