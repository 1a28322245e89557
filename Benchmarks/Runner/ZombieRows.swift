extension Rows {
    /// What watching dead objects costs, beside AddressSanitizer.
    var zombieRows: [Row] {
        [
            Row(name: "zombies-board", title: "zombies: replace one of 1,024 tiles in each of 5 million moves") {
                zombieOverhead(["board", "1", "5000000"])
            },
            Row(name: "zombies-loop", title: "zombies: allocate and free 5 million objects") {
                zombieOverhead(["loop", "1", "5000000"])
            },
            Row(name: "zombies-mixed", title: "zombies: replace one of 1,024 live objects 2 million times") {
                zombieOverhead(["mixed", "1", "2000000"])
            },
            Row(name: "zombies-trees", title: "zombies: build trees by recursion, 2 million nodes") {
                zombieOverhead(["trees", "1", "2000000"])
            },
            Row(name: "zombies-game", title: "zombies: play 2,000 games of the book (whole run, wall time)") {
                zombieGames()
            },
        ]
    }

    /// A program that does something with what it allocates.
    private func zombieGames() {
        let game = [tools + "/gamelab", "play", "both", "--games", "2000", "--seed", "7"]
        let tool = [tools + "/gameprof", "zombies", "--quiet", "--json", scratch + "/zombies.json"]
        table(
            [
                Variant(name: "unrecorded", arguments: game),
                Variant(name: "gameprof zombies", arguments: tool + ["--"] + game),
                Variant(name: "--guard=1/1000", arguments: tool + ["--guard=1/1000", "--"] + game),
            ], wholeRun: true)
    }

    private func zombieOverhead(_ arguments: [String]) {
        let bare = programs + "/AllocateFree"
        let tool = [tools + "/gameprof", "zombies", "--quiet", "--json", scratch + "/zombies.json"]
        table([
            Variant(name: "unrecorded", arguments: [bare] + arguments),
            Variant(name: "gameprof zombies", arguments: tool + ["--", bare] + arguments),
            Variant(name: "--guard=1/1000", arguments: tool + ["--guard=1/1000", "--", bare] + arguments),
            Variant(
                name: "AddressSanitizer", arguments: [bare + "-asan"] + arguments,
                environment: ["ASAN_OPTIONS": "detect_leaks=0"]),
        ])
    }
}
