import Foundation
import Testing

@Suite("Heap snapshot")
struct HeapTests {
    @Test("The nearest block before an address is the one that a walk over all granules finds")
    func nearestBlock() throws {
        #expect(
            try HeapProgram.run("NearestBlock.c", with: ["Trace/live_table.c", "OS/arena.c"])
                == "passed\n")
    }

    @Test("an address is found in its loaded object without _dl_find_object as with it")
    func loadedObject() throws {
        let needed = [
            "CFI/image_layout.c", "Modules/image_headers.c", "Modules/loaded_object.c", "OS/recording_state.c",
            "OS/safe_read.c",
        ]
        #expect(try HeapProgram.run("LoadedObject.c", with: needed) == "passed\n")
    }

    @Test("The other end of a socket has the name that inet_ntop gives it")
    func peerName() throws {
        #expect(try HeapProgram.run("PeerName.c", with: ["Files/peer_name.c"]) == "passed\n")
    }

    @Test("The mapping around an address is found by kernels that can be asked and by those that cannot")
    func mapping() throws {
        #expect(try HeapProgram.run("Mapping.c", with: ["OS/mapping.c"]) == "passed\n")
    }

    @Test("signals that wake the program often do not end the wait for the frozen child")
    func patience() throws {
        #expect(try HeapProgram.run("ProgressTimeout.c", with: []) == "passed\n")
    }

    @Test("a frozen child ends when its parent has ended before it could ask for a signal")
    func frozenChild() throws {
        #expect(
            try HeapProgram.run(
                "FrozenChild.c",
                with: [
                    "Arch/x86_64/kernel_entries.c", "Leaks/freeze.c", "Leaks/memory_room.c", "OS/kernel_signals.c",
                ])
                == "passed\n")
    }

    @Test("The memory that is left is that of the tightest of all cgroups above the process")
    func memoryRoom() throws {
        #expect(try HeapProgram.run("MemoryRoom.c", with: ["Leaks/memory_room.c"]) == "passed\n")
    }

    @Test("Memory is short when a cgroup is held back or waits for it, or when the program's own limit is reached")
    func memoryPressure() throws {
        #expect(try HeapProgram.run("MemoryPressure.c", with: ["Control/memory_pressure.c"]) == "passed\n")
    }

    @Test("A lock lets one thread in at a time, and those that wait sleep")
    func lock() throws {
        #expect(try HeapProgram.run("Lock.c", with: ["OS/lock.c"]) == "passed\n")
    }

    @Test("Each key has one entry of a table, whichever threads ask for it, and a full table has none for more")
    func keyTable() throws {
        #expect(try HeapProgram.run("KeyTable.c", with: []) == "passed\n")
    }

    @Test("The tables that threads share without a lock hold what was stored in them")
    func sharedTables() throws {
        let tree = ["concurrent_hash_map", "stack_children", "stack_frames", "stack_tree"].map { "Unwind/\($0).c" }
        #expect(
            try HeapProgram.run("SharedTables.c", with: tree + ["OS/arena.c", "Trace/live_table.c"]) == "passed\n")
    }

    @Test("Of an object that is pinned anew its own death is known, not the one before at its address")
    func pinned() throws {
        #expect(try HeapProgram.run("Pinned.c", with: ["Zombies/unowned_kept.c"]) == "passed\n")
    }

    @Test("Only masks of nearly all signals are believed to block those of faults")
    func handlerMask() throws {
        #expect(try HeapProgram.run("HandlerMask.c", with: ["OS/handler_mask.c"]) == "passed\n")
    }

    @Test("Memory that the kernel joined with an image's data is a root of its own")
    func roots() throws {
        let parts = [
            "Leaks/roots.c", "OS/recording_state.c", "OS/safe_read.c", "Leaks/memory_map.c", "OS/mapping.c",
            "OS/thread_control_block.c",
        ]
        #expect(try HeapProgram.run("Roots.c", with: parts) == "passed\n")
    }
}

/// A C program of `Tests/Programs/Heap`, compiled with the parts of the heap snapshot that it tries.
enum HeapProgram {
    /// Compiles and runs the program; what it printed.
    static func run(_ program: String, with parts: [String]) throws -> String {
        let root = RecorderSources.package
        let folder = FileManager.default.temporaryDirectory.appending(path: "gameprof-heap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "program").path
        let sources = ["\(root.path)/Tests/Programs/Heap/\(program)"] + parts.map(RecorderSources.file)
        let flags = ["-std=gnu11", "-O2", "-g", "-D_GNU_SOURCE"] + RecorderSources.includes
        return try text(of: ["clang"] + flags + sources + ["-o", output]) + text(of: [output])
    }

    /// What the command printed on both outputs.
    static func text(of command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
