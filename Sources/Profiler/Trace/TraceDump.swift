import GameprofBasics

/// Prints a trace, one line a record, in a stable form: the writer's tests assert upon it.
public enum TraceDump {
    /// The line of a record. Numbers are decimal, addresses hexadecimal, texts quoted.
    public static func line(_ record: TraceRecord) -> String {
        switch record {
        case .allocation(let r):
            fields(
                "alloc", "how=\(r.function)", "size=\(r.size)", "stack=\(r.stack)",
                "bits=\(hex(UInt64(r.addressBits) << 4))")
        case .free(let r):
            fields("free", "size=\(r.size)", "stack=\(r.stack)", "type=\(r.type)")
        case .temporary(let r):
            fields("temporary", "how=\(r.function)", "size=\(r.size)", "stack=\(r.stack)", "type=\(r.type)")
        case .repetition(let count): fields("repeat", "count=\(count)")
        case .time(let time): fields("time", "ns=\(time)")
        case .thread(let thread): fields("thread", "id=\(thread)")
        case .threadEnd(let thread): fields("thread-end", "id=\(thread)")
        case .frame(let r):
            fields(
                "frame", "id=\(r.id)", "parent=\(r.parent)", "pc=\(hex(r.pc))",
                r.isExact ? "exact" : "", r.isTruncated ? "truncated" : "")
        case .type(let r): fields("type", "id=\(r.id)", "metadata=\(hex(r.metadata))")
        case .resident(let r): fields("resident", "bytes=\(r.bytes)", "time=\(r.time)")
        case .environment(let r):
            fields("environment", r.facts.map { "\($0.name)=\(quoted($0.value))" }.joined(separator: " "))
        case .image(let r):
            fields(
                r.isLoaded ? "image" : "image-gone", "path=\(quoted(r.path))", "bias=\(hex(r.bias))",
                "start=\(hex(r.start))", "end=\(hex(r.end))", "text=\(hex(r.textStart))-\(hex(r.textEnd))",
                "build-id=\(r.buildID.isEmpty ? "none" : bytes(r.buildID))")
        case .typeName(let r):
            fields(
                "type-name", "kind=\(r.kind)", "metadata=\(hex(r.metadata))", "descriptor=\(hex(r.descriptor))",
                "destroy=\(hex(r.destroy))", "name=\(quoted(r.name))")
        case .threadName(let r): fields("thread-name", "id=\(r.thread)", "name=\(quoted(r.name))")
        case .threadStack(let r): fields("thread-stack", "id=\(r.thread)", "stack=\(r.stack)")
        case .program(let r):
            fields(
                "program", "pid=\(r.pid)", r.parent == 0 ? "" : "parent=\(r.parent)",
                "instruments=\(Instrument.sorted(r.instruments).map(\.rawValue).joined(separator: ","))",
                "linked=\(r.isLinked)", r.isLate ? "late" : "", "executable=\(quoted(r.executable))",
                "arguments=[\(r.arguments.map(quoted).joined(separator: ", "))]")
        case .crash(let r):
            fields(
                "crash", "signal=\(r.signal)", "thread=\(r.thread)", "stack=\(r.stack)",
                r.address.map { "address=\(hex($0))" } ?? "", r.isStackOverflow ? "stack-overflow" : "",
                "time=\(r.time)",
                "message=\(quoted(r.message))")
        case .programExit(let r):
            switch r.status {
            case .code(let code): fields("program-exit", "code=\(code)", "wall=\(r.wall)")
            case .signal(let signal):
                fields(
                    "program-exit", "signal=\(signal)", "wall=\(r.wall)",
                    r.memoryKills > 0 ? "memory-kills=\(r.memoryKills)" : "")
            }
        case .loss(let r): fields("loss", "events=\(r.events)", "sentence=\(quoted(r.sentence))")
        case .note(let r): fields("note", "sentence=\(quoted(r.sentence))")
        case .symbol(let record): line(record)
        case .unknown(let kind, let size): fields("unknown", "kind=\(hex(UInt64(kind)))", "size=\(size)")
        case .heap(let record): line(record)
        case .listedObject(let r):
            fields(
                "listed-object", "address=\(hex(r.address))", "size=\(r.size)", "type=\(r.type)", "stack=\(r.stack)",
                "born=\(r.born)", "died=\(r.died)")
        case .liveType(let r):
            fields("live-type", "type=\(r.type)", "stack=\(r.stack)", "count=\(r.count)", "bytes=\(r.bytes)")
        case .failedAllocation(let r):
            fields(
                "failed-allocation", "failed=\(r.hasFailed)", "time=\(r.time)", "number=\(r.number)", "size=\(r.size)",
                "stack=\(r.stack)")
        case .forked(let r): fields("forked", "parent=\(r.parent)", "last-stack=\(r.lastStack)")
        case .firstFree(let r): fields("first-free", "allocated=\(r.allocated)", "freed=\(r.freed)")
        case .zombie(let record): line(record)
        case .sampling(let record): line(record)
        case .probe(let record): line(record)
        case .file(let record): line(record)
        }
    }

