import Glibc
import PortolanCSystem

// Closed descriptors first: nothing may be opened under their numbers.
StandardDescriptors.fillClosed()
// A reader that is gone and a file that may not grow are errors of the call, not signals.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)

exit(Program.run(SystemFacts.arguments))
