import Testing
import TraceFile

@Test func everyRecordIsPrintedWithAllItsFields() throws {
    let lines = try TemporaryTrace(traceOfEverything()).dump()
    #expect(
        lines == [
            #"program pid=7 instruments=allocations,leaks linked=false executable="/bin/game" arguments=["game", "", "--seed \"1\""]"#,
            #"image path="/bin/game" bias=0x5000 start=0x5000 end=0x9000 text=0x6000-0x7000 build-id=de0a"#,
            #"image-gone path="" bias=0x5000 start=0x5000 end=0x9000 text=0x0-0x0 build-id=none"#,
            #"thread-name id=7 name="main""#,
            "frame id=1 parent=0 pc=0x7fff12345678 truncated",
            "frame id=2 parent=1 pc=0x6001 exact",
            "type id=1 metadata=0x7fff00000010",
            #"type-name kind=local metadata=0x7fff00000010 descriptor=0x3 destroy=0x4 name="Spiel.Kärtchen<🃏>""#,
            "time ns=1000000",
            "alloc how=calloc size=1099511627800 stack=2 bits=0x1230",
            "free size=1099511627800 stack=2 type=1",
            "temporary how=realloc size=16 stack=2 type=0",
            "repeat count=99",
            "thread id=8",
            "thread-end id=8",
            #"heap-begin snapshot=1 trigger=onRequest threads=3 missed=1 stack=2 left=1 time=5 pause=6 name="now""#,
            "heap-census type=1 stack=2 count=3 bytes=96",
            "heap-object id=1 flags=swift+count-closed address=0x7000 size=32 type=1 stack=2 strong=2 unowned=1 weak=4 component=1",
            #"heap-edge from=1 to=1 ownership=unowned kind=capture label="self" offset=16 position=1 function=0x6010 declared=1"#,
            #"heap-root object=1 kind=stack address=0x7ffe0000 thread=7 pc=0x6014 label="x""#,
            #"heap-target cause=address object=1 type=1 count=2 bytes=64 label="the board""#,
            #"heap-end snapshot=1 cut-short blocks=9 bytes=900 swift=5 unreachable=1 unreachable-bytes=32 listed=1 analysis=77 reason="no memory""#,
            "clock source=monotonic ticks=12 time=13",
            "probe-name id=70000 name=\"tilt\"",
            "probe kind=begin name=70000 ticks=1152921504606846976 length=0",
            "probe kind=interval name=1 ticks=5 length=4294967280",
            "probe kind=counter name=2 ticks=6 length=0",
            "probe-value value=-2.5",
            #"log time=9 thread=7 place="Game.swift:31" message="dealt \"36\" cards""#,
            "mark time=10 generation=2 name=\"level 2\"",
            "generation generation=2 type=1 stack=2 count=3 bytes=96",
            "expectation alive object=0x7000 time=11 type=1 stack=2 listed=1 place=\"Game.swift:7\"",
            #"loss events=12 sentence="The disk is full.""#,
            #"note sentence="exec""#,
            #"sampling source=cpuTimer period=1000000 wait-period=10000000 sentence="by a timer""#,
            "sample weight=4 stack=2 time=1234567",
            "wait disk weight=1 stack=0 time=1099511627776",
            "thread-time id=8 cpu=5000000 system=2000000 lost=3",
            "program-exit signal=9 wall=42",
            "program-exit code=3 wall=43",
        ])
}
