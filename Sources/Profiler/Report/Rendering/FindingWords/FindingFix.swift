import GameprofAnalysis
import GameprofBasics

/// What to change, in a line.
package enum FindingFix {
    static func sentence(_ finding: AnalyzedFinding) -> String {
        [wording(finding), call(finding)].compactMap(\.self).joined(separator: "; ")
    }

    /// "or call Channel.close(), as acceptStream(_:) did for other objects at Server.swift:74"; nil: none was seen.
    static func call(_ finding: AnalyzedFinding) -> String? {
        finding.releasing.map {
            "or call \($0.function), as \($0.from.function ?? "the program") did for other objects\(at($0.from))"
        }
    }

    private static func wording(_ finding: AnalyzedFinding) -> String {
        let changes = changes(of: finding)
        guard changes.count > 1 else {
            let isNamed = finding.remedy.changesReference && !finding.isProved
            return (isNamed ? "one reference of the cycle must be removed: " : "") + changes[0]
        }
        return changes.joined(separator: "; ") + ": "
            + need(changes.count, isProved: finding.isProved, finding.facts.fixFrees)
    }

    /// Each once: of closures that are called alike, their number.
    static func changes(of finding: AnalyzedFinding) -> [String] {
        if let function = finding.mayStillUse {
            return ["no change is needed if it is freed when \(function) returns"]
        }
        let all = ([finding.remedy] + finding.alsoNeeded).map { text($0, of: finding.instance) }
        var known: Set<String> = []
        return all.filter { known.insert($0).inserted }.map { change in
            let count = all.count { $0 == change }
            return count == 1 ? change : "\(change) (\(count) times)"
        }
    }

    /// What must change, a line each, and what is known of all together: "both changes are needed; freed by this: 9
    /// of 9 blocks".
    package static func lines(of finding: Finding) -> (changes: [String], remark: String?) {
        let changes = finding.fixes ?? finding.fix.map { [$0] } ?? []
        // A single change is said with the call.
        let remarks = [
            changes.count > 1 ? need(changes.count, isProved: finding.fixFrees != nil, finding.fixFrees) : nil,
            freed(by: finding), changes.count > 1 ? finding.fixCall : nil,
        ].compactMap(\.self)
        return (changes, remarks.isEmpty ? nil : remarks.joined(separator: "; "))
    }

    /// "both changes are needed"
    private static func need(_ changes: Int, isProved: Bool, _ freed: Finding.Freed?) -> String {
        guard isProved else { return "each change may be needed, but this was not proved" }
        return "\(changes == 2 ? "both changes" : "all \(changes) changes") are needed"
            + (freed?.unlessDeinit == true ? ", unless a deinit ends the wait" : "")
    }

    /// "freed by this: 360 of 360 blocks"; nil: not known.
    private static func freed(by finding: Finding) -> String? {
        finding.fixFrees.map {
            let others = $0.with.map { " together with what \($0.joined(separator: ", ")) needs" } ?? ""
            return "freed by this\(others): \(NumberFormat.count($0.blocks)) of \(NumberFormat.count($0.of, "block"))"
        }
    }

    /// `instance`: when that is done, what must be called is due.
    static func text(_ remedy: Finding.Remedy, of instance: Finding.Instance? = nil) -> String {
        let done =
            instance.map { "the \(TypeSugar.short($0.type))\($0.place.map { " made at \($0)" } ?? "") is done" }
            ?? "it is done"
        switch remedy {
        case .captureWeakly(let captured, let closure, let holder, let need):
            let weak = "capture \(weakly(captured)) in \(named(closure))"
            let condition =
                switch need {
                case .value: " and return a default value if it is nil"
                case .work: " if something else keeps it alive until the closure has run"
                case nil: ""
                }
            guard let clear = holder.map({ cleared($0, when: done) }) else { return weak + condition }
            return need == nil ? "\(weak), or \(clear)" : "\(clear), or \(weak)\(condition)"
        case .captureWeaklyInTimer(let captured, let place):
            return "capture \(named(captured)) weakly in \(closure(at: place) ?? "the timer's closure"): "
                + "Foundation does not free a Timer, whether or not it was invalidated"
        case .captureWeaklyInTask(let captured, let task, let isWaiting, let handle):
            let end = isWaiting ? "resume its continuation on every code path" : "cancel \(held(handle)) when \(done)"
            return "capture \(weakly(captured)) in \(name(ofTask: task)), or \(end)"
        case .endWait(let wait, let task, let handle):
            let name = name(ofTask: task)
            return switch wait {
            case .stream(let property):
                "finish the stream\(property.map { " of \(named($0))" } ?? "") that \(name) reads, or cancel "
                    + "\(held(handle)), when \(done)"
            case .continuation(let property):
                "resume the continuation in \(named(property)) that \(waited(by: task)), at the latest when \(done)"
            case nil:
                "end what \(name) waits for when \(done): resume its continuation if it waits for one, and otherwise "
                    + "cancel "
                    + held(handle)
            }
        case .endWaitingTask(let property, let captured):
            return
                "end what \(held(property)) waits for when \(done): resume its continuation if it waits for one, and "
                + "otherwise cancel it\(captured.map { "; or capture \(named($0)) weakly in it" } ?? "")"
        case .replaceMethodReference(let method):
            return "a method reference keeps its object alive: pass a closure with [weak self] instead, "
                + (method.place.map { "at \($0)" } ?? "of \(method.name ?? "the method")")
        case .clearClosureVariable(let closure):
            return "set the captured variable that holds \(named(closure)) to nil when \(done), or make the closure "
                + "a nested function that nothing stores"
        case .endService(let service, let site): return end(service, site, when: done)
        case .undoLibraryCall(let module, let type, let site):
            return "the references belong to \(module ?? "a library"): undo the call that made them (close, finish, "
                + "cancel, remove, invalidate) when \(TypeName.bare(type)) is done"
                + (site.map { ", which \($0.function ?? "the program") made\(at($0)) and nothing undid" } ?? "")
        case .makeWeak(let property, let isInExistential, let others, let clear):
            let weak =
                "make \(([property] + others).map(weakened).joined(separator: " or "))"
                + (others.isEmpty ? "" : ", whichever of them does not belong to the owner")
            if isInExistential {
                return "\(weak) and its protocol class-only (AnyObject)"
                    + (clear.map { ", or \(cleared($0, when: done))" } ?? "")
            }
            return weak + (clear.map { " if something else keeps its target, or \(cleared($0, when: done))" } ?? "")
        case .storeWeakReferences(let property):
            return "make \(named(property)) weak: store weak references in it"
                + (property.canBeCleared ? ", or \(cleared(property, when: done))" : "")
        case .clear(let property, let held, let isUntyped):
            let holder = isUntyped ? "its contents hold" : "it hold"
            return cleared(property, when: done)
                + (held.map { ", or let \(holder) \(named($0)) weakly" } ?? "")
        case .weakenOneSide: return "let one side hold the other weakly"
        case .clearAfterOperation(let property):
            return
                "nothing needs to change while the pointer is in use; when its operation is done, and not before, "
                + "clear \(property.map(named) ?? "the reference")"
        case .endKeeper(let keeper, let type, let place):
            let kept = TypeSugar.short(type)
            if keeper == "Dispatch.DispatchWorkItem" {
                return
                    "run or release the DispatchWorkItem that keeps \(kept) (cancel() alone does not free what it "
                    + "captures), or capture \(kept) weakly in \(closure(at: place) ?? "its closure")"
            }
            return "end \(keeper.map { "the \(TypeName.bare($0)) that" } ?? "what") keeps \(kept) when it is done "
                + "(cancel, finish, invalidate), or capture \(kept) weakly in "
                + (closure(at: place) ?? "the closure that it runs")
        case .releaseRetains(_, let places?), .releaseLost(_, _, let places?):
            return [
                places.retains.isEmpty
                    ? nil
                    : "balance the retain at \(alternatives(places.retains)) with a release (takeRetainedValue(), "
                        + "release()) if it has none",
                places.deallocations.isEmpty
                    ? nil
                    : "deinitialize the memory before it is deallocated at \(alternatives(places.deallocations)), "
                        + "if nothing does so yet",
                places.copies.isEmpty
                    ? nil
                    : "deinitialize the elements over which \(alternatives(places.copies)) copies others",
            ].compactMap(\.self).joined(separator: ", or ")
        case .releaseRetains(let excess, nil):
            let retains = excess == 1 ? "one retain has" : "\(excess) retains have"
            return "\(retains) no release: check Unmanaged.passRetained, retain(), and memory that is "
                + "deallocated but not deinitialized"
        case .releaseLost(let maker, let isRetainable, nil):
            let retained = [
                isRetainable ? "it" : nil, maker.map { "the \($0) that made it (which -O may have put on the stack)" },
            ].compactMap(\.self)
            return "deinitialize memory before deallocating it"
                + (retained.isEmpty
                    ? ""
                    : ", or release the last retain of \(retained.joined(separator: " or of ")) "
                        + "(Unmanaged.passRetained, retain())")
        case .free(let maker):
            return "free or deallocate what is allocated\(maker.map { " in \($0)" } ?? "")"
        case .endTask(let task, .stream):
            let place = task.waitsIn.map { " in \($0)" } ?? ""
            return "finish the stream that \(name(ofTask: task)) reads\(place), or keep its producer"
        case .endTask(let task, .continuation):
            return "resume the continuation that \(waited(by: task)) on every code path"
        case .endTask(let task, .tasks): return "end the tasks that \(waited(by: task)), or cancel them"
        case .endTask(let task, .executor(let type)):
            return "run the jobs of the \(TypeName.bare(type)) that \(waited(by: task)) before it is dropped"
        case .weakenUnowned(let type):
            return "the unowned reference outlives \(TypeName.bare(type)): make it weak, or keep its target longer"
        case .guardType(let type, let release):
            let last = release.function.map { ". \($0)\(at(release)) released the last reference" } ?? ""
            return
                "run the program with \(ShellWords.joined(["--guard=\(TypeName.bare(type))"])), which stops at the "
                + "write itself"
                + last
        case .freeOnce(let release):
            let place = (release.function.map { " \($0)" } ?? "") + at(release)
            return "let only one owner free it, and do not use it after" + (place.isEmpty ? "wards" : place)
        case .releaseOnce(let holder, let release, let again):
            let last = (release.function ?? "the last release") + at(release)
            guard let again else {
                return "\(holder ?? "living memory") still refers to it: it was released once too often, and "
                    + "\(last) released the last reference"
            }
            return
                "\(last) released the last reference, and \(again) releases it again: one of the two releases is "
                + "superfluous"
        case .holdWhileUsed(let type, let release):
            return (release.function.map { "\($0)\(at(release))" } ?? "the last release")
                + " released the last reference: later users of \(TypeName.bare(type)) must hold a strong or weak reference"
        case .keepOutOfDeinit(let type, let holder):
            return
                "do not store self\(holder.map { " in \($0)" } ?? "") while \(TypeName.bare(type)) is deinitialised: "
                + "copy what is needed from it, or pass it on before its last release"
        case .boundGrowth:
            return "evict old entries, limit the size of the collection that keeps them, or remove the observer"
        case .closeDescriptor(let maker):
            return
                "close what \(maker ?? "the function") opens on every code path, including error paths "
                + "(defer { close(descriptor) })"
        case .unmap(let maker):
            return
                "call munmap(address, length) for what \(maker ?? "the function") maps, at the latest where the last object "
                + "that has the address is deinitialised"
        case .joinOrDetach(let maker):
            return
                "call pthread_detach(thread) where \(maker ?? "the function") makes a thread that nobody waits for, or "
                + "pthread_join(thread, nil) for each"
        case .dropUnowned(let property):
            return property.map {
                "make \(named($0)) weak or unowned(unsafe), or release the \(TypeName.bare($0.type))"
            }
                ?? "capture weakly, or release the closures"
        case .endRegistration(.cancelledWorkItem, let type, let closure, _):
            return
                "capture \(TypeName.bare(type)) weakly in the work item"
                + (closure.map { " that \($0.name ?? "the program") makes\($0.place.map { ", \($0)" } ?? "")" } ?? "")
                + ", or use a timer source: its cancel() frees what it captured"
        case .endRegistration(let registration, let type, let closure, let entries):
            return
                "\(end(registration, entries)) when the \(TypeName.bare(type)) is done, or capture self weakly ([weak self]) in "
                + (closure.map(named) ?? "the closure that is registered")
        case .letGo(let type, let place):
            return "release the \(ShortNames.strip(type)), or what holds it\(place.map { ", before \($0)" } ?? "")"
        case .balanceCounts(let conclusion, let holder):
            return (holder.map { "\($0) still refers to it. " } ?? "") + HistoryConclusion.text(conclusion)
        }
    }

    private static func end(_ service: Finding.Service, _ site: Finding.Site?, when done: String) -> String {
        let maker = site.map { " that \($0.function ?? "the program") makes\(at($0))" } ?? ""
        return switch service {
        case .dispatchSource:
            "cancel the dispatch source\(maker) when \(done) (if it is suspended, resume it first), or capture self "
                + "weakly in its handler if it is never suspended"
        case .workItem:
            "release the work item\(maker) when it has run, or capture self weakly in it if something else keeps self "
                + "alive until then"
        case .stream: "finish the stream when it is done, or capture self weakly in its onTermination"
        }
    }

    private static func end(_ registration: Finding.Registration, _ entries: Finding.Property?) -> String {
        switch registration {
        case .observer: "remove the observer"
        case .timer: "invalidate the timer"
        case .dispatchSource: "cancel the dispatch source"
        case .task: "cancel the task"
        case .cancelledWorkItem, .other:
            entries.map { "remove its entry from \(named($0)) in \(TypeName.bare($0.type))'s code" }
                ?? "remove the registration"
        }
    }

    private static func alternatives(_ places: [String]) -> String { places.joined(separator: " or ") }

    private static func named(_ captured: Finding.Captured) -> String {
        switch captured {
        case .selfReference: "self"
        case .object(let type): TypeName.bare(type)
        }
    }

    /// With the capture list that does it.
    private static func weakly(_ captured: Finding.Captured) -> String {
        switch captured {
        case .selfReference: "self weakly ([weak self])"
        case .object: "\(named(captured)) weakly ([weak …])"
        }
    }

    private static func named(_ property: Finding.Property) -> String {
        "\(TypeName.bare(property.type)).\(property.name)"
    }

    private static func weakened(_ property: Finding.Property) -> String {
        let name = FieldName.last(property.name)
        // `weak let` is of Swift 6.3: what is Sendable has no other.
        return "\(named(property)) weak (\(property.isConstant ? "weak let \(name) or " : "")weak var \(name))"
    }

    /// Only its own type's code is sure to reach it.
    private static func cleared(_ property: Finding.Property, when done: String) -> String {
        let (name, place) = (named(property), "in \(TypeName.bare(property.type))'s code when \(done)")
        if property.form == .locked { return "empty \(name) with withLock, \(place)" }
        if property.form == .lazy { return "make \(name) a method instead of a lazy property" }
        if property.isConstant || property.form == .other {
            let change = [
                property.isConstant ? "with var" : nil,
                [.unknown, .optional, .collection].contains(property.form) ? nil : "Optional",
            ].compactMap(\.self).joined(separator: " and ")
            return
                "declare \(name) \(change) and \(property.form == .collection ? "empty it" : "set it to nil") \(place)"
        }
        return switch property.form {
        case .optional: "set \(name) to nil \(place)"
        case .collection: "empty \(name) \(place)"
        case .function: "set \(name) to a closure that does nothing \(place)"
        case .enumeration: "set \(name) to another case \(place)"
        case .unknown, .lazy, .locked, .other: "clear \(name) when \(done)"
        }
    }

    private static func held(_ handle: Finding.Property?) -> String { handle.map(named) ?? "the task" }

    private static func name(ofTask task: Finding.Closure) -> String {
        task.place.map { "the task at \($0)" } ?? task.name.map { "the task of \($0)" } ?? "the task"
    }

    /// "the task at Desk.swift:20 waits for in approve(_:)"
    private static func waited(by task: Finding.Closure) -> String {
        "\(name(ofTask: task)) waits for" + (task.waitsIn.map { " in \($0)" } ?? "")
    }

    private static func named(_ closure: Finding.Closure) -> String {
        self.closure(at: closure.place) ?? closure.name ?? "the closure"
    }

    private static func closure(at place: String?) -> String? { place.map { "the closure at \($0)" } }

    private static func at(_ site: Finding.Site) -> String { site.place.map { " at \($0)" } ?? "" }
}

extension Finding.Remedy {
    /// It names a single reference.
    fileprivate var changesReference: Bool {
        switch self {
        case .captureWeakly, .captureWeaklyInTask, .replaceMethodReference, .clearClosureVariable, .makeWeak,
            .storeWeakReferences, .clear:
            true
        default: false
        }
    }
}

extension AnalyzedFinding {
    /// The function that may still use a lost value, which nobody can have retained by hand; nil: there is no such function.
    fileprivate var mayStillUse: String? {
        guard case .releaseLost(_, isRetainable: false, among: nil) = remedy else { return nil }
        for case .makerMayBeRunning(let function) in circumstances { return function }
        return nil
    }
}
