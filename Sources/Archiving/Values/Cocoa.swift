/// The value classes of Foundation as Swift values, by the names they have there.
///
/// Each of them is archived as Foundation archives its class, in keyed and in sequential archives,
/// so that `coder.encodeObject(Cocoa.URL("…"), forKey: "home")` is read as an `NSURL` elsewhere.
/// Nothing is opened, compiled or looked up: a URL is its text, a time zone its name and bytes.
public enum Cocoa {}
