import ArgumentParser
import PortolanFiles

/// A direction on the screen.
package enum ScreenDirection: String, ExpressibleByArgument, CaseIterable, Sendable {
  case left, right, up, down

  /// One step that way: columns and rows.
  var step: (columns: Int, rows: Int) {
    switch self {
    case .left: (-1, 0)
    case .right: (1, 0)
    case .up: (0, -1)
    case .down: (0, 1)
    }
  }
}

/// The effect of a command on the former selection.
package enum SelectionChange: String, ExpressibleByArgument, CaseIterable, Sendable {
  case replace, add, toggle, remove
}

/// On, off or toggle.
package enum Switch: String, ExpressibleByArgument, CaseIterable, Sendable {
  case on, off, toggle

  func applied(to value: Bool) -> Bool {
    switch self {
    case .on: true
    case .off: false
    case .toggle: !value
    }
  }
}

/// A text argument beside file names on a command line: it must be UTF-8.
package struct TextArgument: ExpressibleByArgument, Hashable, Sendable {
  package var text: String

  package init?(argument: String) {
    guard let text = String(validating: FilePath.bytes(of: argument), as: UTF8.self) else {
      return nil
    }
    self.text = text
  }
}

/// A cell of the map as `COLUMN,ROW`, both from 0.
package struct CellArgument: ExpressibleByArgument, Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let column = Int(parts[0]), let row = Int(parts[1]),
      abs(column) < 100_000, abs(row) < 100_000
    else { return nil }
    self.column = column
    self.row = row
  }
}

/// Two numbers as `X,Y`.
package struct PairArgument: Hashable, Sendable {
  package var x: Double
  package var y: Double

  /// Parses an argument; throws the reason if it is invalid.
  package static func read(_ argument: String) throws -> PairArgument {
    let numbers = try NumberList.read(argument, count: 2, form: "two numbers, as in 0.5,-0.25")
    return PairArgument(x: numbers[0], y: numbers[1])
  }
}

/// Numbers with commas between them.
enum NumberList {
  /// Reads so many numbers.
  ///
  /// - Parameter form: the expected form, such as `two numbers, as in 1,2`.
  /// - Throws: `ValidationError` with the reason.
  static func read(_ argument: String, count: Int, form: String) throws -> [Double] {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = try parts.map { part in
      guard let number = Double(part), number.isFinite else {
        throw ValidationError("“\(part)” is no number; write \(form)")
      }
      return number
    }
    if numbers.count != count {
      let found = numbers.count == 1 ? "this is one number" : "these are \(numbers.count) numbers"
      throw ValidationError("\(found); write \(form)")
    }
    return numbers
  }
}
