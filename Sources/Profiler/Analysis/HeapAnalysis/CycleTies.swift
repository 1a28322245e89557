import GameprofBasics

/// Tells the cycles that only a library's references make.
struct CycleTies {
    let graph: HeapGraph
    let roles: ObjectRoles
    let owners: EdgeOwners
    let strong: Adjacency
    let components: Components

    /// Linear in the references between the members.
    func tie(of members: [Int32]) -> HeapFinding.Tie {
        var owned: Set<EdgeOwner> = []
        for member in members {
            for slot in strong.slots(of: Int(member))
            where components.of[Int(strong.targets[slot])] == components.of[Int(member)] {
                owned.insert(owners[graph.edges[Int(strong.edges[slot])]])
            }
        }
        guard !owned.contains(.user), owned.contains(.library) else { return .user }
        guard members.contains(where: { roles[$0] == .user }) else { return .libraryWithoutUser }
        return owned.contains(.unknown) ? .user : .library
    }
}
