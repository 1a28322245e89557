import GameprofBasics

/// Turns findings that are known into notes.
enum KnownLeaks {
    // An entry turns a finding into a note, never hides it, and never matches a finding in which an object of the
    // user's own modules takes part, but for entries with `matchesUserObjects`: those match a cycle of objects of any
    // class, and what it keeps, where only properties that a library declares tie it together. Each names the
    // library's own type, so that it works without symbols too, or a function on the stack that allocated the block,
    // as narrow as possible (`module` is that function's). Tests/EndToEnd/Programs/KnownLeaks.swift and
    // XCTestLeaks.swift show each entry.

    /// What the Swift runtime, Foundation, libdispatch and XCTest leak by themselves, as of Swift 6.3.1 on Debian 12.
    static let list: [Suppression] = [
        // A CFRunArray holds the runs of every attributed string, mutable or not; nobody releases it.
        entry(
            "Foundation attributed strings", kinds: [.leak, .rawLeak, .overRetain], function: "CFRunArray*",
            evidence: "LeakSanitizer reports the same 288 bytes (Swift 6.3.1) for a program that makes one "
                + "NSAttributedString with an attribute."),
        // A Timer and its CFRunLoopTimer hold each other, and neither invalidate() nor the last firing parts them.
        // What the timer's closure captures is lost with it: that is an error when it is the program's own.
        entry(
            "Foundation timers", kinds: [.leak, .retainCycle, .overRetain], type: "Foundation.Timer",
            evidence: "LeakSanitizer reports the same 272 bytes (Swift 6.3.1) for a program that makes one Timer "
                + "and drops it, or schedules and invalidates it."),
        // The set of run loop modes that a timer was added to.
        entry(
            "Foundation timers in run loops", kinds: [.rawLeak], function: "CFRunLoopAddTimer",
            evidence: "LeakSanitizer reports the same 24 bytes (Swift 6.3.1) for a program that adds a Timer to "
                + "a run loop and invalidates it."),
        // Documents, and nodes that became part of one, are named by libxml2's own structures, which nobody frees.
        entry(
            "Foundation XML documents", kinds: [.leak, .retainCycle, .overRetain], type: "FoundationXML.XML*",
            evidence: "LeakSanitizer reports the same blocks (Swift 6.3.1) for a program that parses one "
                + "document with XMLDocument."),
        // libcurl's parts of the URL that a transfer was for.
        entry(
            "Foundation URL sessions", kinds: [.leak, .rawLeak], function: "*_EasyHandle.*",
            module: "FoundationNetworking",
            evidence: "LeakSanitizer reports the same blocks (Swift 6.3.1) for a program that makes one request "
                + "and invalidates its session."),
        // NSCacheEntry.prevByCost and nextByCost are both strong and NSCache has no deinit: a cache that is dropped
        // with two entries or more leaves all of them. removeAllObjects() before the last reference goes frees them.
        entry(
            "Foundation caches dropped with entries", kinds: [.retainCycle], type: "Foundation.NSCacheEntry<*",
            evidence: "LeakSanitizer reports the same 23,840 bytes (Swift 6.3.1) for a program that drops a "
                + "cache with 20 entries, none after removeAllObjects()."),
        // NSKeyedUnarchiver does not release the CFError that tells why its data is no property list.
        entry(
            "Foundation errors of unreadable archives", kinds: [.leak], function: "__CFPropertyListCreateError",
            evidence: "LeakSanitizer reports the same 232 bytes (Swift 6.3.1) for a program that makes one "
                + "NSKeyedUnarchiver for empty data."),
        // The text of a warning, as of a continuation that was dropped.
        entry(
            "Swift runtime warnings", kinds: [.rawLeak], function: "swift_reportError", module: "Swift",
            evidence: "LeakSanitizer reports the same blocks (Swift 6.3.1) for a program that drops three checked "
                + "continuations."),
        // A suite and its run hold each other: XCTestRun.test and XCTest.testRun are both strong.
        entry(
            "XCTest suites and their runs", kinds: [.retainCycle, .leak], type: "XCTest.XCTest*Suite*",
            evidence: "A program that runs one XCTestCase with XCTMain (Swift 6.3.1) ends with each suite and "
                + "its run holding each other; XCTMain ends the process."),
        // So do a test case of the user's and its run, and a test case and what measures its performance
        // (XCTestCase._performanceMeter, whose delegate is the case).
        entry(
            "XCTest cases, their runs and meters", kinds: [.retainCycle], type: "XCTest.XCTest*",
            matchesUserObjects: true,
            evidence: "A program that runs XCTestCases with and without measure() by XCTMain (Swift 6.3.1) ends "
                + "with each of them in such a cycle, which its own sources have no part in."),
    ]

    private static func entry(
        _ name: String, kinds: [Finding.Kind], type: String? = nil, field: String? = nil, function: String? = nil,
        module: String? = nil, matchesUserObjects: Bool = false, evidence: String
    ) -> Suppression {
        var entry = Suppression(name: name)
        entry.kinds = kinds
        entry.type = type.map(GlobPattern.init)
        entry.field = field.map(GlobPattern.init)
        entry.function = function.map(GlobPattern.init)
        entry.module = module.map(GlobPattern.init)
        entry.matchesUserObjects = matchesUserObjects
        entry.evidence = evidence
        return entry
    }

    /// The entry of the list that the finding matches.
    static func entry(for finding: Finding) -> Suppression? {
        list.first { $0.matchesKnownLeak(finding) }
    }

    /// Marks what a suppression matches; the user's come first. Returns the names of the user's that matched nothing.
    static func mark(_ findings: inout [AnalyzedFinding], suppressions: [Suppression]) -> [String] {
        var used = Set<Int>()
        for position in findings.indices {
            if let number = mark(&findings[position].facts, suppressions: suppressions) { used.insert(number) }
        }
        return suppressions.indices.filter { !used.contains($0) }.map { suppressions[$0].name }
    }

    /// Returns which of the user's suppressions matches the finding; nil: none does.
    @discardableResult
    static func mark(_ finding: inout Finding, suppressions: [Suppression] = []) -> Int? {
        if let number = suppressions.firstIndex(where: { $0.matches(finding) }) {
            finding.severity = .note
            finding.known = suppressions[number].name
            return number
        }
        if let entry = entry(for: finding) {
            finding.severity = .note
            finding.known = entry.name
        }
        return nil
    }
}

extension Suppression {
    /// Like `matches`, but one function must be both called so and of that module, and never for an object of the user's
    /// own, whoever allocated it, nor for a cycle or a path that one of them is on, unless the entry says so and a library
    /// alone ties them together.
    func matchesKnownLeak(_ finding: Finding) -> Bool {
        let types = [finding.type] + finding.objects.keys + finding.references.flatMap { [$0.from, $0.to] }
        let isExcused = matchesUserObjects && finding.tiedByLibrary == true
        guard isExcused || !types.contains(where: TypeName.isUsers), matches(finding) else { return false }
        guard let function, let module else { return true }
        let frames = finding.allocatedBy?.frames ?? []
        return frames.contains { function.matches($0.function) && module.matches($0.module) }
    }
}
