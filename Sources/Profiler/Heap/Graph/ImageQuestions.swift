import GameprofBasics
import GameprofTrace

/// What is asked of a running process or a core file.
package struct ImageQuestions {
    /// Those whose reports are made.
    package var instruments: Set<Instrument>
    /// The executable's file, where it is not the one that the process had mapped.
    package var program: String?
    /// What of a process is in the machine's memory is looked at too.
    package var hasFootprint = false
    /// What tasks wait for is looked for.
    package var seeksTasks = false
    /// The graph of all blocks is a part of the result, however many they are.
    package var keepsGraph = false
    /// Blocks are counted by type, for a comparison with later looks.
    package var counts = false

    /// What finds the frames of an image's threads, innermost first; none: not known.
    package var frames: (MemoryImage) -> (MemoryImage.Thread) -> [IdleThreads.Frame] = { _ in { _ in [] } }

    package init(instruments: Set<Instrument>) { self.instruments = instruments }

    /// For the search.
    var ofHeap: HeapQuestions {
        var questions = HeapQuestions(graph: keepsGraph || instruments.contains(.heap) ? .always : .whereSmall)
        questions.seeksTasks = seeksTasks
        return questions
    }
}
