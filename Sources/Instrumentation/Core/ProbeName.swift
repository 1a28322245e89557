#if Instrumented
public import CRecorderInterface

extension Probe {
    /// The name of a probe: text that stays where it is while the program runs.
    public struct Name: Sendable {
        @usableFromInline let address: UInt
        @usableFromInline let count: Int

        /// Makes a name of any text. Equal texts give the same name. Costs a look-up, and a copy of the text at its first
        /// use that is never given back: for names of which there are few. Texts beyond the 8,192nd are not recorded.
        public init(_ text: String) {
            var text = text
            let kept = text.withUTF8 { utf8 in
                utf8.baseAddress.flatMap { gp_probe_intern($0, utf8.count) }
            }
            address = UInt(bitPattern: kept)
            count = min(text.utf8.count, Int(GP_PROBE_NAME_LONGEST))
        }

        @_alwaysEmitIntoClient @inline(__always)
        init(literal: StaticString) {
            if literal.hasPointerRepresentation {
                self.init(address: UInt(bitPattern: literal.utf8Start), count: literal.utf8CodeUnitCount)
            } else {
                self.init(literal.description)
            }
        }

        @inlinable
        init(address: UInt, count: Int) {
            self.address = address
            self.count = count
        }

        @_alwaysEmitIntoClient @inline(__always)
        var start: UnsafePointer<UInt8>? { UnsafePointer(bitPattern: address) }
    }

    /// An interval that was begun. It may be kept, sent to other threads and ended there, once.
    public struct Token: Sendable {
        @usableFromInline let name: Name
        @usableFromInline let ticks: UInt64

        @inlinable
        init(name: Name, ticks: UInt64) {
            self.name = name
            self.ticks = ticks
        }

        /// Ends the interval.
        @_alwaysEmitIntoClient @inline(__always)
        public func end() { gp_probe_finish(name.start, name.count, ticks) }
    }
}
#endif
