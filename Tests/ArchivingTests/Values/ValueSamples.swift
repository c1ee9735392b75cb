@testable import Archiving

/// One value or more of every class, for tests that treat all alike.
enum ValueSamples {
  static let all: [Cocoa.Object] = plain + collections + descriptions + numbersAndDates

  static let plain: [Cocoa.Object] = [
    .null, "text", "", "$null", "$class", "Zoë’s 🗺️", .mutableString(Cocoa.MutableString("$null")),
    .mutableString(Cocoa.MutableString("mutable")), .data([]), .data([0, 255, 128]),
    .mutableData(Cocoa.MutableData([1, 2, 3])), .mutableData(Cocoa.MutableData([])),
    true, false, 0, 1, -1, 127, 128, 65_536, .number(Cocoa.Number(Int64.min)),
    .number(Cocoa.Number(Int64.max)), .number(Cocoa.Number(UInt64.max)), 0.5, -1e300,
    .number(Cocoa.Number(Float(1.25))), .number(Cocoa.Number(Double.infinity)),
    .date(Cocoa.Date(secondsSinceReferenceDate: 123_456_789.25)),
  ]

  static let collections: [Cocoa.Object] = [
    .array([]), .array(["a", 1, .array(["b"])]), .array(Cocoa.Array([.null], isMutable: true)),
    .set(Cocoa.Set([])), .set(Cocoa.Set(["a", 2, true])),
    .set(Cocoa.Set([.set(Cocoa.Set([1]))], isMutable: true)),
    .dictionary([:]), .dictionary(["k": "v", 2: .array([3]), "d": .dictionary(["x": .null])]),
    .dictionary(Cocoa.Dictionary([.init(key: "k", value: 1)], isMutable: true)),
    .orderedSet(Cocoa.OrderedSet([])), .orderedSet(Cocoa.OrderedSet([3, 1, 2], isMutable: true)),
    .countedSet(Cocoa.CountedSet([.init("a", count: 2), .init(7, count: 1)]) ?? empty),
    .countedSet(empty),
  ]

  private static let empty = Cocoa.CountedSet([]) ?? { preconditionFailure("an empty set") }()

  static let descriptions: [Cocoa.Object] = [
    .url(Cocoa.URL("https://example.org/a?b=c")),
    Cocoa.URL("c/d", relativeTo: Cocoa.URL("https://example.org/a/")).map { .url($0) },
    Cocoa.UUID("346FF5A7-DFB6-6909-668C-0C63945E8F77").map { .uuid($0) },
    .locale(Cocoa.Locale("de_CH")), .timeZone(Cocoa.TimeZone("GMT", data: [0x54, 0x5A])),
    .timeZone(Cocoa.TimeZone("GMT+0100")),
    .calendar(
      Cocoa.Calendar(
        "gregorian", timeZone: Cocoa.TimeZone("GMT"), locale: Cocoa.Locale("en_US"),
        gregorianStart: Cocoa.Date(secondsSinceReferenceDate: -13_197_600_000), firstWeekday: 2,
        minimumDaysInFirstWeek: 4)),
    .error(Cocoa.Error(domain: "D", code: -3)),
    .error(Cocoa.Error(domain: "D", code: 3, userInfo: ["NSLocalizedDescription": "no"])),
    .notification(Cocoa.Notification("n", object: "o", userInfo: ["k": 1])),
    .notification(Cocoa.Notification("n")),
    .sortDescriptor(Cocoa.SortDescriptor(key: "name")),
    .sortDescriptor(Cocoa.SortDescriptor(key: nil, isAscending: false, selector: nil)),
    Cocoa.CharacterSet(.characters("abc"), isInverted: true).map { .characterSet($0) },
    Cocoa.CharacterSet(.bitmap([UInt8](repeating: 3, count: 8192)), isMutable: true)
      .map { .characterSet($0) },
    Cocoa.Range(location: 65, length: 26).flatMap { Cocoa.CharacterSet(.range($0)) }
      .map { .characterSet($0) },
    Cocoa.CharacterSet(.builtin(3)).map { .characterSet($0) },
    .regularExpression(Cocoa.RegularExpression("(a+)+$", options: 1)),
    .urlQueryItem(Cocoa.URLQueryItem("q", value: "1")), .urlQueryItem(Cocoa.URLQueryItem("q")),
    .personNameComponents(
      Cocoa.PersonNameComponents([.givenName: "Ada", .familyName: "Lovelace"])),
    .attributedString(Cocoa.AttributedString("plain")),
    .attributedString(Cocoa.AttributedString("", isMutable: true)),
    Cocoa.AttributedString("one", runs: [.init(length: 3, attributes: ["k": "v"])])
      .map { .attributedString($0) },
    Cocoa.AttributedString(
      "a🗺️bc",
      runs: [
        .init(length: 1, attributes: ["Size": 12]), .init(length: 3, attributes: [:]),
        .init(length: 1, attributes: ["Size": 12]), .init(length: 1, attributes: ["Font": "F"]),
      ], isMutable: true
    ).map { .attributedString($0) },
  ].compactMap { $0 }

