import Foundation
import GameprofBasics

/// Reads what the analyzer prints.
public enum StaticFindingListReader {
    /// Throws `StaticFindingListError` when it is something else, or of a version that this one does not know.
    public static func read(_ json: Data) throws -> StaticFindingList {
        let list: StaticFindingList
        do {
            list = try JSONDecoder().decode(StaticFindingList.self, from: json)
        } catch {
            throw StaticFindingListError(description: "What gameprof-analyze printed cannot be read.")
        }
        guard list.schema == "gameprof-suspects", list.version == 1 else {
            throw StaticFindingListError(
                description: "gameprof-analyze is of another version than gameprof: \(PlainText.clean(list.schema)) "
                    + "\(list.version).")
        }
        return list
    }
}

/// What is wrong with the analyzer's output.
public struct StaticFindingListError: Error, CustomStringConvertible, Equatable {
    public var description: String
}
