/// How much a page shows. A page that is too big is made again with the next, narrower limits.
struct PageLimits: Sendable {
    var findings: Int
    var references: Int
    var frames: Int
    var objectTypes: Int
    var allocationRows: Int
    var timelinePoints: Int
    var textLength: Int
    /// Boxes of the flame graph.
    var flameNodes = 12_000
    /// Functions of a table that show their lines of source.
    var sourceFunctions = 40
    /// Lines of a function.
    var sourceLines = 60
    /// Rows of the tree of a live heap.
    var heapRows = 1_000
    /// Types of a live heap with all about their objects.
    var heapDetails = 50
    var threads = 32
    /// Weights by parts of the run, of all boxes together.
    var moments = 24_000
    /// Intervals of the timeline, of about seven bytes each.
    var timelineSpans = 100_000
    /// Frames and groups of frames of the timeline, of about twenty bytes each.
    var timelineFrames = 10_000
    /// Rows of the list of objects.
    var objects = 10_000
    /// Where links of source lines lead.
    var editor: Editor?

    /// From generous to so little that any report fits.
    static let steps = [
        PageLimits(
            findings: 300, references: 24, frames: 40, objectTypes: 24, allocationRows: 300, timelinePoints: 600,
            textLength: 300),
        PageLimits(
            findings: 150, references: 16, frames: 20, objectTypes: 12, allocationRows: 150, timelinePoints: 400,
            textLength: 200,
            flameNodes: 8_000, sourceFunctions: 25, heapRows: 500, heapDetails: 30, moments: 12_000,
            timelineSpans: 50_000,
            timelineFrames: 6_000,
            objects: 5_000),
        PageLimits(
            findings: 60, references: 12, frames: 12, objectTypes: 8, allocationRows: 60, timelinePoints: 300,
            textLength: 120,
            flameNodes: 4_000, sourceFunctions: 12, sourceLines: 40, heapRows: 200, heapDetails: 12, moments: 6_000,
            timelineSpans: 20_000,
            timelineFrames: 3_000,
            objects: 1_000),
        PageLimits(
            findings: 20, references: 8, frames: 8, objectTypes: 4, allocationRows: 20, timelinePoints: 200,
            textLength: 80,
            flameNodes: 1_000, sourceFunctions: 0, heapRows: 60, heapDetails: 2, threads: 8, moments: 2_000,
            timelineSpans: 2_000,
            timelineFrames: 500, objects: 100),
    ]
}
