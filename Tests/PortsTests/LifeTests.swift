import Archiving
import Foundation
import Ports
import Synchronization
import Testing

@Suite("Time limits, cancellation and the end")
struct LifeTests {
  @Test("A call without a reply ends in time; its late reply does no harm")
  func timeLimit() async throws {
    let ends = try Ends(there: Map("Europe"))
    try late(ends)
    let error = await #expect(throws: PortError.self) {
      try await ends.here.root.call("never", timeLimit: .milliseconds(20))
    }
    #expect(error?.code == .timeLimit)
    try await ends.here.root.call("answerAll")
    let title: String = try await ends.here.root.call("title")
    #expect(title == "Europe")
    #expect(ends.here.underWay.calls == 0)
    #expect(await soon { ends.there.underWay.requests == 0 })
  }

  private func late(_ ends: Ends) throws {
    let error = #expect(throws: PortError.self) {
      try ends.here.root.call("never", timeLimit: .milliseconds(20))
    }
    #expect(error?.code == .timeLimit && error?.reason.contains("never") == true)
    try ends.here.root.call("answerAll")
  }

  @Test("A cancelled task gives its call up, and the other end is told")
  func cancel() async throws {
    final class Worker: Vended, Sendable {
      let begun = Mutex(false)
      let cancelled = Mutex(false)
      static let portMethods = PortMethods(Worker.self) { list in
        list.onCall("work") { worker, call in
          let answer = call.later()
          worker.begun.withLock { $0 = true }
          answer.onCancel {
            worker.cancelled.withLock { $0 = true }
            answer.reply()
          }
        }
        list.onTask("sleep") { worker throws -> Int in
          worker.begun.withLock { $0 = true }
          do {
            try await Task.sleep(for: .seconds(60))
          } catch {
            worker.cancelled.withLock { $0 = true }
          }
          return 1
        }
      }
    }
    for method in ["work", "sleep"] {
      let worker = Worker()
      let ends = try Ends(there: worker)
      let task = Task { try await ends.here.root.call(method, timeLimit: .seconds(3_600)) }
      #expect(await soon { worker.begun.withLock { $0 } })
      task.cancel()
      let error = await #expect(throws: PortError.self) { try await task.value }
      #expect(error?.code == .cancelled)
      #expect(await soon { worker.cancelled.withLock { $0 } })
      #expect(await soon { ends.there.underWay.requests == 0 })
    }
  }

  @Test("At the end both sides know: pending calls throw, proxies throw, handlers are told")
  func invalidation() throws {
    let ends = try Ends(there: Map("Europe"))
    let place: DistantObject = try ends.here.root.call("place", "Oslo")
    let told = Mutex<[PortError.Code]>([])
    ends.here.onEnd { error in told.withLock { $0.append(error.code) } }
    ends.there.onEnd { error in told.withLock { $0.append(error.code) } }
    Thread.detachNewThread {
      _ = eventually { ends.there.underWay.requests == 1 }
      ends.there.close("closing time")
    }
    let error = #expect(throws: PortError.self) { try ends.here.root.call("never") }
    #expect(error?.code == .peerGone && error?.reason.hasSuffix("closing time") == true)
    #expect(!place.isValid)
    #expect(throws: PortError.self) { try place.call("name") }
    #expect(throws: PortError.self) { try place.send("name") }
    #expect(eventually { Set(told.withLock { $0 }) == [.peerGone, .closed] })
    #expect(eventually { ends.there.vendedCount == 0 })
    ends.here.onEnd { error in told.withLock { $0.append(error.code) } }
    #expect(eventually { told.withLock { $0.count } == 3 })
  }

  @Test("A connection that nobody holds ends; a distant object holds it")
  func held() throws {
    var ends: Ends? = try Ends(there: Map("Europe"))
    var place: DistantObject? = try ends?.here.root.call("place", "Oslo")
    let there = try #require(ends?.there)
    ends = nil
    #expect(try place?.call("name") == "Oslo")
    place = nil
    #expect(eventually { there.end?.code == .peerGone })
  }

  @Test("A reply later comes from any thread; one that is let go fails the call")
  func laterReplies() async throws {
    let map = Map("Europe")
    let ends = try Ends(there: map)
    let waiting = Task {
      try await ends.here.root.call("never", timeLimit: .seconds(3_600)) as String
    }
    #expect(await soon { ends.there.underWay.requests == 1 })
    try await ends.here.root.call("answerAll")
    #expect(try await waiting.value == "late")
    final class Forgetful: Vended {
      static let portMethods = PortMethods(Forgetful.self) { list in
        list.onCall("forget") { _, call in _ = call.later() }
      }
    }
    let other = try Ends(there: Forgetful())
    let failure = await #expect(throws: PortFailure.self) {
      try await other.here.root.call("forget")
    }
    #expect(failure?.name == "NoReply")
  }

  @Test("One-way messages keep their order, and what fails there is not told")
  func oneway() throws {
    let visitor = Visitor()
    let ends = try Ends(there: visitor)
    for number in 0..<500 { try ends.here.root.send("note", "\(number)") }
    try ends.here.root.send("no such method")
    try ends.here.root.call("note", "last")
    #expect(visitor.seen.withLock { $0 } == (0..<500).map { "\($0)" } + ["last"])
    #expect(ends.here.end == nil)
  }

  @Test("What was sent before the end counts, however late it is carried out")
  func sentBeforeTheEnd() throws {
    final class Notes: Vended, Sendable {
      let seen = Mutex<[String]>([])
      static let portMethods = PortMethods(Notes.self) { list in
        list.on("note") { (notes, text: String) in notes.seen.withLock { $0.append(text) } }
      }
    }
    for closes in [true, false] {
      let notes = Notes()
      let mailbox = PortQueue(mailbox: {})
      let (one, two) = try PortStreams.pair()
      let there = try PortConnection(two, root: notes, options: PortOptions(queue: mailbox))
      there.onEnd { _ in notes.seen.withLock { $0.append("end") } }
      var here: PortConnection? = try PortConnection(one)
      for number in 0..<200 { try here?.root.send("note", "\(number)") }
      if closes { here?.close() }
      here = nil
      #expect(eventually { there.end != nil })
      #expect(notes.seen.withLock { $0 }.isEmpty)
      #expect(
        eventually {
          mailbox.runPending()
          return notes.seen.withLock { $0.last } == "end"
        })
      #expect(notes.seen.withLock { $0 } == (0..<200).map { "\($0)" } + ["end"])
    }
  }

  @Test("What comes behind an end is thrown away")
  func sentAfterTheEnd() throws {
    let map = Map("Europe")
    let mailbox = PortQueue(mailbox: {})
    let (one, two) = try PortStreams.pair()
    let raw = Raw(one)
    let there = try PortConnection(two, root: map, options: PortOptions(queue: mailbox))
    let rename = try Raw.request("rename", oneway: true) { try $0.encodeObject("Asia") }
    let late = try Raw.request("rename", of: 0, 2) { try $0.encodeObject("Africa") }
    raw.send(Raw.greeting() + rename + Raw.frame(4) + late)
    #expect(eventually { there.end != nil })
    mailbox.runPending()
    #expect(map.title == "Asia")
  }

  @Test("Messages larger than either end takes are not sent")
  func large() throws {
    var small = PortLimits()
    small.messageBytesMax = 10_000
    let ends = try Ends(there: Map("Europe"), other: PortOptions(limits: small))
    try ends.here.waitForGreeting()
    let error = #expect(throws: PortError.self) {
      try ends.here.root.call("echo", Array(0..<20_000))
    }
    #expect(error?.code == .tooLarge)
    #expect(try ends.here.root.call("title") == "Europe")
    #expect(ends.here.underWay.calls == 0)
  }

  @Test("A program's standard input and output are a connection")
  func program() throws {
    let program = try PortProgram(["cat"])
    let raw = Raw(program.streams)
    raw.send(Raw.greeting())
    #expect(raw.read { $0.count >= 31 } == Raw.greeting())
    raw.finish()
    #expect(program.wait() == 0)
    #expect(throws: PortError.self) { try PortProgram(["/no/such/program"]) }
    let killed = try PortProgram(["sleep", "60"])
    killed.end(atOnce: true)
    #expect(killed.wait() == 128 + 9)
    killed.streams.close()
  }

  @Test("Pipes are streams too, and an end that takes no bytes any more is noticed")
  func pipes() throws {
    let (out, back) = (Pipe(), Pipe())
    func descriptor(_ handle: FileHandle) -> Int32 { dup(handle.fileDescriptor) }
    let server = try PortConnection(
      PortStreams(
        input: descriptor(out.fileHandleForReading), output: descriptor(back.fileHandleForWriting)),
      root: Map("Europe"))
    let client = try PortConnection(
      PortStreams(
        input: descriptor(back.fileHandleForReading), output: descriptor(out.fileHandleForWriting)))
    #expect(try client.root.call("title") == "Europe")
    let numbers = Array(0..<50_000)
    #expect(try client.root.call("echo", numbers) == numbers)
    #expect(client.peer == nil)
    client.close()
    #expect(eventually { server.end?.code == .peerGone })
    let (deaf, never) = (Pipe(), Pipe())
    let talker = try PortConnection(
      PortStreams(
        input: descriptor(never.fileHandleForReading),
        output: descriptor(deaf.fileHandleForWriting)))
    try deaf.fileHandleForReading.close()
    try talker.root.send("title")
    #expect(eventually { talker.end?.code == .peerGone })
    try never.fileHandleForWriting.close()
  }
}
