public import Archiving

/// A class whose instances other programs can call: the methods that it lists, and no others.
///
///     final class Map: Vended {
///       var title = "Europe"
///
///       static let portMethods = PortMethods(Map.self) { list in
///         list.on("title") { map in map.title }
///         list.on("rename") { (map, title: String) in map.title = title }
///       }
///     }
///
/// Instances are sent as references. A class that can also be sent as a copy, with `Bycopy`, has
/// `encode(with:)`, `init(coder:)` and an archived name of its own.
///
/// The methods run on the connection's queue, and there only may the instances be used, unless they
/// are safe on every thread.
public protocol Vended: AnyObject, PortCoding {
  /// The methods that can be called; asked once for each class and connection.
  static var portMethods: PortMethods { get }
}

extension Vended {
  /// The name of the class.
  public static var archivedClass: ArchivedClass { ArchivedClass("\(Self.self)") }

  /// Throws: without its own, a vended object has no copies.
  public func encode(with coder: any EncodingCoder) throws {
    throw ArchiveError(.misuse, "\(Self.self) is vended, and cannot be copied")
  }

  /// Throws: without its own, a vended object has no copies.
  public init(coder: any DecodingCoder) throws {
    throw ArchiveError(.misuse, "\(Self.self) is vended, and cannot be copied")
  }
}

/// The methods of a class that other programs can call, by name.
public struct PortMethods: Sendable {
  typealias Handler = @Sendable (AnyObject, PortCall) throws -> Void

  var handlers: [String: Handler] = [:]

  /// Lists methods of a class.
  public init<Object: AnyObject>(
    _ type: Object.Type, _ fill: (inout PortMethodList<Object>) -> Void
  ) {
    var list = PortMethodList<Object>()
    fill(&list)
    handlers = list.handlers
  }

  /// The names, sorted.
  public var names: [String] { handlers.keys.sorted() }

  /// Both; of two methods with one name the second, as of a subclass.
  public static func + (first: PortMethods, second: PortMethods) -> PortMethods {
    var both = first
    both.handlers.merge(second.handlers) { $1 }
    return both
  }
}

/// A list of methods as it is filled.
///
/// A method takes arguments of any types that can be archived, in order; each must be there, and no
/// more. What it returns is the reply, what it throws the failure.
public struct PortMethodList<Object: AnyObject> {
  var handlers: [String: PortMethods.Handler] = [:]

  /// Adds a method without a result.
  public mutating func on<each Argument: Coding & SendableMetatype>(
    _ name: String, _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Void
  ) {
    add(name) { object, call in
      let arguments = (repeat try call.next((each Argument).self))
      try call.checkEnd()
      try body(object, repeat each arguments)
    }
  }

  /// Adds a method with a result: a value is sent as a copy, an instance of a class as a reference.
  public mutating func on<each Argument: Coding & SendableMetatype, Result: Coding>(
    _ name: String, _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result
  ) {
    add(name) { object, call in
      let arguments = (repeat try call.next((each Argument).self))
      try call.checkEnd()
      call.reply(try body(object, repeat each arguments))
    }
  }

  /// Adds a method that may have no result.
  @_disfavoredOverload
  public mutating func on<each Argument: Coding & SendableMetatype, Result: Coding>(
    _ name: String, _ body: @escaping @Sendable (Object, repeat each Argument) throws -> Result?
  ) {
    add(name) { object, call in
      let arguments = (repeat try call.next((each Argument).self))
      try call.checkEnd()
      call.reply(try body(object, repeat each arguments))
    }
  }

  /// Adds a method that decodes its arguments itself, and may reply later.
  public mutating func onCall(
    _ name: String, _ body: @escaping @Sendable (Object, PortCall) throws -> Void
  ) {
    add(name, body)
  }

  private mutating func add(
    _ name: String, _ body: @escaping @Sendable (Object, PortCall) throws -> Void
  ) {
    handlers[name] = { object, call in
      guard let object = object as? Object else {
        throw PortFailure.noMethod(name, of: type(of: object))
      }
      try body(object, call)
    }
  }
}

extension PortMethodList where Object: Sendable {
  /// Adds a method that suspends; it runs in a task of its own, beside the queue.
  ///
  /// The task is cancelled when the other end gives the call up.
  public mutating func onTask<each Argument: Coding & Sendable, Result: Coding & Sendable>(
    _ name: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) async throws -> Result
  ) {
    add(name) { object, call in
      let arguments = (repeat try call.next((each Argument).self))
      try call.checkEnd()
      let answer = call.later()
      let task = Task {
        await PortAnswer.current.withValue(answer) {
          do {
            answer.reply(try await body(object, repeat each arguments))
          } catch {
            answer.fail(error)
          }
        }
      }
      answer.onCancel { task.cancel() }
    }
  }
}
