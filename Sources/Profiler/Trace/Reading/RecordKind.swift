/// The first byte of a record: the kinds of `TraceFormat.h` that this version reads.
public enum RecordKind: UInt8, CaseIterable {
    case allocation = 0x01
    case free = 0x02
    case temporary = 0x03
    case repetition = 0x04
    case time = 0x05
    case thread = 0x06
    case threadEnd = 0x07
    case frame = 0x08
    case type = 0x09
    case resident = 0x0a
    case sample = 0x10
    case wait = 0x11
    case lockHolder = 0x12
    case unscheduled = 0x13
    case probeBegin = 0x20
    case probeEnd = 0x21
    case probeInterval = 0x22
    case probeStart = 0x23
    case probeSpan = 0x24
    case probeLongSpan = 0x25
    case probeEvent = 0x26
    case probeCounter = 0x27
    case probeValue = 0x28
    case probeFrame = 0x29
    case image = 0x80
    case imageGone = 0x81
    case typeName = 0x82
    case threadName = 0x83
    case program = 0x84
    case programExit = 0x85
    case loss = 0x86
    case note = 0x87
    case symbolText = 0x88
    case symbol = 0x89
    case symbolSource = 0x8a
    case environment = 0x8b
    case threadStack = 0x8c
    case heapBegin = 0x90
    case heapCensus = 0x91
    case heapObject = 0x92
    case heapReference = 0x93
    case heapRoot = 0x94
    case heapTarget = 0x95
    case heapLost = 0x96
    case heapNodes = 0x97
    case heapLabel = 0x98
    case heapGraphRoot = 0x99
    case liveType = 0x9a
    case residentMap = 0x9b
    case residentRange = 0x9c
    case heapPinned = 0x9d
    case heapUnused = 0x9e
    case heapUntouched = 0xca
    case heapEnd = 0x9f
    case zombie = 0xa0
    case zombieSummary = 0xa1
    case countChange = 0xa2
    case sampling = 0xb0
    case threadTime = 0xb1
    case work = 0xb2
    case blockSampling = 0xb3
    case sampledLive = 0xb4
    case failedAllocation = 0xb5
    case listedObject = 0xb6
    case firstFree = 0xb7
    case forked = 0xb8
    case referenceCounting = 0xb9
    case probeName = 0xc0
    case clock = 0xc1
    case log = 0xc2
    case mark = 0xc3
    case generation = 0xc4
    case expectation = 0xc5
    case crash = 0xc6
    case heapImage = 0xc7
    case tasks = 0xc8
    case task = 0xc9
    case fileName = 0xd0
    case fileUse = 0xd1
    case openFile = 0xd2

    /// Records of this kind and beyond have a header that says how long they are; those below are one cell.
    @inlinable public static var firstWithHeader: UInt8 { 0x80 }

    /// Nothing more in the chunk.
    @inlinable public static var end: UInt8 { 0 }
}
