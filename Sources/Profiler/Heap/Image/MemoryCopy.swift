import Dispatch
import Foundation
import GameprofBasics
import GameprofTrace

/// The copy of a mapping, with holes where the process has no pages.
final class MemoryCopy {
    /// Copied at once by a thread.
    private static let part: UInt64 = 8 << 20

    let start: UInt64
    private var plan: CopyPlan.Copy
    /// Pages that could not be read, by address, and why.
    private var failed: [(range: Range<UInt64>, reason: String)] = []
    /// From the beginning on: so much is known, the holes too.
    private var filled: UInt64 = 0
    private let room: UnsafeMutableRawBufferPointer

    /// - Parameter isPrepared: the process still runs. There is room for growth, and memory where the process has some.
    init(_ plan: CopyPlan.Copy, isPrepared: Bool = false) {
        (start, self.plan) = (plan.mapping.start, plan)
        let size = Int(plan.mapping.end - plan.mapping.start)
        let capacity = isPrepared ? size + size / 4 + 1 << 20 : size
        let address = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 | 0x4000, -1, 0)
        room = UnsafeMutableRawBufferPointer(
            start: address == MAP_FAILED ? nil : address, count: address == MAP_FAILED ? 0 : capacity)
        let (smallPages, populate): (CInt, CInt) = (15, 23)  // MADV_NOHUGEPAGE, MADV_POPULATE_WRITE
        // A page alone would take a large one.
        madvise(room.baseAddress, room.count, smallPages)
        guard isPrepared, room.count > 0 else { return }
        for run in plan.pages {
            let place = target(of: run)
            LargePages.take(place)
            madvise(place.baseAddress, place.count, populate)
        }
    }

    /// Takes the memory from the parts of a trace, by address.
    convenience init(of mapping: MemoryImage.Mapping, _ parts: some Sequence<HeapImageRecord>) {
        func range(_ part: HeapImageRecord) -> Range<UInt64> {
            (part.first..<part.first + UInt64(part.bytes.count)).clamped(to: mapping.start..<mapping.end)
        }
        var pages: [Range<UInt64>] = []
        for case let range in parts.lazy.map(range) where !range.isEmpty {
            if let last = pages.last, last.upperBound >= range.lowerBound {
                pages[pages.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                pages.append(range)
            }
        }
        self.init(CopyPlan.Copy(mapping: mapping, pages: pages))
        guard room.count > 0 else { return }
        for part in parts {
            let range = range(part)
            guard !range.isEmpty else { continue }
            let offset = Int(range.lowerBound - part.first)
            target(of: range).copyBytes(from: part.bytes[offset..<offset + range.count])
        }
    }

    deinit { if let address = room.baseAddress { munmap(address, room.count) } }

    /// Takes the mapping as it is now; false: it finds no room.
    func renew(_ plan: CopyPlan.Copy) -> Bool {
        guard plan.mapping.end - plan.mapping.start <= UInt64(room.count) else { return false }
        self.plan = plan
        return true
    }

    private func target(of run: Range<UInt64>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: room[Int(run.lowerBound - start)..<Int(run.upperBound - start)])
    }

    // MARK: - Reading

    /// Reads them from a process, with all processors, up to a moment: the kernel waits where a page has gone meanwhile and somebody
    /// is to provide it.
    static func read(_ copies: [MemoryCopy], of pid: pid_t, until deadline: DispatchTime) {
        let owners = copies.filter { $0.room.count > 0 }.flatMap { copy in
            copy.plan.pages.flatMap { run in
                stride(from: run.lowerBound, to: run.upperBound, by: Int(part)).map { at in
                    (copy, at..<min(run.upperBound, at + part))
                }
            }
        }
        let reading = MemoryReading(
            of: pid, owners.map { MemoryReading.Part(start: $1.lowerBound, target: $0.target(of: $1), owner: $0) })
        for ((copy, range), failed) in zip(owners, reading.run(until: deadline)) {
            guard let failed else {
                copy.failed.append((range, "the process had to continue before it was copied"))
                continue
            }
            copy.failed += failed.map { ($0, "the kernel did not hand it out") }
        }
    }

    // MARK: - The result

    var isFile: Bool { plan.mapping.isOfFile }

    /// Something could be read.
    var isRead: Bool {
        room.count > 0 && plan.pages.reduce(0) { $0 + $1.count } > failed.reduce(0) { $0 + $1.range.count }
    }

    /// Puts into the holes what the file of the mapping has there.
    func fill(from file: UnsafeRawBufferPointer) {
        let size = min(UInt64(room.count), plan.mapping.end - start)
        filled = min((UInt64(file.count) + PageTable.page - 1) / PageTable.page * PageTable.page, size)
        for hole in Self.parts(of: [start..<start + filled], outside: plan.pages) {
            let offset = Int(hole.lowerBound - start)
            let bytes = file[offset..<min(offset + hole.count, file.count)]
            target(of: hole).copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
        }
    }

    /// Adds what is known to an image, and what is not to that which it lacks.
    func add(to image: MemoryImage) {
        guard room.count > 0 else {
            for run in plan.pages { image.unread.add(memory: run, because: "there was no room for a copy") }
            return
        }
        let range = start..<plan.mapping.end
        let holes = Self.parts(of: [range], outside: plan.pages)
        for (range, reason) in failed { image.unread.add(memory: range, because: reason) }
        if plan.isServed {
            let reason = "the handler of a userfaultfd provides it where it is touched first"
            for hole in holes { image.unread.add(memory: hole, because: reason) }
        }
        let isWhole = !plan.mapping.isOfFile && !plan.isServed
        var known = isWhole ? [range] : plan.pages
        if filled > 0 {
            let beginning = start..<start + filled
            known = [beginning] + Self.parts(of: known, outside: [beginning])
        }
        for part in Self.parts(of: known, outside: failed.map(\.range)) {
            image.add(
                UnsafeRawBufferPointer(target(of: part)), at: part.lowerBound, owner: self,
                untouched: isWhole ? holes : [])
        }
    }

    /// What lies in some ranges and not in others, all by address.
    private static func parts(of ranges: [Range<UInt64>], outside others: [Range<UInt64>]) -> [Range<UInt64>] {
        var result: [Range<UInt64>] = []
        var first = 0
        for range in ranges {
            var at = range.lowerBound
            while first < others.count, others[first].upperBound <= at { first += 1 }
            var next = first
            while next < others.count, others[next].lowerBound < range.upperBound {
                if others[next].lowerBound > at { result.append(at..<others[next].lowerBound) }
                at = max(at, others[next].upperBound)
                next += 1
            }
            if at < range.upperBound { result.append(at..<range.upperBound) }
        }
        return result
    }
}
