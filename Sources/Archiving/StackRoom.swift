import PortolanCSystem

/// Bytes of stack that are left to the calling thread.
///
/// `encode(with:)` and `init(coder:)` nest as deep as the graph does, by nature; the coders ask
/// here before each object, so that they can throw before the stack ends.
@inline(__always)
func stackRoom() -> Int { portolan_stack_left() }
