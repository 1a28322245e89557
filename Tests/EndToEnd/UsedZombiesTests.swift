import Testing

@Test func `a program that goes on can ask which dead objects it used`() throws {
    let program = try CProgram.compile("UsedZombies.c", flags: ["-ldl"]).path
    let result = try Command.run(
        Products.gameprof, ["allocations", "--sample", "2", "--guard=1/1", "--", program])
    #expect(result.output == "some no more\n", "\(result.error)")
}
