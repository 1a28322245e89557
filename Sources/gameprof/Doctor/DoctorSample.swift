/// The program that `gameprof doctor` records: it loses a closure's owner and a dictionary's, and keeps what a weak
/// reference points to. Types and fields are named in `RuntimeTrial`.
enum DoctorSample {
    final class ClosureOwner {
        var number = 1
        var handler: (() -> Void)?
    }

    final class DictionaryOwner {
        var owners: [String: DictionaryOwner] = [:]
    }

    final class WeakOwner {
        weak var other: WeakOwner?
        var kept: WeakOwner?
    }

    private nonisolated(unsafe) static var living: WeakOwner?
    private nonisolated(unsafe) static var length = 0

    /// Commits the faults two calls below, and then something else: no frame shall hold what was lost. Prints nothing.
    static func run() {
        commit()
        length = (1...40).map { "word \($0) of the calm after the fault" }.joined(separator: ",").count
    }

    @inline(never) private static func commit() {
        loseClosure()
        loseDictionary()
        keepWeakly()
    }

    @inline(never) private static func loseClosure() {
        let owner = ClosureOwner()
        owner.handler = { owner.number += 1 }
        owner.handler?()
    }

    @inline(never) private static func loseDictionary() {
        let owner = DictionaryOwner()
        owner.owners["self"] = owner
    }

    @inline(never) private static func keepWeakly() {
        let owner = WeakOwner()
        let kept = WeakOwner()
        owner.kept = kept
        kept.other = owner
        living = owner
    }
}
