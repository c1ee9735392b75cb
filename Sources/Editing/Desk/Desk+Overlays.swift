import PortolanTerminals

/// The mouse on overlays: menus, questions, forms, help, completions.
///
/// A press on an overlay never reaches the map, nor do the events that belong to it.
extension Desk {
  /// Whether a menu, a question, a form, the help or the prompt stands above the map.
  var hasOverlay: Bool {
    prompt != nil || !questions.isEmpty || help != nil || form != nil || classPanel != nil
      || !popup.isEmpty
  }

  /// Handles a mouse event on an overlay; returns whether there is one.
  mutating func pointAbove(_ event: MouseEvent) -> Bool {
    let isPress = event.action == .press || event.action == .doubleClick
    // The second press of a double click comes alone; after a press on an overlay it belongs to it.
    let wasTaken = session.isPressTaken && event.action != .press
    if event.action == .press { session.isPressTaken = false }
    guard hasOverlay else { return wasTaken && !event.action.isWheel }
    if isPress { session.isPressTaken = true }
    press = nil
    // A double click on a menu must not press a line of the overlay that the first click opened.
    let isClick = event.action == .press && event.button == 1
    let isFormClick = isPress && event.button == 1
    let steps = event.action == .wheelUp ? -1 : event.action == .wheelDown ? 1 : 0
    if isClick, popup.isEmpty, prompt == nil,
      let key = HintLine.key(self, column: event.column, row: event.row)
    {
      press(key)
    } else if prompt != nil {
      if isClick { clickCompletion(event) }
    } else if !popup.isEmpty {
      pointAtMenu(event, isClick: isClick, isPress: isPress, steps: steps)
    } else if question != nil {
      pointAtQuestion(event, isClick: isClick, steps: steps)
    } else if help != nil {
      if steps != 0 { scrollHelp(steps < 0 ? .up : .down, by: 3) }
    } else if let classPanel {
      pointAtClasses(classPanel, event, isClick: isClick, steps: steps)
    } else {
      pointAtForm(event, isClick: isFormClick, steps: steps)
    }
    return true
  }

  /// A click beside a menu closes it, and does nothing else.
  private mutating func pointAtMenu(
    _ event: MouseEvent, isClick: Bool, isPress: Bool, steps: Int
  ) {
    let layout = KeyPopup.Layout(popup, in: layout.map)
    if steps != 0 {
      session.popupIndex = min(max(0, session.popupIndex + steps), popup.count - 1)
    } else if isClick,
      let item = layout?.item(column: event.column, row: event.row, of: popup.count)
    {
      takeMenuLine(item)
    } else if isPress, layout?.rect.contains(column: event.column, row: event.row) != true {
      forgetPrefix()
    }
  }

  private mutating func pointAtQuestion(_ event: MouseEvent, isClick: Bool, steps: Int) {
    guard let question else { return }
    let last = question.choices.count - 1
    if steps != 0, last >= 0 {
      questions[0].index = min(max(0, question.index + steps), last)
    } else if isClick, let layout = QuestionOverlay.Layout(question, in: layout.map),
      let choice = layout.choice(column: event.column, row: event.row)
    {
      answer(line: question.choices[choice].line)
    }
  }

  /// A click on a row chooses it; on the chosen row it edits the value.
  private mutating func pointAtForm(_ event: MouseEvent, isClick: Bool, steps: Int) {
    guard let form, form.editing == nil else { return }
    if steps != 0 {
      attempt(line: steps < 0 ? "form up" : "form down")
    } else if isClick,
      let row = FormOverlay.Layout(form, in: layout.map).row(column: event.column, row: event.row)
    {
      if row == form.index { attempt(line: "form edit") } else { self.form?.index = row }
    }
  }

  /// A click on a line chooses it; on the chosen line it takes the next choice.
  private mutating func pointAtClasses(
    _ panel: ClassPanel, _ event: MouseEvent, isClick: Bool, steps: Int
  ) {
    if steps != 0 {
      attempt(line: steps < 0 ? "classes up" : "classes down")
    } else if isClick,
      let row = ClassOverlay.row(panel, in: layout.map, column: event.column, row: event.row)
    {
      if row == panel.row { attempt(line: "classes next") } else { classPanel?.row = row }
    }
  }

  private mutating func clickCompletion(_ event: MouseEvent) {
    guard let prompt,
      let index = PromptLine.completion(
        prompt, above: layout.hint, column: event.column, row: event.row)
    else { return }
    chooseCompletion(index)
  }
}

extension MouseEvent.Action {
  fileprivate var isWheel: Bool { self == .wheelUp || self == .wheelDown }
}
