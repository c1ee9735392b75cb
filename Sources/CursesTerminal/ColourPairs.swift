internal import PortolanCNCurses
internal import PortolanTerminals

/// The colours of a curses screen: numbers for colours, pairs on demand.
struct ColourPairs {
  private(set) var depth: ColourDepth
  private let pairsMax: Int
  /// Whether the terminal's own colours are available.
  private let hasStandard: Bool
  private var numbers: [UInt32: Int32] = [:]
  private var baseColours: [CellStyle: BaseColours] = [:]
  private var pairs: [UInt64: Int32] = [:]
  /// The slots of exact colours; `nil` where the numbers are the terminal's own.
  private var slots: ColourSlots?
  /// Whether a pair was requested when none was left.
  private var lacksPairs = false
  /// Whether the frame has to be drawn with new numbers.
  var isExhausted: Bool { lacksPairs || slots?.wantsRecycling == true }

  init(depth: ColourDepth, pairsMax: Int, hasStandard: Bool) {
    self.depth = depth
    self.pairsMax = min(pairsMax, 65_536)
    self.hasStandard = hasStandard
  }

  /// Shows exact colours from now on; the screen has to be drawn anew.
  mutating func useExactColours() {
    depth = .trueColour
    slots = ColourSlots()
    recycle()
  }

  mutating func beginFrame() { slots?.beginFrame() }

  /// The output of curses as the terminal shall have it.
  func rewrite(_ bytes: [UInt8]) -> [UInt8] { slots?.rewrite(bytes) ?? bytes }

  /// Curses' attributes and pair of a style.
  mutating func looks(of style: CellStyle) -> (attributes: UInt32, pair: Int32) {
    guard depth > .mono else { return (UInt32(style.attributes.rawValue), 0) }
    guard depth > .sixteen else { return baseLooks(of: style) }
    let foreground = number(style.foreground, standard: 7)
    let background = number(style.background, standard: 0)
    return (UInt32(style.attributes.rawValue), pair(foreground, background))
  }

  private mutating func baseLooks(of style: CellStyle) -> (attributes: UInt32, pair: Int32) {
    let colours: BaseColours
    if let known = baseColours[style] {
      colours = known
    } else {
      colours = BaseColours(style, depth)
      baseColours[style] = colours
    }
    let foreground = colours.ink.map { Int32($0) } ?? (hasStandard ? -1 : 7)
    let background = colours.paper.map { Int32($0) } ?? (hasStandard ? -1 : 0)
    return (UInt32(colours.attributes.rawValue), pair(foreground, background))
  }

  /// Drops all pairs, so that a frame may number its own.
  mutating func recycle() {
    pairs.removeAll(keepingCapacity: true)
    slots?.recycle()
    lacksPairs = false
  }

  private mutating func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
    if foreground == -1, background == -1 { return 0 }
    let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
    if let known = pairs[key] { return known }
    let number = Int32(pairs.count + 1)
    guard number < pairsMax, init_extended_pair(number, foreground, background) == OK else {
      lacksPairs = true
      return 0
    }
    pairs[key] = number
    return number
  }

  private mutating func number(_ colour: TerminalColour, standard: Int32) -> Int32 {
    if colour.isStandard { return hasStandard ? -1 : standard }
    if let slot = slots?.slot(of: colour) { return slot }
    if let known = numbers[colour.rawValue] { return known }
    let number: Int32 =
      // Direct-colour descriptions take the first eight numbers for the base colours.
      depth == .indexed
      ? Int32(Palette.indexed(colour)) : Int32(max(8, colour.rawValue & 0xFF_FFFF))
    numbers[colour.rawValue] = number
    return number
  }
}
