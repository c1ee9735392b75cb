/// What the desk wants from the outside.
package enum Effect: Sendable {
  /// Do outside work; the job waits for its reply, `nil` if nobody does.
  case perform(any Request, JobID?)
  /// Stop a job: its reply is no longer taken in.
  case cancel(JobID)
  case quit(code: Int32)
  case suspend
  /// Send the whole picture again.
  case redraw
  case beep
  case setClipboard(String)
  /// Show a text: on standard output, or in the editor as a page of its own.
  case print(String)
}