  static let numbersAndDates: [Cocoa.Object] =
    [
      Cocoa.IndexSet().map { .indexSet($0) },
      Cocoa.IndexSet(ranges((3, 4))).map { .indexSet($0) },
      Cocoa.IndexSet(ranges((0, 50), (100, 50), (1_000, 1)), isMutable: true)
        .map { .indexSet($0) },
      Cocoa.IndexPath([]).map { .indexPath($0) }, Cocoa.IndexPath([52]).map { .indexPath($0) },
      Cocoa.IndexPath([4, 0, 1_000_000]).map { .indexPath($0) },
      .value(.point(Cocoa.Point(x: 1.5, y: -2))),
      .value(.size(Cocoa.Size(width: 0.1, height: 1e100))),
      .value(.rect(Cocoa.Rect(x: 1, y: 2, width: 3.25, height: 4))),
      Cocoa.Range(location: 1, length: 2).map { .value(.range($0)) },
      .value(.edgeInsets(Cocoa.EdgeInsets(top: 1, left: 2, bottom: 3, right: 4))),
      .value(.other(type: "i", .integer(238))), .value(.other(type: "f", .float(0.5))),
      .value(.other(type: "@", .object("held"))), .value(.other(type: ":", .selector("copy:"))),
      .value(.other(type: "[3i]", .array([.integer(1), .integer(2), .integer(3)]))),
      .value(.other(type: "*", .cString([0x61]))),
      .dateComponents(Cocoa.DateComponents([.year: 2026, .month: 11], isLeapMonth: false)),
      .dateComponents(Cocoa.DateComponents([:], timeZone: Cocoa.TimeZone("GMT"))),
      Cocoa.DateInterval(
        start: Cocoa.Date(secondsSinceReferenceDate: 1),
        end: Cocoa.Date(secondsSinceReferenceDate: 2)
      ).map { .dateInterval($0) },
      .measurement(Cocoa.Measurement(45, mile)), .measurement(Cocoa.Measurement(2, plainUnit)),
      .measurement(
        Cocoa.Measurement(
          3,
          Cocoa.Unit(
            "mpg", className: "NSUnitFuelEfficiency",
            dimension: .init(converter: .reciprocal(235.215), specifier: 4)) ?? plainUnit)),
      Cocoa.AffineTransform([1, 0, 0, 1, 2.5, -3]).map { .affineTransform($0) },
      .decimalNumberHandler(
        Cocoa.DecimalNumberHandler(roundingMode: 2, scale: 3, raised: [.overflow])),
      Cocoa.TextCheckingResult(
        Cocoa.RegularExpression("a(b)"), ranges: ranges((0, 2), (1, 1))
      ).map { .textCheckingResult($0) },
      Cocoa.TextCheckingResult(
        Cocoa.RegularExpression("a"), ranges: ranges((0, 9), (1, 8), (2, 7), (3, 6), (4, 5))
      ).map { .textCheckingResult($0) },
    ].compactMap { $0 }
    + ["0", "-12.345", "1e127", "340282366920938463463374607431768211455", "NaN"]
    .compactMap { Cocoa.DecimalNumber($0).map { .decimalNumber($0) } }

  private static let plainUnit = Cocoa.Unit("furlong")
  private static let mile =
    Cocoa.Unit(
      "mi", className: "NSUnitLength",
      dimension: .init(converter: .linear(coefficient: 1609.344, constant: 0), specifier: 1287))
    ?? plainUnit

  private static func ranges(_ pairs: (Int, Int)...) -> [Cocoa.Range] {
    pairs.compactMap { Cocoa.Range(location: $0.0, length: $0.1) }
  }
}
