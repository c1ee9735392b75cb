public import Archiving

/// How an end of a connection works.
public struct PortOptions: Sendable {
  /// Where the methods of vended objects run: a thread of each connection's own unless given.
  public var queue: PortQueue?

  /// What the other end may ask of this one.
  public var limits = PortLimits()

  /// The name and version of this program: told to the other end, which shows it when the versions
  /// of the protocol do not match.
  public var program = "this program"

  /// The classes whose copies may stand for others in messages, such as subclasses.
  public var classes: [any Coding.Type] {
    get { list.value }
    set { list = HandedOver(newValue) }
  }

  private var list: HandedOver<[any Coding.Type]> = HandedOver([])

  /// The usual ones.
  public init(
    queue: PortQueue? = nil, classes: [any Coding.Type] = [], limits: PortLimits = PortLimits(),
    program: String = "this program"
  ) {
    (self.queue, self.limits, self.program) = (queue, limits, program)
    list = HandedOver(classes)
  }
}