    private static func line(_ record: TraceRecord.Symbol) -> String {
        switch record {
        case .text(let r): fields("symbol-text", "id=\(r.id)", "text=\(quoted(r.text))")
        case .address(let r):
            fields(
                "symbol", "kind=\(r.kind)", "address=\(hex(r.address))", "start=\(hex(r.start))",
                "locations=[\(r.locations.map { "\($0.symbol) \($0.file):\($0.line)" }.joined(separator: ", "))]")
        case .source(let r):
            fields(
                "symbol-source", "detail=\(r.detail)", "start=\(hex(r.start))",
                "build-id=\(r.buildID.isEmpty ? "none" : bytes(r.buildID))", "path=\(quoted(r.path))")
        }
    }

    private static func line(_ record: TraceRecord.Heap) -> String {
        switch record {
        case .begin(let r):
            fields(
                "heap-begin", "snapshot=\(r.snapshot)", "trigger=\(r.trigger)", "threads=\(r.threads)",
                "missed=\(r.threadsMissed)", "stack=\(r.stack)", "left=\(r.leftStack)", "time=\(r.time)",
                "pause=\(r.pause)", "name=\(quoted(r.name))")
        case .census(let r):
            fields("heap-census", "type=\(r.type)", "stack=\(r.stack)", "count=\(r.count)", "bytes=\(r.bytes)")
        case .lost(let r):
            fields("heap-lost", "type=\(r.type)", "stack=\(r.stack)", "count=\(r.count)", "bytes=\(r.bytes)")
        case .residentMap(let r):
            fields(
                "resident-map", "start=\(hex(r.start))", "end=\(hex(r.end))", "resident=\(r.resident)",
                "dirty=\(r.dirty)", r.isFile ? "file" : "", r.isWritable ? "writable" : "",
                r.isShared ? "shared" : "", "path=\(quoted(r.path))")
        case .residentRange(let r):
            fields(
                "resident-range", "kind=\(r.kind)", r.referrer == .notSearched ? "" : "referrer=\(r.referrer)",
                "thread=\(r.thread)", "stack=\(r.stack)", "start=\(hex(r.start))",
                "end=\(hex(r.end))", "resident=\(r.resident)", "arena=\(hex(r.arena))", "live=\(r.use.live)",
                "binned=\(r.use.binned)", "trimmable=\(r.use.trimmable)", "top=\(r.use.top)",
                "cached=\(r.use.cached)")
        case .pinned(let r):
            fields("heap-pinned", "type=\(r.type)", "stack=\(r.stack)", "pages=\(r.count)", "free=\(r.bytes)")
        case .untouched(let r):
            fields("heap-untouched", "type=\(r.type)", "stack=\(r.stack)", "count=\(r.count)", "bytes=\(r.bytes)")
        case .unused(let r):
            fields("heap-unused", "type=\(r.type)", "stack=\(r.stack)", "count=\(r.count)", "bytes=\(r.bytes)")
        case .object(let r):
            fields(
                "heap-object", "id=\(r.id)", "flags=\(flags(r.flags))", "address=\(hex(r.address))", "size=\(r.size)",
                "type=\(r.type)", "stack=\(r.stack)", "strong=\(r.strong)", "unowned=\(r.unowned)", "weak=\(r.weak)",
                "component=\(r.component)")
        case .reference(let r):
            fields(
                "heap-edge", "from=\(r.from)", "to=\(r.to)", "ownership=\(r.ownership)", "kind=\(r.kind)",
                "label=\(quoted(r.label))", "offset=\(r.offset)", "position=\(r.position)",
                "function=\(hex(r.function))", "flags=\(r.flags.rawValue)", "declared=\(r.declaredType)")
        case .root(let r): fields("heap-root", root(r))
        case .graphRoot(let r): fields("heap-graph-root", root(r))
        case .nodes(let r):
            fields("heap-nodes", "first=\(r.first)", "address=\(hex(r.address))", "rows=\(rows(r))")
        case .label(let r):
            fields(
                "heap-label", "label=\(r.number)", "kind=\(r.kind)", "function=\(hex(r.function))",
                "declared=\(r.declaredType)", "path=\(quoted(r.path))")
        case .target(let r):
            fields(
                "heap-target", "cause=\(r.cause)", "object=\(r.object)", "type=\(r.type)", "count=\(r.count)",
                "bytes=\(r.bytes)", "label=\(quoted(r.label))")
        case .generation(let r):
            fields(
                "generation", "generation=\(r.generation)", "type=\(r.type)", "stack=\(r.stack)",
                "count=\(r.count)", "bytes=\(r.bytes)")
        case .expectation(let r):
            fields(
                "expectation", r.isAlive ? "alive" : "met", "object=\(hex(r.object))", "time=\(r.time)",
                "type=\(r.type)", "stack=\(r.stack)", "listed=\(r.listed)", "place=\(quoted("\(r.file):\(r.line)"))")
        case .tasks(let r): fields("tasks", "ended=\(r.ended)", r.isOmitted ? "omitted" : "")
        case .task(let r):
            fields(
                "task", "id=\(r.id)", status(r.status), r.name.map { "name=\(quoted($0))" } ?? "",
                r.isCancelled ? "cancelled" : "", r.isAsyncLet ? "async-let" : "", r.isCutShort ? "cut-short" : "",
                r.neverResumes ? "never-resumes" : "", r.parent.map { "parent=\($0 + 1)" } ?? "",
                r.address == 0 ? "" : "block=\(hex(r.address))",
                r.continuation == 0 ? "" : "continuation=\(hex(r.continuation))",
                r.occupant.map { "occupant=\($0 + 1)" } ?? "",
                "priority=\(r.priority)", "kept=\(r.keptBytes)", "stack=\(r.allocation)",
                "finished=\(r.finishedChildren)", "finished-stack=\(r.finishedStack)",
                "resume=[\(r.resume.map(hex).joined(separator: ", "))]",
                "begin=[\(r.begin.map(hex).joined(separator: ", "))]")
        case .image(let r):
            fields(
                "heap-image", "kind=\(r.kind)", "first=\(hex(r.first))", "second=\(r.second)", "bytes=\(r.bytes.count)")
        case .end(let r):
            fields(
                "heap-end", "snapshot=\(r.snapshot)", r.isCutShort ? "cut-short" : "", r.hasUnread ? "unread" : "",
                "blocks=\(r.blocks)",
                "bytes=\(r.bytes)", "swift=\(r.swiftObjects)", "unreachable=\(r.unreachableBlocks)",
                "unreachable-bytes=\(r.unreachableBytes)", "listed=\(r.listedObjects)", "analysis=\(r.analysis)",
                "reason=\(quoted(r.reason))")
        }
    }

