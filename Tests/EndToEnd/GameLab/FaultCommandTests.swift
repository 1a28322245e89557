import Testing

@Suite struct FaultCommandTests {
    @Test(arguments: [
        ("malloc-leak", "malloc-leak: lost 1234 bytes of malloc, their sum was 152505"),
        ("attribute-leak", "attribute-leak: lost the portrait of Ada, who plays with the white tiles"),
        ("retain-cycle", "retain-cycle: lost a box in a bag in a box"),
        ("dialog-cycle", "dialog-cycle: lost the owner of 'New game?' after 1 press"),
        ("undo-cycle", "undo-cycle: lost a puzzle with its empty field at 9 and 3 steps"),
        ("observer-cycle", "observer-cycle: lost a score keeper after 2 tilts"),
        ("observer-growth", "observer-growth: opened 200 screens, which saw 200 slides themselves and go on observing"),
        ("card-cache", "card-cache: showed 884736 bytes of pictures in 12 games and kept 216 images"),
        ("tree-cycle", "tree-cycle: lost a tree of 7 nodes, 'right, right' at depth 2"),
        ("timer-cycle", "timer-cycle: lost a heartbeat after 2 beats"),
        ("delegate-cycle", "delegate-cycle: lost a screen on which level 3 was picked"),
        ("sensor-cycle", "sensor-cycle: lost a controller that had moved the empty field to 14"),
        ("temporary-peak", "temporary-peak: the brightness of 200 levels is 19900"),
        ("reuse-miss", "reuse-miss: showed 1000 rows by 1000 cells"),
        ("memory-warning", "memory-warning: showed 2097152 bytes of backdrops and kept 64 after the warning"),
        ("descriptor-leak", "descriptor-leak: played 40 levels with 0 records"),
    ])
    func saysWhatItDid(name: String, line: String) throws {
        let run = try GameLabProcess("fault", name)
        #expect(run.output == line + "\n")
        #expect(run.errors.isEmpty)
        #expect(run.exitCode == 0)
    }

    @Test func sumsAListThatDoublesAtEachPress() throws {
        let run = try GameLabProcess("fault", "compute-sum", "--presses", "5")
        #expect(
            run.outputLines == [
                "compute-sum: the sum of 1 elements is 0",
                "compute-sum: the sum of 2 elements is 1",
                "compute-sum: the sum of 4 elements is 6",
                "compute-sum: the sum of 8 elements is 28",
                "compute-sum: the sum of 16 elements is 120",
            ])
        #expect(run.exitCode == 0)
    }

    /// How these end is up to the freed memory.
    @Test(arguments: [
        ("zombie", "zombie: released a member that the party still has, and calls it now"),
        ("attribute-zombie", "attribute-zombie: freed the opponent that the match still names, and asks it now"),
    ])
    func announcesAZombieBeforeItsUse(name: String, line: Substring) throws {
        #expect(try GameLabProcess("fault", name).outputLines.contains(line))
    }

    @Test func commitsSeveralFaultsOneAfterTheOther() throws {
        let run = try GameLabProcess("fault", "tree-cycle", "malloc-leak", "--presses", "2")
        let names = run.outputLines.map { $0.prefix { $0 != ":" } }
        #expect(names == ["tree-cycle", "tree-cycle", "malloc-leak", "malloc-leak"])
    }

    @Test func `a cure does the same, and says so`() throws {
        #expect(
            try GameLabProcess("fault", "reuse-miss", "--cured").output == "reuse-miss: showed 1000 rows by 8 cells\n")
        let sums = ["fault", "compute-sum", "--presses=9"]
        #expect(try GameLabProcess(sums + ["--cured"]).output == GameLabProcess(sums).output)
    }

    @Test func refusesAnUnknownFaultAndListsTheOthers() throws {
        let run = try GameLabProcess("fault", "malloc-leak", "double-free")
        #expect(run.exitCode == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: There is no fault 'double-free'; there are malloc-leak, attribute-leak, "))
    }

    @Test(arguments: ["0", "-1", "25", "many"])
    func refusesANumberOfPressesThatMakesNoSense(presses: String) throws {
        let run = try GameLabProcess("fault", "compute-sum", "--presses=\(presses)")
        #expect(run.exitCode == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: "))
    }
}
