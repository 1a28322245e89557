// A world of chunks that are loaded around the player and dropped behind.
struct ChunkID: Hashable { let x: Int, z: Int }
final class Block {
    let kind: UInt8
    var light: UInt8 = 0
    init(kind: UInt8) { self.kind = kind }
}
final class Mesh {
    let vertices: [Float]
    init(_ vertices: [Float]) { self.vertices = vertices }
}
final class Chunk {
    let id: ChunkID
    private(set) var blocks: [Block] = []
    private(set) var mesh: Mesh?
    init(id: ChunkID) {
        self.id = id
        for index in 0..<64 {
            blocks.append(Block(kind: UInt8(truncatingIfNeeded: (index &* 31 &+ id.x &* 7 &+ id.z) & 7)))
        }
    }
    func build() { mesh = Mesh(blocks.flatMap { [Float($0.kind), Float($0.light), 1] }) }
}
final class WorldMap {
    private var chunks: [ChunkID: Chunk] = [:]
    private let radius = 4
    private(set) var loaded = 0
    func update(x: Int, z: Int) {
        for dx in -radius...radius {
            for dz in -radius...radius {
                let id = ChunkID(x: x + dx, z: z + dz)
                if chunks[id] == nil {
                    let chunk = Chunk(id: id)
                    chunk.build()
                    chunks[id] = chunk
                    loaded += 1
                }
            }
        }
        chunks = chunks.filter { abs($0.key.x - x) <= radius + 2 && abs($0.key.z - z) <= radius + 2 }
    }
    var count: Int { chunks.count }
}
final class Player {
    private(set) var x = 0, z = 0
    private var heading = 0
    private(set) var visited: Set<ChunkID> = []
    func walk(_ step: Int) {
        if step % 23 == 0 { heading = (heading + 1) % 4 }
        switch heading {
        case 0: x += 1
        case 1: z += 1
        case 2: x += 1
        default: z -= 1
        }
        visited.insert(ChunkID(x: x, z: z))
    }
}
final class Save {
    let seed: Int
    var edited: [ChunkID: [Int]] = [:]
    init(seed: Int) { self.seed = seed }
    func edit(_ id: ChunkID, _ block: Int) { edited[id, default: []].append(block) }
}
func play() {
    let world = WorldMap()
    let player = Player()
    let save = Save(seed: 9)
    for step in 0..<260 {
        player.walk(step)
        world.update(x: player.x, z: player.z)
        if step % 4 == 0 { save.edit(ChunkID(x: player.x, z: player.z), step % 64) }
    }
    print(world.loaded, "loaded,", world.count, "there,", player.visited.count, "visited,", save.edited.count, "edited")
}
play()
