import CTraceFormat
import GameprofBasics

extension Instrument {
    /// `GP_INSTRUMENT_*`.
    package var bit: UInt32 { gp_instrument_bit(rawValue) }
}
