import Dispatch
import PortolanGraphics
import Synchronization

/// Levels that the next frames may want, made between the frames by one worker.
///
/// A level is the same whenever it is made: no picture depends on the worker's progress.
final class LevelsAhead: Sendable {
  typealias Made = (maker: LevelMaker, levels: PreparedLevels)

  private struct State {
    /// The makers of the levels still missing, the next one last.
    var waiting: [LevelMaker] = []
    /// The number of vertices of their blocks.
    var vertices = 0
    var made: [Made] = []
    /// The room left for levels, in bytes.
    var room = 0
    var isWorking = false
    /// Whether a frame is under way, which is to have the processors for itself.
    var isPaused = false
    /// The level in the making.
    var current: LevelMaker.Key?
  }

  /// Frames that follow each other sooner leave no time.
  private static let rest = DispatchTimeInterval.milliseconds(3)

  private let state = Mutex(State())
  private let squareRows: SquareRowsCache
  private let queue = DispatchQueue(label: "levels ahead", qos: .utility)

  init(_ squareRows: SquareRowsCache) { self.squareRows = squareRows }

  /// Replaces the waiting makers; the first one comes first.
  ///
  /// - Parameter room: the most bytes to make; the last level may exceed it.
  func make(_ makers: [LevelMaker], room: Int) {
    state.withLock { state in
      state.waiting = makers.reversed().filter { $0.key != state.current }
      state.vertices = state.waiting.reduce(0) { $0 + $1.block.vertexCount }
      state.room = room - state.made.reduce(0) { $0 + $1.levels.byteCount }
    }
  }

  /// Begins no level until the frame is shown.
  func pause() { state.withLock { $0.isPaused = true } }

  /// Goes on, unless another frame begins at once.
  func resume() {
    let isStart = state.withLock { state in
      state.isPaused = false
      guard !state.isWorking, !state.waiting.isEmpty else { return false }
      state.isWorking = true
      return true
    }
    if isStart { queue.asyncAfter(deadline: .now() + Self.rest) { self.work() } }
  }

  /// Forgets the waiting makers.
  func stop() { state.withLock { $0.waiting = [] } }

  /// The levels made since the last call.
  func takeMade() -> [Made] {
    state.withLock { state in
      defer { state.made = [] }
      return state.made
    }
  }

  /// Makes all waiting levels before it returns.
  func finish() { queue.sync { work() } }

  private func work() {
    while let (next, vertices) = next() {
      var maker = next
      maker.takeRows(of: squareRows, for: vertices)
      let levels = maker.prepared()
      levels.makeGroups()
      state.withLock { state in
        // Paths at full detail that would not be kept go at once.
        if levels.isDroppable && levels.byteCount > state.room { levels.base.forgetPaths() }
        state.room -= levels.byteCount
        state.made.append((maker, levels))
      }
    }
  }

  private func next() -> (maker: LevelMaker, vertices: Int)? {
    state.withLock { state in
      if state.room <= 0 { state.waiting = [] }
      let next = state.isPaused ? nil : state.waiting.popLast()
      state.isWorking = next != nil
      state.current = next?.key
      return next.map { ($0, state.vertices) }
    }
  }
}
