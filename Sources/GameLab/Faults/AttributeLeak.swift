/// What a ``Player`` looks like.
final class Portrait {
    let name: String
    let pixels: [UInt8]

    init(name: String) {
        self.name = name
        pixels = Array(repeating: 7, count: 64)
    }
}

/// Somebody with an attribute that is retained once too often.
final class Player {
    private(set) var portrait: Portrait?

    @inline(never)
    func setPortrait(_ newPortrait: Portrait) {
        // The fault: the property retains the object itself, so this retain has no release.
        portrait = Unmanaged.passRetained(newPortrait).takeUnretainedValue()
    }
}

/// Loses the attribute of an object that goes away.
enum AttributeLeak: Fault {
    static let name = "attribute-leak"
    static let summary = "An attribute's object is retained by hand and never released."

    static func commit(presses: Int) {
        for _ in 0..<presses {
            let player = makePlayer()
            say("lost the portrait of \(player.portrait?.name ?? "nobody")")
        }
    }

    @inline(never)
    static func makePlayer() -> Player {
        let player = Player()
        player.setPortrait(makePortrait())
        return player
    }

    @inline(never)
    static func makePortrait() -> Portrait {
        Portrait(name: "Ada, who plays with the white tiles")
    }
}

// MARK: The cure: the property's own reference is enough

extension Player {
    @inline(never)
    func keepPortrait(_ newPortrait: Portrait) {
        portrait = newPortrait
    }
}

extension AttributeLeak {
    static func commitCured(presses: Int) {
        for _ in 0..<presses {
            let player = Player()
            player.keepPortrait(makePortrait())
            say("released the portrait of \(player.portrait?.name ?? "nobody")")
        }
    }
}
