import PortolanTerminals

/// The settings of what a person sees.
extension Setting {
  package static let color = Setting(
    "color", "The colours of the terminal.", words: ColourChoice.allCases.map(\.rawValue),
    builtIn: ColourChoice.auto.rawValue)

  /// The value of `theme` for the terminal's own background.
  static let terminalTheme = "terminal"

  package static let theme = Setting(
    "theme", "The colours of the screen; terminal fits them to its background.",
    words: [terminalTheme] + Theme.all.map(\.name), builtIn: terminalTheme,
    change: Change(
      present: { $0.session.chosenTheme?.name },
      apply: { value, desk in
        if let theme = Theme(value) { desk.choose(theme) } else { desk.forgetChosenTheme() }
      },
      remark: { desk in
        guard desk.session.chosenTheme == nil, let begun = desk.session.begunTheme,
          begun.ground != nil
        else { return nil }
        return "the background is that of \(begun.name): the terminal was not asked for its own"
      }))

  package static let blocks = Setting(
    "blocks", "The characters for the edges of filled areas.",
    words: BlockChoice.allCases.map(\.rawValue), builtIn: BlockChoice.auto.rawValue,
    change: Change(
      present: { $0.session.chosenBlocks?.rawValue },
      apply: { value, desk in
        desk.session.chosenBlocks = BlockChoice(rawValue: value)
        desk.session.capabilities.blocks = desk.session.chosenBlocks ?? .auto
      }))

  package static let pictures = Setting(
    "pictures", "Pixels for a map at rest, where the terminal shows them.",
    words: PictureChoice.allCases.map(\.rawValue), builtIn: PictureChoice.auto.rawValue,
    change: Change(
      present: { $0.session.chosenPictures?.rawValue },
      apply: { value, desk in
        desk.session.chosenPictures = PictureChoice(rawValue: value)
        desk.session.capabilities.pictures = desk.session.chosenPictures ?? .auto
      }))

  package static let base: Setting = {
    let words = ["auto", "none", "coast", "countries"]
    var setting = Setting(
      "base", "The map behind the data.",
      values: "auto, none, coast, countries or the name of a file", words: words, builtIn: "auto",
      change: Change(
        present: { $0.session.base.choice.word },
        apply: { value, desk in try desk.chooseBase(BaseChoice(word: value)) })
    ) { !$0.isEmpty }
    setting.isPath = { !words.contains($0) }
    return setting.ofDocuments()
  }()

  package static let panels = Setting(
    "panels", "The panels beside the map.",
    values: "all, none, or some of \(Panels.names.map(\.name).joined(separator: ","))",
    words: ["all", "none"] + Panels.names.map(\.name), builtIn: "all",
    change: Change(
      normal: { Panels(words: $0)?.words ?? $0 },
      present: { $0.session.panels.words },
      apply: { value, desk in
        guard let panels = Panels(words: value) else { return }
        desk.setPanels(Panels.all.subtracting(panels), .off)
        desk.setPanels(panels, .on)
      })
  ) { Panels(words: $0) != nil }.ofDocuments()

  package static let units = Setting(
    "units", "The units of measured lengths and areas.",
    words: MeasureUnit.allCases.map(\.rawValue), builtIn: MeasureUnit.metric.rawValue,
    change: Change(
      present: { $0.session.measureUnit.rawValue },
      apply: { value, desk in
        desk.session.measureUnit = MeasureUnit(rawValue: value) ?? .metric
      })
  ).ofDocuments()

  package static let snap = Setting(
    "snap", "What new vertices snap to.", words: SnapMode.allCases.map(\.rawValue),
    builtIn: SnapMode.vertex.rawValue,
    change: Change(
      present: { $0.session.snap.rawValue },
      apply: { value, desk in desk.session.snap = SnapMode(rawValue: value) ?? .vertex })
  ).ofDocuments()
}

extension Panels {
  /// The panels by their names.
  static let names: [(name: String, panel: Panels)] = [
    ("layers", .layers), ("legend", .legend), ("overview", .overview), ("info", .info),
  ]

  /// `all`, `none`, or names with commas between them; `nil` for other words.
  init?(words: String) {
    switch words {
    case "all": self = .all
    case "none": self = []
    default:
      self = []
      for word in words.split(separator: ",", omittingEmptySubsequences: false) {
        guard let found = Self.names.first(where: { $0.name == SettingsText.trimmed(word) }) else {
          return nil
        }
        insert(found.panel)
      }
    }
  }

  /// The words for these panels.
  var words: String {
    if self == .all { return "all" }
    let names = Self.names.filter { contains($0.panel) }.map(\.name)
    return names.isEmpty ? "none" : names.joined(separator: ",")
  }
}
