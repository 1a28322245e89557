import Testing

struct UnseenTests {
    @Test(
        "of the cycles in programs by others most are named, and nothing else is reported",
        arguments: [(Unseen.Folder.first, 40, 0.88), (.third, 36, 0.8)])
    func keepsItsFigures(folder: Unseen.Folder, programs: Int, recall: Double) throws {
        let unseen = try Unseen.look(folder)
        #expect(unseen.programs == programs)
        #expect(unseen.recall >= recall, "missed: \(unseen.missed)")
        #expect(unseen.wrong == [])
    }
}
