/// Which vertices a simplification leaves out.
package struct SimplifyRule: Hashable, Sendable {
  package enum Method: Hashable, Sendable {
    /// The vertex with the least triangle between its neighbours goes first (Visvalingam and
    /// Whyatt, "Line generalisation by repeated elimination of points", 1993); with a weight,
    /// sharp corners count less and flat ones more, which gives smoother lines.
    case visvalingam(isWeighted: Bool)
    /// The vertex that lies least beside the line of those that stay goes first (Douglas and
    /// Peucker, "Algorithms for the reduction of the number of points", 1973).
    case douglasPeucker
  }

  package enum Amount: Hashable, Sendable {
    /// The share of the vertices that could go which stays, 0 to 1.
    case share(Double)
    /// Detail below a length goes: triangles below its square, or distances below it; metres on
    /// the globe, else the units of the plane.
    case length(Double)
  }

  package var method: Method
  package var amount: Amount
  /// Whether the largest ring of each feature stays, however small; other rings that stand alone
  /// may vanish.
  package var keepsShapes: Bool

  package init(
    _ amount: Amount, method: Method = .visvalingam(isWeighted: true), keepsShapes: Bool = false
  ) {
    self.amount = amount
    self.method = method
    self.keepsShapes = keepsShapes
  }
}
