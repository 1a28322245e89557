import GameprofAnalysis

/// A file format of heap viewers. The writers need memory for names and stacks beside the heap itself, not for the file.
public enum HeapFormat: String, CaseIterable, Sendable {
    /// JSON of Chrome, Edge and VS Code.
    case heapsnapshot
    /// Java's heap dump 1.0.2, of Eclipse MAT and VisualVM.
    case hprof
    /// A database of SQLite.
    case sqlite

    public var fileExtension: String { rawValue }

    /// Bytes are written, not text.
    public var isBinary: Bool { self != .heapsnapshot }
}
