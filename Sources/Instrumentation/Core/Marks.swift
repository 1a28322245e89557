#if Instrumented
internal import CRecorderInterface

extension Instrumentation {
    /// Begins a generation of allocations: the report shows which of the blocks that are allocated from here up to the next
    /// mark still live at the end, by type and by stack.
    ///
    /// Costs a record, and 0.3 ns for each allocation that follows. Returns false when nothing is recorded, or after 127
    /// marks. Then calls what `onFinding` was given for zombies. C counterpart: `gp_mark`.
    @discardableResult
    public static func mark(_ name: String) -> Bool {
        let isSet = gp_mark(name)
        Finding.reportZombies()
        return isSet
    }

    /// Expects that `object` will be deallocated as soon as the caller lets go of it: the next snapshot, the one at exit
    /// at the latest, reports it if it still lives, with what holds it.
    ///
    /// Neither retains the object nor makes a weak reference to it; costs about 100 ns. What another thread expected in
    /// the last 50 ms before a snapshot is not judged by it. Returns false when no allocations are recorded, or when the
    /// object is not on the heap. C counterpart: `gp_expect_deallocated`.
    @discardableResult
    public static func expectDeallocated(
        _ object: AnyObject, file: StaticString = #fileID, line: UInt32 = #line
    ) -> Bool {
        guard file.hasPointerRepresentation else { return false }
        return file.utf8Start.withMemoryRebound(to: CChar.self, capacity: file.utf8CodeUnitCount) {
            gp_expect_deallocated(Unmanaged.passUnretained(object).toOpaque(), $0, line)
        }
    }
}
#endif
