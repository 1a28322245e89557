/// Somebody who is in a set; more than one class, so that a call looks the method up.
class Member: Hashable {
    let number: Int
    let motto: [Int]

    init(number: Int) {
        self.number = number
        motto = [number, number * number]
    }

    func greet() -> Int { motto.reduce(number, +) }

    static func == (left: Member, right: Member) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A member who greets in another way.
final class Captain: Member {
    override func greet() -> Int { -super.greet() }
}

/// A set of members.
final class Party {
    private(set) var members: Set<Member> = []

    @inline(never)
    func admit(_ member: Member) {
        members.insert(member)
    }

    @inline(never)
    func dismiss(_ member: Member) {
        // The fault: this releases the set's reference, and the set does not know.
        Unmanaged.passUnretained(member).release()
    }

    @inline(never)
    func greetings() -> [Int] {
        members.map { $0.greet() }
    }
}

/// Uses a member of a set that was released once too often.
enum Zombie: Fault {
    static let name = "zombie"
    static let summary = "A member of a set is released once too often, then called."
    static let pressLimit = 1

    static func commit(presses: Int) {
        let party = makeParty()
        say("admitted \(party.members.count) members")
        dismissMember(of: party)
        say("released a member that the party still has, and calls it now")
        say("the members greet with \(party.greetings())")
    }

    @inline(never)
    static func makeParty() -> Party {
        let party = Party()
        party.admit(Captain(number: 1))
        party.admit(Member(number: 2))
        return party
    }

    @inline(never)
    static func dismissMember(of party: Party) {
        if let member = party.members.first(where: { $0.number == 2 }) { party.dismiss(member) }
    }
}

// MARK: The cure: the set itself lets go

extension Party {
    @inline(never)
    func remove(_ member: Member) {
        members.remove(member)
    }
}

extension Zombie {
    static func commitCured(presses: Int) {
        let party = makeParty()
        if let member = party.members.first(where: { $0.number == 2 }) { party.remove(member) }
        say("removed a member, the others greet with \(party.greetings())")
    }
}
