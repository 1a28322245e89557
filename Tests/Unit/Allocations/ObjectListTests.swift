import Testing

@testable import GameprofTrace

@Suite("List of objects")
struct ObjectListUnitTests {
    @Test("of many objects the list keeps those that lived longest, the living first")
    func longestLived() {
        var list = ObjectList(limit: 3)
        for number in UInt64(1)...20 {
            // 7 and 12 live, of the others the later ones are the longer-lived.
            let died = number == 7 || number == 12 ? 0 : 100 + 2 * number
            list.add(
                ListedObjectRecord(address: number, size: 16, type: TypeID(1), stack: .none, born: number, died: died))
        }
        #expect(list.total == 20 && list.living == 2)
        #expect(list.rows.map(\.address) == [7, 12, 20])
    }
}
