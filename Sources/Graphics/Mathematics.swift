// The only file of this floor that uses the C library, and only for arithmetic.
import func Glibc.atan
import func Glibc.atan2
import func Glibc.cos
import func Glibc.exp
import func Glibc.exp2
import func Glibc.log
import func Glibc.log2
import func Glibc.sin

/// The elementary functions for maps; Swift's own library has none of them on Linux.
package enum Mathematics {
  @inline(__always) package static func sine(_ x: Double) -> Double { sin(x) }
  @inline(__always) package static func cosine(_ x: Double) -> Double { cos(x) }
  @inline(__always) package static func arctangent(_ x: Double) -> Double { atan(x) }
  @inline(__always) package static func logarithm(_ x: Double) -> Double { log(x) }
  @inline(__always) package static func exponential(_ x: Double) -> Double { exp(x) }
  @inline(__always) package static func power(ofTwo x: Double) -> Double { exp2(x) }
  @inline(__always) package static func binaryLogarithm(_ x: Double) -> Double { log2(x) }

  /// The angle of the vector (x, y) against the x axis, in radians.
  @inline(__always) package static func angle(y: Double, x: Double) -> Double { atan2(y, x) }
}
