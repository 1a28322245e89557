// A library of photos with pages of thumbnails that are opened and closed; the catalogue is read once.
import Foundation

final class Photo {
    let id: Int
    let name: String
    let taken: Date
    var tags: [String]
    init(id: Int, name: String, taken: Date, tags: [String]) {
        self.id = id
        self.name = name
        self.taken = taken
        self.tags = tags
    }
}
final class Thumbnail {
    let photo: Photo
    let pixels: [UInt8]
    init(_ photo: Photo) {
        self.photo = photo
        pixels = (0..<900).map { UInt8(truncatingIfNeeded: $0 &* photo.id) }
    }
}
final class ThumbnailCache {
    nonisolated(unsafe) static let shared = ThumbnailCache()
    private let cache = NSCache<NSNumber, Thumbnail>()
    private init() { cache.countLimit = 120 }
    func thumbnail(of photo: Photo) -> Thumbnail {
        if let known = cache.object(forKey: NSNumber(value: photo.id)) { return known }
        let made = Thumbnail(photo)
        cache.setObject(made, forKey: NSNumber(value: photo.id))
        return made
    }
}
final class Page {
    let number: Int
    private(set) var thumbnails: [Thumbnail] = []
    var onSelect: ((Photo) -> Void)?
    init(number: Int, photos: ArraySlice<Photo>) {
        self.number = number
        thumbnails = photos.map { ThumbnailCache.shared.thumbnail(of: $0) }
    }
    func select(_ index: Int) { if thumbnails.indices.contains(index) { onSelect?(thumbnails[index].photo) } }
}
final class Library {
    private(set) var photos: [Photo] = []
    private(set) var selected: [Int] = []
    private var stack: [Page] = []
    func load(_ count: Int) {
        for id in 0..<count {
            photos.append(
                Photo(
                    id: id, name: "IMG_\(10_000 + id).heic", taken: Date(timeIntervalSince1970: Double(id) * 3_600),
                    tags: ["trip \(id / 50)", id % 3 == 0 ? "family" : "landscape"]))
        }
    }
    func open(_ number: Int) {
        let start = (number * 24) % photos.count
        let page = Page(number: number, photos: photos[start..<min(start + 24, photos.count)])
        page.onSelect = { [weak self] in self?.selected.append($0.id) }
        stack.append(page)
        page.select(number % 24)
        if stack.count > 3 { stack.removeFirst() }
    }
    func close() { _ = stack.popLast() }
}
let library = Library()
library.load(1_200)
for number in 0..<300 {
    library.open(number)
    if number % 4 == 0 { library.close() }
}
print(library.photos.count, "photos", library.selected.count, "selected")
