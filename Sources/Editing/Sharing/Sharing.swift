/// How other terminals reach a workspace.
package struct Sharing: Hashable, Sendable {
  /// The path of its socket; `nil` while it has none.
  package internal(set) var socket: String?
  /// Why it has none, for people.
  package internal(set) var trouble = "this editor has no socket"
  /// Whether the workspace stays when no terminal shows it.
  package internal(set) var stays = false
  /// Whether the end of the login that began its process leaves the process alone: systemd runs it
  /// in a scope of its own or as a service, or there is no systemd.
  package internal(set) var outlivesLogin = false
  /// How long it stays without a terminal, in seconds; `nil` without a limit.
  package internal(set) var staySeconds: Double?
  /// The number of its process, which `portolan attach` takes.
  package internal(set) var process = 0
  /// The name of its machine, as locks have it; empty where it is not known.
  package internal(set) var machine = ""

  package init() {}

  /// Why there is no socket; `nil` if there is one.
  package var socketTrouble: String? { socket == nil ? trouble : nil }
}
