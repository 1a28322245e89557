import GameprofAnalysis
import GameprofBasics

/// One sentence that says what happened.
enum FindingMessage {
    static func text(_ finding: AnalyzedFinding) -> String {
        finding.circumstances.reduce(message(finding)) { message, circumstance in
            switch circumstance {
            case .keeps(let type): "\(message) It keeps \(TypeSugar.short(type)) alive."
            case .makerIsRunning(let function):
                "Nothing refers to \(TypeSugar.short(finding.facts.type)) any more, but "
                    + "\(FunctionName.display(function)), which made it, had not returned when the program exited: the "
                    + "optimiser may have ended the variable's lifetime early."
            case .makerMayBeRunning(let function):
                "Nothing refers to \(TypeSugar.short(finding.facts.type)) any more. It is not known what made it, and "
                    + "\(FunctionName.display(function)) had not returned: the optimiser may have ended the variable's "
                    + "lifetime early."
            case .memoryIsUnread:
                "\(message) Memory that was not read owns none of them, but may hold an unretained pointer to one, as "
                    + "an operation in flight does."
            case .isGone:
                "\(message) This was seen in an earlier heap snapshot, but not in the last one: either it was freed "
                    + "after all, or something appears to reach it again."
            }
        }
    }

    private static func message(_ finding: AnalyzedFinding) -> String {
        let facts = finding.facts
        let type = TypeSugar.short(facts.type)
        switch finding.cause {
        case .retainCycle: return retainCycle(facts)
        case .reachableCycle: return "\(type) holds itself until something breaks the cycle."
        case .cycleBehindPointer:
            let types = FindingTitle.typesOfCycle(facts)
            let holding = types.count == 1 ? "\(types[0]) holds itself" : "\(list(types)) hold each other"
            return
                "\(holding) until something breaks the cycle; the only outside reference is an unretained pointer."
        case .lostObject: return "Nothing refers to \(type) any more, but one of its retains was never released."
        case .stuckTask(let site):
            let place = site?.function.map { " in \($0)" + (site?.place.map { ", \($0)" } ?? "") } ?? ""
            return "A task waits forever\(place): nothing can resume it any more."
        case .overRetain(let excess):
            return "\(type) was retained \(excess == 1 ? "once" : "\(excess) times") more than it was released."
        case .lostMemory: return "Memory was allocated and never freed; nothing refers to it any more."
        case .useAfterDeallocation(let operation, let member, let deallocator):
            return use(operation, of: facts, member: member, deallocator: deallocator)
        case .escapedDeinit(let holder):
            return
                "A strong reference to \(type) escaped from its deinit\(holder.map { " into \($0)" } ?? ""): the "
                + "object is freed nevertheless, and the runtime ended the program."
        case .growth: return growth(facts)
        case .abandoned(_, .cancelledWorkItem):
            return "\(NumberFormat.count(facts.count)) \(type) are kept alive only by cancelled "
                + "DispatchWorkItems. libdispatch keeps these, and what they captured, until the time they were "
                + "scheduled for."
        case .abandoned(let holder, _):
            return "\(NumberFormat.count(facts.count)) \(type) are kept alive only by registrations that they made "
                + "themselves\(holder.map { " (\($0))" } ?? ""): nothing else refers to them, and hardly any were "
                + "deallocated."
        case .accumulation(let holder, let share):
            return "\(holder ?? "A collection") keeps \(NumberFormat.count(facts.count)) \(type) with "
                + "\(NumberFormat.bytes(facts.bytes)), \(Int((share * 100).rounded())) % of the heap: they were added until the "
                + "end of the run, and hardly any were removed."
        case .unclosedDescriptors(let files, let opened, let maker, let exhausts):
            let all =
                "\(NumberFormat.count(facts.count)) of the \(NumberFormat.count(opened)) descriptors that "
                + "\(maker ?? "one stack") opened"
            let names = files.prefix(3).map(PlainText.clean).joined(separator: ", ")
            return "\(all) were open at the end (\(names)\(files.count > 3 ? ", …" : "")); "
                + (exhausts
                    ? "no descriptor was left, so the program could not open another one."
                    : "none was used any more once the next one had been opened.")
        case .lostMappings(let path, let maker, let resident):
            let file = path.map { $0.isEmpty ? "" : " of \(PlainText.clean($0))" } ?? ""
            return
                "\(NumberFormat.count(facts.count)) mappings\(file) that \(maker ?? "one stack") made are still there "
                + "(\(NumberFormat.bytes(facts.bytes)), \(NumberFormat.bytes(resident)) of them resident), and nothing can unmap "
                + "them: no variable, object or other memory of the program has their addresses any more."
        case .unjoinedThreads(let maker, let resident):
            return
                "\(NumberFormat.count(facts.count)) threads that \(maker ?? "one stack") made have ended and were neither "
                + "joined nor detached, and nothing has their handles any more: their stacks take "
                + "\(NumberFormat.bytes(facts.bytes)) of address space, \(NumberFormat.bytes(resident)) of it resident."
        case .deinitialised:
            let holder = facts.references.first.flatMap {
                $0.from.isEmpty ? nil : $0.holder(named: TypeSugar.short($0.from))
            }
            return "\(NumberFormat.count(facts.count)) \(type) \(facts.count == 1 ? "was" : "were") deinitialised, and "
                + "\(holder.map { "\($0) (unowned) keeps" } ?? "closures that capture them unowned keep") their memory, "
                + "\(NumberFormat.bytes(facts.bytes)): this memory is freed when the last unowned reference is gone."
        case .outlived(let place):
            return "\(ShortNames.strip(facts.type)) was expected to be deallocated\(place.map { " at \($0)" } ?? "") "
                + "and is still live."
        }
    }

