/// The value classes of Foundation as Swift values, by the names they have there.
///
/// Each of them is archived as Foundation archives its class, so that
/// `coder.encodeObject(Cocoa.URL("…"), forKey: "home")` is read as an `NSURL` elsewhere. In
/// sequential archives that holds for strings, numbers, data, dates, arrays, sets, dictionaries,
/// null, URLs, attributed strings, structures and decimal numbers; how Apple's other classes code
/// themselves there is not known, and only this library reads its own form of them.
/// Nothing is opened, compiled or looked up: a URL is its text, a time zone its name and bytes.
public enum Cocoa {}
