import GameprofAnalysis
import GameprofBasics

/// What a memory warning made the program give back, in words.
package enum MemoryWarningText {
    /// `after the memory warning at 0.5 s 100 % stayed, 2.1 MB, most of it made in Backdrop.init(level:)`; where no
    /// stack made half of it none is named.
    package static func sentence(_ warning: Report.MemoryWarning, clean: (String) -> String) -> String {
        let largest = warning.byStack.first { $0.liveBytes > warning.liveBytesAfter / 2 }
        let maker = largest.flatMap(maker).map { ", most of it made in \(clean($0))" }
        return "after the memory warning at \(NumberFormat.seconds(warning.seconds)) "
            + "\(share(warning.liveBytesAfter, of: warning)) stayed, \(NumberFormat.bytes(warning.liveBytesAfter))\(maker ?? "")"
    }

    /// Of the bytes before it.
    package static func share(_ bytes: UInt64, of warning: Report.MemoryWarning) -> String {
        NumberFormat.fixed(warning.liveBytesBefore == 0 ? 0 : 100 * Double(bytes) / Double(warning.liveBytesBefore), 0)
            + " %"
    }

    package static func maker(_ row: Report.Generation.Survivors) -> String? {
        row.allocatedBy?.telling.first.map { FunctionName.display($0.function) }
    }
}
