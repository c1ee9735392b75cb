/// A set of Unicode scalars, as sorted ranges that neither overlap nor touch.
struct ScalarSet: Hashable, Sendable {
  static let last: UInt32 = 0x10FFFF
  static let all = ScalarSet([0...last])

  let ranges: [ClosedRange<UInt32>]

  /// The union of ranges in any order.
  init(_ ranges: [ClosedRange<UInt32>]) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let former = merged.last, range.lowerBound <= former.upperBound &+ 1 {
        merged[merged.count - 1] =
          former.lowerBound...max(former.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  init(_ scalar: UInt32) { ranges = [scalar...scalar] }

  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { gaps.append(next...Self.last) }
    return ScalarSet(gaps)
  }

  /// The set with all scalars that differ from one of its own by case only.
  var ignoringCase: ScalarSet {
    let cased = ScalarCases.all
    var found = ranges
    for range in ranges {
      var low = 0
      var high = cased.count
      while low < high {
        let middle = (low + high) / 2
        if cased[middle].scalar < range.lowerBound { low = middle + 1 } else { high = middle }
      }
      while low < cased.count, cased[low].scalar <= range.upperBound {
        found += cased[low].others.map { $0...$0 }
        low += 1
      }
    }
    return found.count == ranges.count ? self : ScalarSet(found)
  }
}

extension ScalarSet {
  static let newline = ScalarSet(0x0A)
  /// Letters, marks, numbers and connecting punctuation, as the underscore.
  static let word = categories {
    $0.hasPrefix("L") || $0.hasPrefix("M") || $0.hasPrefix("N") || $0 == "Pc"
  }
  static let digit = categories { $0 == "Nd" }
  /// What Unicode calls white space.
  static let space = ScalarSet(
    categories { $0.hasPrefix("Z") }.ranges + [0x09...0x0D, 0x85...0x85])

  /// The scalars of a general category (`Lu`) or of all categories with its letter (`L`).
  static func category(named name: String) -> ScalarSet? {
    let known = ScalarCategories.names.contains { $0.name == name || $0.name.prefix(1) == name }
    guard known else { return nil }
    return categories { $0 == name || $0.prefix(1) == name }
  }

  private static func categories(_ included: (String) -> Bool) -> ScalarSet {
    let categories = Set(ScalarCategories.names.filter { included($0.name) }.map(\.category))
    return ScalarSet(
      ScalarCategories.runs.filter { categories.contains($0.category) }.map(\.range))
  }
}

/// The general categories of all scalars, from the standard library's tables of Unicode.
enum ScalarCategories {
  static let names: [(name: String, category: Unicode.GeneralCategory)] = [
    ("Lu", .uppercaseLetter), ("Ll", .lowercaseLetter), ("Lt", .titlecaseLetter),
    ("Lm", .modifierLetter), ("Lo", .otherLetter),
    ("Mn", .nonspacingMark), ("Mc", .spacingMark), ("Me", .enclosingMark),
    ("Nd", .decimalNumber), ("Nl", .letterNumber), ("No", .otherNumber),
    ("Pc", .connectorPunctuation), ("Pd", .dashPunctuation), ("Ps", .openPunctuation),
    ("Pe", .closePunctuation), ("Pi", .initialPunctuation), ("Pf", .finalPunctuation),
    ("Po", .otherPunctuation),
    ("Sm", .mathSymbol), ("Sc", .currencySymbol), ("Sk", .modifierSymbol), ("So", .otherSymbol),
    ("Zs", .spaceSeparator), ("Zl", .lineSeparator), ("Zp", .paragraphSeparator),
    ("Cc", .control), ("Cf", .format), ("Co", .privateUse), ("Cn", .unassigned),
  ]

  /// Neighbours of one category together: some milliseconds, once.
  static let runs: [(range: ClosedRange<UInt32>, category: Unicode.GeneralCategory)] = {
    var runs: [(range: ClosedRange<UInt32>, category: Unicode.GeneralCategory)] = []
    for value in 0...ScalarSet.last {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let category = scalar.properties.generalCategory
      if let former = runs.last, former.category == category, former.range.upperBound == value - 1 {
        runs[runs.count - 1].range = former.range.lowerBound...value
      } else {
        runs.append((value...value, category))
      }
    }
    return runs
  }()
}

/// The scalars that have another case, each with those that differ from it by case only.
enum ScalarCases {
  /// Two scalars belong together where one is the lower or upper case of the other; cases of
  /// several scalars (ß, SS) do not count.
  static let all: [(scalar: UInt32, others: [UInt32])] = {
    var groups: [[UInt32]] = []
    var groupOf: [UInt32: Int] = [:]
    // No plane from the third on has letters with cases.
    for value in UInt32(0)..<0x20000 {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped else {
        continue
      }
      let properties = scalar.properties
      for mapped in [properties.lowercaseMapping, properties.uppercaseMapping] {
        guard let other = mapped.unicodeScalars.first, mapped.unicodeScalars.count == 1 else {
          continue
        }
        let kept = groupOf[value] ?? groupOf[other.value] ?? groups.count
        if kept == groups.count { groups.append([]) }
        for member in [value, other.value] {
          guard let former = groupOf[member] else {
            groups[kept].append(member)
            groupOf[member] = kept
            continue
          }
          guard former != kept else { continue }
          for moved in groups[former] { groupOf[moved] = kept }
          groups[kept] += groups[former]
          groups[former] = []
        }
      }
    }
    return groups.flatMap { group in
      group.map { scalar in (scalar, group.filter { $0 != scalar }) }
    }
    .filter { !$0.others.isEmpty }.sorted { $0.scalar < $1.scalar }
  }()
}