    private static func line(_ record: TraceRecord.Zombie) -> String {
        switch record {
        case .use(let r):
            fields(
                "zombie", "access=\(r.access)", "flags=\(r.flags.rawValue)", "object=\(hex(r.object))",
                "size=\(r.size)",
                "type=\(r.type)", "allocated=\(r.allocated)", "deallocated=\(r.deallocated)", "used=\(r.used)",
                "threads=\(r.deallocatingThread),\(r.usingThread)", "times=\(r.deallocatedTime),\(r.usedTime)",
                "fault=\(hex(r.fault))", "pc=\(hex(r.pc))", "member=\(hex(r.member))", "offset=\(r.offset)",
                "property=\(quoted(r.property))")
        case .summary(let r):
            fields(
                "zombie-summary", "quarantined=\(r.quarantined)", "evicted=\(r.evicted)",
                "evicted-bytes=\(r.evictedBytes)",
                "kept=\(r.kept)", "kept-bytes=\(r.keptBytes)", "passed-by=\(r.passedBy)", "guarded=\(r.guarded)",
                "guards-missed=\(r.guardsMissed)", "byte-limit=\(r.byteLimit)", "count-limit=\(r.countLimit)",
                "unowned-kept=\(r.unownedKept)",
                "chosen=\(r.isChosen)", "sampled=\(r.isSampled)")
        case .countChange(let r):
            fields(
                "count", "kind=\(r.kind)", "object=\(hex(r.object))", "type=\(r.type)", "stack=\(r.stack)",
                "thread=\(r.thread)", "strong=\(r.strong)", "times=\(r.times)", "time=\(r.time)")
        }
    }

