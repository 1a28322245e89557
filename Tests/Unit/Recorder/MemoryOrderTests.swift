import Foundation
import Testing

/// What threads of the recorder tell each other without a lock. Each order named here is needed, and stands in the sources.
@Suite("Memory order of the recorder")
struct MemoryOrderTests {
    private func check(_ text: String, never isWrong: @escaping ([String: Int]) -> Bool) throws {
        let memory = WeakMemory(text)
        #expect(!memory.canEnd(in: isWrong))
        #expect(!memory.weakened.isEmpty)
        for (text, weak) in memory.weakened { #expect(weak.canEnd(in: isWrong), "needless: \(text)") }
        for case (let file, let text)? in memory.threads.joined().map(\.source) {
            let source = try String(contentsOfFile: RecorderSources.file(file), encoding: .utf8)
            let words = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(text), "\(file) has no more: \(text)")
        }
    }

    @Test("A thread that finds the recording on finds all that was made ready for it")
    func start() throws {
        try check(
            """
            ready=1
            state=1 release @OS/include/recording_state.h __atomic_store_n(&gp_recording.state, state, __ATOMIC_RELEASE)
            --
            a<state acquire @Arch/include/arch_aarch64.h GP_LOAD_IN_ORDER(word) __atomic_load_n(&(word), __ATOMIC_ACQUIRE)
            b<ready
            """
        ) { $0["a"] == 1 && $0["b"] == 0 }
    }

    @Test("The last of two threads that choose the entry points of malloc chooses those of the last state")
    func entryPoints() throws {
        try check(
            """
            a<state
            if a=0
            entries=0
            fence sequential @Interpose/malloc.c __atomic_thread_fence(__ATOMIC_SEQ_CST); } while (state != gp_recording_now())
            b<state
            --
            state=1
            fence sequential @Interpose/malloc.c __atomic_thread_fence(__ATOMIC_SEQ_CST); do { state = gp_recording_now()
            entries=1
            """
        ) { $0["b"] == 0 && $0["entries"] == 0 }
    }

    @Test("Whoever ends the recording and finds a thread outside finds its last cell whole")
    func end() throws {
        try check(
            """
            tail=1
            head=1
            outside=1 release @Trace/include/thread.h __atomic_store_n(&thread->busy, false, __ATOMIC_RELEASE)
            --
            a<outside acquire @Trace/include/thread.h __atomic_load_n(&thread->busy, __ATOMIC_ACQUIRE)
            b<head
            c<tail
            """
        ) { $0["a"] == 1 && ($0["b"] == 0 || $0["c"] == 0) }
    }

    @Test("Whoever ends sampling sees a handler that runs, or the handler sees that sampling has ended")
    func endOfSampling() throws {
        try check(
            """
            inside=1
            fence sequential @Time/sample.c atomic_thread_fence(memory_order_seq_cst); if (!gp_sampler_is_on())
            a<ended
            if a=0
            sample=1
            inside=0 release @Time/sample.c same chunk. atomic_store_explicit(&thread->inside, false, memory_order_release)
            --
            ended<>1
            fence sequential @Time/sampler.c atomic_thread_fence(memory_order_seq_cst)
            b<inside acquire @Time/sampler.c atomic_load_explicit(&thread->inside, memory_order_acquire)
            c<sample
            """
        ) { $0["a"] == 0 && $0["b"] == 0 && $0["c"] == 0 }
    }

    @Test("A pair of the concurrent map has the value of its key, also where its place is used anew")
    func pair() throws {
        let map = "Unwind/include/concurrent_hash_map.h"
        try check(
            """
            key<>9
            fence release @\(map) atomic_thread_fence(memory_order_release); atomic_store_explicit(&pair->value
            value=1
            key=1 release @\(map) atomic_store_explicit(&pair->key, key, memory_order_release)
            --
            a<key acquire @\(map) found = atomic_load_explicit(&window[i].key, memory_order_acquire)
            b<value
            fence acquire @\(map) atomic_thread_fence(memory_order_acquire); return value
            c<key
            """
        ) { $0["a"] == $0["c"] && $0["a"] != 9 && $0["b"] != $0["a"] }
    }

    @Test("A memo of the new generation learns no rule of an image that is gone")
    func generation() throws {
        try check(
            """
            forgotten=1
            generation<>1 @Unwind/stack_generation.c atomic_fetch_add(&gp_stack_generation, 1)
            --
            a<generation acquire @Unwind/memo.c atomic_load_explicit(&gp_stack_generation, memory_order_acquire)
            b<forgotten
            """
        ) { $0["a"] == 1 && $0["b"] == 0 }
    }

    @Test(
        "A poisoned word leads to a slot that says whose it was",
        arguments: [
            "Zombies/deallocation.c __atomic_thread_fence(__ATOMIC_RELEASE); __atomic_store_n(place, gp_slot_entry(slot)",
            "Zombies/guard_pages.c __atomic_thread_fence(__ATOMIC_RELEASE); // as in close_slot gp_poison",
            "Zombies/unowned_kept.c __atomic_thread_fence(__ATOMIC_RELEASE); // the poison",
        ])
    func poison(source: String) throws {
        // The processor waits for the word whose address it follows.
        try check("slot=1\nfence release @\(source)\nword=1\n--\na<word\nfence acquire\nb<slot") {
            $0["a"] == 1 && $0["b"] == 0
        }
    }

    @Test("A block that enters or leaves the quarantine is not taken for one that was written to")
    func inspection() throws {
        try check(
            """
            block=1
            state=1 release @Zombies/deallocation.c __atomic_store_n(&slot->state, slot->state + 1, __ATOMIC_RELEASE)
            state=2
            fence release @Zombies/quarantine.h __atomic_thread_fence(__ATOMIC_RELEASE)
            block=2
            --
            a<state acquire @Zombies/quarantine.h __atomic_load_n(&slot->state, __ATOMIC_ACQUIRE)
            b<block
            fence acquire @Zombies/inspection.c __atomic_thread_fence(__ATOMIC_ACQUIRE)
            c<state
            """
        ) { $0["a"] == 1 && $0["c"] == 1 && $0["b"] != 1 }
    }
}
