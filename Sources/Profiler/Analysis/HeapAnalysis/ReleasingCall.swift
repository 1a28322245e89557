import GameprofBasics
import GameprofTrace

/// Which call of the user's took apart what other objects of a cycle's kind held: the one that is missing.
struct ReleasingCall {
    /// By stack that allocates: where the first of its objects was freed.
    let frees: [StackID: StackID]
    let symbolicator: any Symbolicating

    /// The outermost function of the types on a stack that freed an object of theirs made where a member was, what calls it, and
    /// where. Of several the one that most members speak for. nil: none was freed, or not by a function of the types.
    func site(of made: Set<StackID>, types: Set<String>) -> (call: String, from: Finding.Site)? {
        var sites: [Finding.Site: [String: Int]] = [:]
        for stack in made {
            guard !stack.isNone, let freed = frees[stack] else { continue }
            let makers = Set(symbolicator.stack(stack).frames.map(\.function))
            guard let (call, site) = site(on: symbolicator.stack(freed), types, notBy: makers) else { continue }
            sites[site, default: [:]][call, default: 0] += 1
        }
        let calls = sites.flatMap { site, calls in calls.map { (call: $0.key, site: site, count: $0.value) } }
        return calls.min {
            ($1.count, $0.call, $0.site.place ?? "", $0.site.function ?? "")
                < ($0.count, $1.call, $1.site.place ?? "", $1.site.function ?? "")
        }.map { ($0.call, $0.site) }
    }

    /// Who made the objects is called by the others, too, and ends nothing for them.
    private func site(
        on stack: SymbolicatedStack, _ types: Set<String>, notBy makers: Set<String>
    ) -> (String, Finding.Site)? {
        let frames = stack.frames.filter { $0.origin == .user }.drop { FunctionName.isInDeinit($0.function) }
        guard let index = frames.lastIndex(where: { isCall($0.function, types) && !makers.contains($0.function) }),
            index + 1 < frames.endIndex
        else { return nil }
        let caller = frames[index + 1]
        return (
            FunctionName.display(frames[index].function),
            Finding.Site(function: FunctionName.display(caller.function), place: caller.place)
        )
    }

    private func isCall(_ function: String, _ types: Set<String>) -> Bool {
        !FunctionName.isConsuming(function) && !FunctionName.isGetter(function)
            && !FunctionName.isDeinitializer(function)
            && !FunctionName.isInDeinit(function) && !FunctionName.isClosure(function)
            && FunctionName.enclosingType(function).map(types.contains) == true
    }
}