    private static func line(_ record: TraceRecord.Sampling) -> String {
        switch record {
        case .sample(let r):
            fields(
                r.kind == .computing ? "sample" : "wait", r.isDiskWait ? "disk" : "", "weight=\(r.weight)",
                "stack=\(r.stack)", "time=\(r.time)")
        case .lockHolder(let thread): fields("lock-holder", "thread=\(thread)")
        case .unscheduled(let r): fields("unscheduled", "microseconds=\(r.microseconds)", "time=\(r.time)")
        case .method(let r):
            fields(
                "sampling", "source=\(r.source)", "period=\(r.period)", "wait-period=\(r.waitPeriod)",
                "sentence=\(quoted(r.sentence))")
        case .threadTime(let r):
            fields("thread-time", "id=\(r.thread)", "cpu=\(r.cpu)", "system=\(r.system)", "lost=\(r.lost)")
        case .work(let r): fields("work", "kind=\(r.kind)", "name=\(quoted(r.name))")
        case .blocks(let r): fields("block-sampling", "mean=\(r.mean)", "knows-all=\(r.knowsAll)")
        case .liveBlock(let r): fields("sampled-live", "type=\(r.type)", "stack=\(r.stack)", "size=\(r.size)")
        case .referenceCounting(let r):
            fields(
                "reference-counting", r.call.releases ? "releases" : "retains", r.call.isAtomic ? "" : "nonatomic",
                r.isSampled ? "sampled" : "", "type=\(r.call.type)", "stack=\(r.call.stack)", "calls=\(r.tally.calls)",
                "changes=\(r.tally.changes)", "immortal=\(r.tally.immortal)")
        }
    }

    private static func line(_ record: TraceRecord.File) -> String {
        switch record {
        case .name(let r): fields("file-name", "kind=\(r.kind)", "id=\(r.id)", "name=\(quoted(r.name))")
        case .renamed(let from, let to, let count):
            fields("file-renamed", "from=\(from)", "to=\(to)", "count=\(count)")
        case .use(let r):
            fields(
                "file-use", "operation=\(r.operation)", "file=\(r.file)", "stack=\(r.stack)", "calls=\(r.calls)",
                "failures=\(r.failures)", "exhausted=\(r.exhausted)", "bytes=\(r.bytes)", "ns=\(r.nanoseconds)",
                "longest=\(r.longest)", "time=\(r.time)")
        case .open(let r):
            fields(
                "file-open", "file=\(r.file)", "stack=\(r.stack)", "descriptor=\(r.descriptor)",
                "opened=\(r.opened)", "used=\(r.used)", "peer-closed=\(r.hasPeerClosed)",
                r.holder.map { "holder=\($0.process) \(quoted($0.name)) reads=\($0.reads) writes=\($0.writes)" } ?? "")
        }
    }

