import GameprofBasics

/// Instruments as a JSON array of their names. Names that this version does not know are left out when it is read.
@propertyWrapper
public struct KnownInstruments: Codable, Hashable, Sendable {
    public var wrappedValue: [Instrument]

    public init(wrappedValue: [Instrument]) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode([String].self).compactMap(Instrument.init)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
