/// A pattern of text, compiled: what `matches` in an expression looks for.
///
/// It is found anywhere in a text unless `^` and `$` hold it, and always in time linear in the
/// text: there are no back-references and no look-around, so that no text and no pattern makes it
/// slow. The syntax is that of other programs: `.` (any character but a line feed), classes
/// (`[a-z]`, `[^…]`), `\d \w \s \D \W \S` of all scripts, `\p{Lu}` and `\P{L}` (general
/// categories), `\b \B`, `^ $` (start and end of the text), groups `( )` and `(?: )`, `|`, the
/// repeats `* + ? {n} {n,} {n,m}` and their lazy forms, the escapes `\n \t \r \. \x41 \u{1F600}`,
/// and `(?i)` at the start to ignore case. A character is a Unicode scalar.
///
/// A pattern is immutable; a ``PatternMatcher`` of each thread looks for it.
package struct Pattern: Sendable {
  let program: PatternProgram

  /// Compiles a pattern; its length, depth and size are bounded.
  package init(_ text: String) throws(PatternError) {
    var parser = try PatternParser(text)
    let tree = try parser.parse()
    program = try PatternProgram(tree, sets: parser.sets)
  }
}

/// Why a text is no pattern.
package struct PatternError: Error, Hashable, Sendable {
  package let message: String
  /// The place in the pattern, in characters from 1.
  package let column: Int
}
