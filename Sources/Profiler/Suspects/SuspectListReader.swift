import Basics
import Foundation
import SuspectModel

/// Reads what the analyzer prints.
public enum SuspectListReader {
    /// Throws `SuspectListError` when it is something else, or of a version that this one does not know.
    public static func read(_ json: Data) throws -> SuspectList {
        let list: SuspectList
        do {
            list = try JSONDecoder().decode(SuspectList.self, from: json)
        } catch {
            throw SuspectListError(description: "What gameprof-analyze printed cannot be read.")
        }
        guard list.schema == "gameprof-suspects", list.version == 1 else {
            throw SuspectListError(
                description: "gameprof-analyze is of another version than gameprof: \(PlainText.clean(list.schema)) "
                    + "\(list.version).")
        }
        return list
    }
}

/// What is wrong with the analyzer's output.
public struct SuspectListError: Error, CustomStringConvertible, Equatable {
    public var description: String
}
