/// Something that keeps another of its kind.
final class Container {
    let name: String
    var content: Container?

    init(name: String) {
        self.name = name
    }
}

/// Loses two objects that keep each other.
enum RetainCycle: Fault {
    static let name = "retain-cycle"
    static let summary = "Two containers hold each other."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let box = makeContainers()
            say("lost \(box.name) in \(box.content?.name ?? "nothing") in \(box.content?.content?.name ?? "nothing")")
        }
    }

    @inline(never)
    static func makeContainers() -> Container {
        let box = Container(name: "a box")
        let bag = Container(name: "a bag")
        box.content = bag
        bag.content = box
        return box
    }
}

// MARK: The cure: the one that goes away takes the circle apart

extension RetainCycle {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let box = makeContainers()
            box.content?.content = nil
            say("emptied \(box.content?.name ?? "nothing") in \(box.name)")
        }
    }
}
