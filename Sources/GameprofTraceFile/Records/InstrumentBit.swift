import CTraceFormat
import GameprofBasics

extension Instrument {
    /// `GP_INSTRUMENT_*`.
    package var bit: UInt32 {
        switch self {
        case .allocations: UInt32(GP_INSTRUMENT_ALLOCATIONS)
        case .leaks: UInt32(GP_INSTRUMENT_LEAKS)
        case .zombies: UInt32(GP_INSTRUMENT_ZOMBIES)
        case .time: UInt32(GP_INSTRUMENT_TIME)
        case .heap: UInt32(GP_INSTRUMENT_HEAP)
        }
    }
}
