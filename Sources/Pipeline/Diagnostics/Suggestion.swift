/// The name that was most likely meant by a mistyped one, or nil where none is near.
///
/// A name is near when it takes at most one edit for each three letters (an exchange of two neighbors is one edit), or when
/// the mistyped name, of three letters or more, begins it. Letter case does not count.
package func suggestion(for typed: String, among names: [String]) -> String? {
  let wanted = Array(typed.lowercased())
  var best: (name: String, distance: Int)?
  for name in names {
    let letters = Array(name.lowercased())
    let begins = wanted.count >= 3 && letters.starts(with: wanted)
    let distance = begins ? 1 : editDistance(wanted, letters)
    guard distance <= max(1, max(wanted.count, letters.count) / 3) else { continue }
    if distance < best?.distance ?? .max { best = (name, distance) }
  }
  return best?.name
}

/// The least number of insertions, removals, replacements and exchanges of neighbors between two words.
///
/// The optimal string alignment distance, by the usual table of three rows.
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1] + [Int](repeating: 0, count: b.count)
    for j in b.indices {
      row[j + 1] = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1) }
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

/// Words as a sentence has them: `small, regular or large`.
package func alternatives(_ words: [String]) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
