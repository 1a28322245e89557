// An echo server and its clients on loopback, in one process, each in event loops of its own.
import NIOCore
import NIOPosix

final class Echo: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { context.write(data, promise: nil) }

    func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
}

final class Counter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let wanted: Int
    private let done: EventLoopPromise<Int>
    private var seen = 0

    init(wanted: Int, done: EventLoopPromise<Int>) {
        self.wanted = wanted
        self.done = done
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        seen += unwrapInboundIn(data).readableBytes
        if seen >= wanted {
            done.succeed(seen)
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        done.fail(error)
        context.close(promise: nil)
    }
}

let servers = MultiThreadedEventLoopGroup(numberOfThreads: 2)
let clients = MultiThreadedEventLoopGroup(numberOfThreads: 2)
let server = try await ServerBootstrap(group: servers)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelInitializer { $0.pipeline.addHandler(Echo()) }
    .bind(host: "127.0.0.1", port: 0).get()
var bytes = 0
for round in 1...40 {
    let size = 1_000 * round
    let channel = try await ClientBootstrap(group: clients).connect(to: server.localAddress!).get()
    let done = channel.eventLoop.makePromise(of: Int.self)
    try await channel.eventLoop.submit {
        try channel.pipeline.syncOperations.addHandler(Counter(wanted: size, done: done))
    }.get()
    try await channel.writeAndFlush(ByteBuffer(repeating: UInt8(round), count: size)).get()
    bytes += try await done.futureResult.get()
    try await channel.closeFuture.get()
}
try await server.close().get()
try await clients.shutdownGracefully()
try await servers.shutdownGracefully()
print("echoed \(bytes) bytes")