    private static func retainCycle(_ finding: Finding) -> String {
        let others = KnotWords.others(finding)
        let types = FindingTitle.typesOfCycle(finding)
        guard others.isEmpty else {
            var known: Set<String> = []
            let own = types.filter { known.insert($0).inserted }
            let subject = own.count == 1 ? "\(own[0]) is held" : "\(list(own)) hold each other"
            return "\(subject) in one knot with \(others), so none of them is ever freed."
        }
        if types.count == 1 {
            let path = finding.references[0].path
            return "\(types[0]) holds itself\(path.isEmpty ? "" : " through \(path)"), so it is never freed."
        }
        if let type = types.first, types.allSatisfy({ $0 == type }) {
            return "\(types.count) objects of \(type) hold each other, so none of them is ever freed."
        }
        return "\(list(types)) hold each other, so \(types.count == 2 ? "neither is" : "none of them is") ever freed."
    }

    private static func list(_ types: [String]) -> String {
        if types.isEmpty { return "Objects" }
        if types.count > 4 { return "\(types[0]), \(types[1]) and \(types.count - 2) more" }
        return types.dropLast().joined(separator: ", ") + " and " + types[types.count - 1]
    }

    private static func use(
        _ operation: Finding.Operation, of facts: Finding, member: String?, deallocator: String?
    ) -> String {
        let bare = TypeSugar.short(facts.type)
        let object = bare == ObjectNoun.memory.rawValue ? "Memory" : bare
        let (killing, using) = (facts.deallocatedBy?.thread, facts.usedBy?.thread)
        func on(_ thread: String?) -> String {
            killing == using ? "" : thread.map { " on \(ThreadNames.phrase($0))" } ?? ""
        }
        let place = (deallocator.map { " in \($0)" } ?? "") + on(killing)
        let user = (user(facts.usedBy).map { " in \($0)" } ?? "") + on(using)
        let noun: String
        switch operation {
        case .free: return "\(object) was freed\(place), and then freed again\(user)."
        case .lateWrite:
            return
                "\(object) was deallocated\(place). Its memory was found overwritten when it was about to be reused."
        case .referenceCounting: noun = operation.rawValue
        case .unownedReference, .unownedLoad: noun = "an \(operation.rawValue)"
        case .methodCall, .methodCallOrTypeCheck, .typeCheck, .superclassLookup, .metadataRead, .retain, .release,
            .uniquenessCheck, .weakReference, .propertyRead, .propertyWrite, .resize:
            noun = "a \(operation.rawValue)"
        }
        return "\(object) was deallocated\(place), then used by \(noun)\(member.map { " (\($0))" } ?? "")\(user)."
    }

    /// The innermost function of the user's on the stack, inlined or not; nil: it has no name.
    private static func user(_ stack: CallStack?) -> String? {
        stack?.frames.first { $0.origin == .user }
            .flatMap { FunctionName.isPlace($0.function) ? nil : FunctionName.display($0.function) }
    }

    private static func growth(_ finding: Finding) -> String {
        let type = TypeSugar.short(finding.type)
        guard let rate = finding.growth?.perRepetition else {
            return "\(type) accumulates over the whole run: \(NumberFormat.count(finding.count)) were added after the "
                + "warm-up, and none of them was freed."
        }
        let scenario = finding.growth?.scenario ?? "the scenario"
        return "\(MeasureUnit.count.text(rate)) more \(type) were live after each repetition of \(scenario)."
    }
}
