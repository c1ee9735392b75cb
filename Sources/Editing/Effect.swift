/// An effect that the desk requests from outside.
package enum Effect: Sendable {
  /// Do outside work and send the reply to the job; `nil` if no reply is needed.
  case perform(any Request, JobID?)
  /// Cancel a job: its reply is no longer handled.
  case cancel(JobID)
  case quit(code: Int32)
  /// Let the terminal go; the session stays.
  case detach
  /// End the session, and attach its terminal to the host at a socket.
  case attach(socket: String)
  case suspend
  /// Send the whole picture again.
  case redraw
  case beep
  case setClipboard(String)
  /// Show lines for people: on standard output, or in the editor as a page of its own. What is in
  /// a line neither ends it nor acts on a terminal.
  case print([String])
  /// Show a text for programs, in the same place: JSON.
  case printData(String)
  /// Write a line to standard error, where there is no editor.
  case warn(String)
}
