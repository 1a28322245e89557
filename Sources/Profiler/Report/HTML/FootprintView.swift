import GameprofAnalysis
import GameprofBasics

/// What the template of resident memory is filled with.
struct FootprintView {
    let footprint: Report.Footprint
    let names: ShortNames
    let limits: PageLimits
    /// The page is about it; elsewhere the tables are folded.
    let isLeading: Bool

    /// Of the names that a part consists of.
    private static let portions = 3

    var values: [String: Any] {
        [
            "isLeading": isLeading, "heading": FootprintWords(footprint, names: names).title,
            "summary": clean(footprint.summary), "remedy": optional(footprint.remedy.map(clean)),
            "untouched": optional(FootprintWords(footprint, names: names).untouched.map(clean)),
            "addressSpace": optional(FootprintWords(footprint, names: names).addressSpace.map(clean)),
            "parts": footprint.parts.map(part),
            "hasThreads": footprint.threads != nil, "threads": (footprint.threads ?? []).map(thread),
            "hasPinned": !footprint.pinnedBy.isEmpty, "pinned": footprint.pinnedBy.map(pinned),
            "hasArenas": !footprint.arenas.isEmpty, "arenas": footprint.arenas.map(arena),
        ]
    }

    private func clean(_ text: String) -> String { PageText.clean(text, limit: 2 * limits.textLength) }

    private func part(_ part: Report.Footprint.Part) -> [String: Any] {
        let share = 100 * Double(part.bytes) / Double(max(footprint.residentBytes, 1))
        let largest = part.largest.prefix(Self.portions).map { portion in
            "\(FootprintWords.title(portion, of: part.kind)) \(NumberFormat.bytes(portion.bytes))"
        }
        return [
            "kind": part.kind.rawValue, "title": FootprintWords.title(part.kind),
            "bytes": NumberFormat.bytes(part.bytes), "share": NumberFormat.fixed(min(share, 100), 1),
            "dirty": NumberFormat.bytes(part.dirty), "largest": clean(largest.joined(separator: ", ")),
        ]
    }

    private func pinned(_ row: Report.Footprint.Pinned) -> [String: Any] {
        [
            "type": clean(names[row.type]), "pages": NumberFormat.count(row.pages),
            "free": NumberFormat.bytes(row.freeBytes),
        ].merging(frames(row.allocatedBy)) { $1 }
    }

    private func thread(_ row: Report.Footprint.ThreadRow) -> [String: Any] {
        [
            "name": clean(FootprintWords.title(row)), "stack": NumberFormat.bytes(row.stackBytes),
            "resident": NumberFormat.bytes(row.residentBytes),
        ].merging(frames(row.createdBy)) { $1 }
    }

    private func frames(_ stack: CallStack?) -> [String: Any] {
        let frames = stack?.telling.prefix(min(6, limits.frames)) ?? []
        return [
            "hasFrames": !frames.isEmpty, "frames": frames.map { StackView.frame($0, limits: limits, source: nil) },
        ]
    }

    private func arena(_ arena: Report.Footprint.Arena) -> [String: Any] {
        let values = [arena.bytes, arena.live, arena.trimmable, arena.pinned, arena.top, arena.cached]
        return ["title": FootprintWords.title(arena), "cells": values.map(NumberFormat.bytes)]
    }
}
