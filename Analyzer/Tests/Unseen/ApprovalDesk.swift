import Foundation

struct ExpenseClaim: Sendable, Identifiable {
    let id: Int
    let owner: String
    let amount: Decimal
    let note: String
}

enum Verdict: Sendable, Equatable {
    case approved
    case rejected(reason: String)
}

struct Ruling: Sendable {
    let claim: Int
    let verdict: Verdict
}

protocol ApprovalPolicy: Sendable {
    func decide(_ claim: ExpenseClaim) async -> Verdict
}

struct LimitPolicy: ApprovalPolicy {
    let limit: Decimal

    func decide(_ claim: ExpenseClaim) async -> Verdict {
        claim.amount <= limit ? .approved : .rejected(reason: "over \(limit)")
    }
}

struct PolicyChain: ApprovalPolicy {
    let policies: [any ApprovalPolicy]

    func decide(_ claim: ExpenseClaim) async -> Verdict {
        for policy in policies {
            let verdict = await policy.decide(claim)
            guard verdict == .approved else { return verdict }
        }
        return .approved
    }
}

actor ApprovalDesk {
    private let policy: any ApprovalPolicy
    private var inbox: [ExpenseClaim] = []
    private var idle: CheckedContinuation<Void, Never>?
    private var worker: Task<Void, Never>?
    private var outcomes: [Int: CheckedContinuation<Verdict, Never>] = [:]
    private var tally: [String: Int] = [:]

    init(policy: any ApprovalPolicy) {
        self.policy = policy
    }

    deinit {
        worker?.cancel()
    }

    func open() {
        worker = Task { await self.serve() }
    }

    private func serve() async {
        while !Task.isCancelled {
            if inbox.isEmpty {
                await withCheckedContinuation { idle = $0 }
            }
            let batch = inbox
            inbox.removeAll()
            for claim in batch {
                let verdict = await policy.decide(claim)
                settle(Ruling(claim: claim.id, verdict: verdict))
            }
        }
    }

    func submit(_ claim: ExpenseClaim) async -> Verdict {
        await withCheckedContinuation { continuation in
            outcomes[claim.id] = continuation
            inbox.append(claim)
            idle?.resume()
            idle = nil
        }
    }

    private func settle(_ ruling: Ruling) {
        switch ruling.verdict {
        case .approved: tally["approved", default: 0] += 1
        case .rejected: tally["rejected", default: 0] += 1
        }
        outcomes.removeValue(forKey: ruling.claim)?.resume(returning: ruling.verdict)
    }

    func summary() -> [String: Int] { tally }

    func precheck(_ claims: [ExpenseClaim]) async -> Int {
        let probe = Task {
            var passing = 0
            for claim in claims where await self.policy.decide(claim) == .approved { passing += 1 }
            return passing
        }
        return await probe.value
    }
}

func closeQuarter(limit: Decimal, amounts: [Decimal]) async {
    let desk = ApprovalDesk(policy: PolicyChain(policies: [LimitPolicy(limit: limit), LimitPolicy(limit: 900)]))
    await desk.open()
    let claims = amounts.enumerated().map { index, amount in
        ExpenseClaim(id: index, owner: "kim", amount: amount, note: "trip \(index)")
    }
    print("likely:", await desk.precheck(claims))
    await withTaskGroup(of: Verdict.self) { group in
        for claim in claims {
            group.addTask { await desk.submit(claim) }
        }
        for await verdict in group {
            if case .rejected(let reason) = verdict { print("rejected:", reason) }
        }
    }
    print(await desk.summary())
}

await closeQuarter(limit: 250, amounts: [40, 120, 900])
await closeQuarter(limit: 1_000, amounts: [950])