    private static func line(_ record: TraceRecord.Probe) -> String {
        switch record {
        case .event(let r):
            fields("probe", "kind=\(r.kind)", "name=\(r.name)", "ticks=\(r.ticks)", "length=\(r.length)")
        case .value(let value): fields("probe-value", "value=\(value)")
        case .name(let r): fields("probe-name", "id=\(r.id)", "name=\(quoted(r.name))")
        case .clock(let r): fields("clock", "source=\(r.source)", "ticks=\(r.ticks)", "time=\(r.time)")
        case .log(let r):
            fields(
                "log", "time=\(r.time)", "thread=\(r.thread)", "place=\(quoted("\(r.file):\(r.line)"))",
                "message=\(quoted(r.message))")
        case .mark(let r):
            fields("mark", "time=\(r.time)", "generation=\(r.generation)", "name=\(quoted(r.name))")
        }
    }

    /// The line of a record with where it stands in front: chunk, offset, thread, time.
    public static func line(_ record: TraceRecord, at position: RecordPosition) -> String {
        "\(position.sequence):\(position.offset) thread \(position.thread) \(position.time) ns  \(line(record))"
    }

    /// The line of a trace's header.
    public static func line(_ header: TraceHeader) -> String {
        fields(
            "trace", "version=\(header.version)", "chunk-size=\(header.chunkSize)", "compressed=\(header.isCompressed)",
            "finished=\(header.isFinished)", "start=\(header.startUnixNanoseconds)", "pid=\(header.pid)",
            "dropped=\(header.droppedEvents)", header.isCut ? "cut" : "")
    }

    private static func fields(_ fields: String...) -> String { fields.filter { !$0.isEmpty }.joined(separator: " ") }

    /// Each row as flags:distance:size:type:stack:strong(its references as step:ownership:label).
    private static func rows(_ record: HeapNodesRecord) -> String {
        var edges = record.edges[...]
        let rows = record.rows.map { row in
            let own = edges.prefix(Int(row.edgeCount)).map { "\($0.step):\($0.ownership):\($0.label)" }
            edges = edges.dropFirst(own.count)
            let block = "\(row.flags.rawValue):\(row.distance):\(row.size):\(row.type):\(row.stack):\(row.strong)"
            return own.isEmpty ? block : "\(block)(\(own.joined(separator: " ")))"
        }
        return "[" + rows.joined(separator: ", ") + "]"
    }

    private static func root(_ r: HeapRoot) -> String {
        fields(
            "object=\(r.object)", "kind=\(r.kind)", "address=\(hex(r.address))", "thread=\(r.thread)",
            "pc=\(hex(r.pc))", "label=\(quoted(r.label))")
    }

    private static func status(_ status: TaskFacts.Status) -> String {
        switch status {
        case .unknown: "status=unknown"
        case .running(let thread): "status=running thread=\(thread?.rawValue ?? 0)"
        case .ready: "status=ready"
        case .executor(let type, let address, let isActor):
            "status=executor type=\(quoted(type)) address=\(hex(address)) actor=\(isActor)"
        case .task(let other): "status=task other=\(other.map { $0 + 1 } ?? 0)"
        case .group(let unfinished): "status=group unfinished=\(unfinished)"
        case .continuation(.unknown): "status=continuation holder=unknown"
        case .continuation(.nobody): "status=continuation holder=nobody"
        case .continuation(.property(let type, let name)):
            "status=continuation holder=property type=\(quoted(type)) property=\(quoted(name))"
        case .continuation(.variable(let address, let isSure)):
            "status=continuation holder=variable address=\(hex(address)) sure=\(isSure)"
        }
    }

    private static func hex(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }

    private static func bytes(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func quoted(_ text: String) -> String { text.debugDescription }

    private static func flags(_ flags: HeapObject.Flags) -> String {
        let names: [(String, HeapObject.Flags)] = [
            ("swift", .swift), ("reachable", .reachable), ("count-closed", .countClosed),
            ("count-unsure", .countUnsure), ("side-table", .hasSideTable), ("deinited", .deinited),
            ("held-by-pointer", .heldByPointer),
        ]
        let set = names.filter { flags.contains($0.1) }.map(\.0)
        return set.isEmpty ? "none" : set.joined(separator: "+")
    }
}
