/// The first number of `range` for which `isBehind` holds, as it does for all after that one; the range's end: for none.
/// O(log count).
@inlinable @inline(__always)
package func partition(_ range: Range<Int>, isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
        let middle = (low + high) / 2
        if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
}
