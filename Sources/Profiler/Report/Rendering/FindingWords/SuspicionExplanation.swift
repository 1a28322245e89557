import GameprofAnalysis
import GameprofBasics

/// Why a reference of a cycle is the one to change.
enum SuspicionExplanation {
    static func text(_ reason: Reference.Suspicion.Reason, of reference: Reference) -> String {
        let (holder, target) = (TypeName.bare(reference.from), TypeName.bare(reference.to))
        switch reason {
        case .closureCapturesSelf: return "A closure that \(target) keeps captures self strongly."
        case .methodReference: return "A method used as a closure holds its object strongly."
        case .closureCaptures: return "A closure captures \(target), which keeps the closure."
        case .taskCaptures: return "A task that \(target) keeps captures it strongly."
        case .taskWaits: return "A task that \(holder) keeps holds \(target) while it waits."
        case .backReferenceName:
            return "The name \(FieldName.last(reference.field)) suggests that it points back to an owner."
        case .madeByTarget: return "\(target) makes and owns \(holder), so this reference points back to the owner."
        case .variableHoldsClosure: return "A variable that the closure captures holds the closure."
        case .pointsBackFromElement: return "This is the only reference back to the owner of a collection."
        case .anyOne: return "The owner cannot be determined here: one of the references must be weak."
        }
    }
}
