import Foundation
import GameprofBasics
import InstrumentationServing

/// Takes the profiles of this process, each time those since the time before.
struct ProfileCollector {
    private var allocated = AllocationDelta()
    private var since: Date
    private var cpu: RecorderCPU?

    /// `leavingOutWhatWas`: allocations before now. Else all count, and the process began at `now`.
    init(now: Date = Date(), leavingOutWhatWas: Bool) {
        since = now
        if leavingOutWhatWas, case .figures(let heap) = RecorderHeap.collect() { _ = allocated.next(heap) }
        beginCPU()
    }

    static var isRecorded: Bool { RecorderHeap.isRecorded || RecorderCPU.isRecorded }

    /// Somebody else may be counting, who is left alone.
    private mutating func beginCPU() {
        cpu = if case .figures(let begun) = RecorderCPU.begin() { begun } else { nil }
    }

    mutating func next() -> [StoredProfile] {
        let counted = cpu?.end()
        beginCPU()
        var profiles: [StoredProfile] = []
        if let counted, let pprof = counted.pprof() {
            profiles.append(Self.profile(.cpuTime, pprof, counted.begun, counted.ended))
        }
        // Asked by another thread: the next time has what is missing now.
        guard case .figures(let heap) = RecorderHeap.collect() else { return profiles }
        let now = Date()
        let nanoseconds = UInt64(max(0, now.timeIntervalSince(since) * 1e9))
        let rows = allocated.next(heap)
        if let pprof = HeapProfile.encodeAllocated(
            rows, mean: heap.mean, begun: since, nanoseconds: nanoseconds, frames: RecorderStacks.frames)
        {
            profiles.append(Self.profile(.memory, pprof, since, now))
        }
        if let pprof = HeapProfile.encodeLive(heap, at: now, frames: RecorderStacks.frames) {
            profiles.append(Self.profile(.memory, pprof, since, now))
        }
        since = now
        return profiles
    }

    private static func profile(
        _ subject: StoredProfile.Subject, _ pprof: [UInt8], _ begun: Date, _ ended: Date
    ) -> StoredProfile {
        let (begin, end) = (UInt64(nanosecondsSince1970: begun), UInt64(nanosecondsSince1970: ended))
        return StoredProfile(subject, pprof: pprof, begun: begin, ended: end)
    }

    /// Ends what the recorder counts for it.
    mutating func end() {
        _ = cpu?.end()
        cpu = nil
    }
}
