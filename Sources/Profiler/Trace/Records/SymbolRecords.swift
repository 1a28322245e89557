/// A symbol or the path of a source file (`gp_symbol_text`).
public struct SymbolTextRecord: Hashable, Sendable {
    /// 1, 2, 3 …
    public var id: UInt32
    public var text: String
}

/// What stands at an address of the process (`gp_symbol`).
public struct SymbolRecord: Hashable, Sendable {
    /// What was looked up.
    public enum Kind: UInt8, Sendable {
        case code = 0
        case variable = 1
    }

    /// A function at the address, or the variable that holds it (`gp_symbol_location`); texts by their numbers, 0: not known.
    public struct Location: Hashable, Sendable {
        public var symbol: UInt32
        public var file: UInt32 = 0
        public var line: UInt32 = 0
    }

    public var kind: Kind = .code
    /// As it is looked up: of a return address the byte before it.
    public var address: UInt64
    /// Where a function without a symbol begins, an address of the file; 0: not known.
    public var start: UInt64 = 0
    /// Innermost first; empty: the image file names nothing there.
    public var locations: [Location] = []
}

/// The symbols of an image are stored; where they come from (`gp_symbol_source`).
public struct SymbolSourceRecord: Hashable, Sendable {
    /// What the file gave.
    public enum Detail: UInt8, Comparable, Sendable {
        /// It has no debug information: names alone.
        case names = 0
        /// It has some, and there was no symbolizer to read it.
        case unread = 1
        /// It was read by the symbolizer of no Swift toolchain.
        case foreign = 2
        case lines = 3

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    public var detail: Detail
    /// First mapped address of the image.
    public var start: UInt64
    /// Of the image; empty: none.
    public var buildID: [UInt8] = []
    /// The file that was read.
    public var path: String = ""
}
