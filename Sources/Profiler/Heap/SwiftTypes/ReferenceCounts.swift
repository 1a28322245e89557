/// The reference count word of a Swift object, or the side table that stands for it (SwiftShims/RefCount.h).
struct ReferenceCounts {
    var strong: UInt32 = 0
    var unowned: UInt32 = 0
    var weak: UInt32 = 0
    /// 0: none.
    var sideTable: UInt64 = 0
    var isDeiniting = false
    var isImmortal = false

    init(of object: UInt64, in memory: MemoryImage) {
        let word = memory.word(object + 8) ?? 0
        guard word >> 62 == 3, word & 0xffff_ffff != 0xffff_ffff else {
            read(word)
            return
        }
        let table = word << 3 & memory.userBits
        guard memory.has(table, count: 32), memory.word(table) == object, let counts = memory.word(table + 16) else {
            isImmortal = true
            return
        }
        sideTable = table
        read(counts)
        let count = memory.u32(table + 24) ?? 0
        weak = count > 0 ? count - 1 : 0
    }

    /// Bits: 0 immortal with all of the low half set, 1–31 unowned, 32 deiniting, 33–62 strong − 1, 63 slow path.
    private mutating func read(_ word: UInt64) {
        isImmortal = word & 0xffff_ffff == 0xffff_ffff || word >> 63 != 0 && word >> 62 & 1 == 0
        let count = UInt32(word >> 1 & 0x7fff_ffff)
        unowned = count > 0 ? count - 1 : 0
        isDeiniting = word >> 32 & 1 != 0
        strong = isDeiniting ? 0 : UInt32(word >> 33 & 0x3fff_ffff) + 1
    }
}
