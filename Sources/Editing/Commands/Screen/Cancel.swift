package import ArgumentParser

/// Cancels running jobs.
package struct Cancel: Command {
  package static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop the jobs that are running.")

  package init() {}

  package func run(in desk: inout Desk) throws { try desk.cancelJobs() }
}
