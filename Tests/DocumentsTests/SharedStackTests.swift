import PortolanDocuments
import PortolanTestSupport
import Testing

@Suite struct SharedStackTests {
  @Test("A stack and its copies hold what an array would", arguments: Seeds.some(20))
  func property(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var stacks = [(SharedStack<Int>(), [Int]())]
    for step in 0..<4000 {
      let index = Int.random(in: 0..<stacks.count, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0 where stacks.count < 6: stacks.append(stacks[index])
      case 1 where stacks[index].1.count > 900:
        stacks[index].0.removeAll()
        stacks[index].1.removeAll()
      case 2...6: #expect(stacks[index].0.popLast() == stacks[index].1.popLast())
      default:
        stacks[index].0.append(step)
        stacks[index].1.append(step)
      }
      #expect(stacks[index].0.last == stacks[index].1.last)
      #expect(stacks[index].0.count == stacks[index].1.count)
    }
    for (stack, model) in stacks {
      #expect(Array(stack) == model)
      #expect(Array(SharedStack(model)) == model)
    }
  }
}
