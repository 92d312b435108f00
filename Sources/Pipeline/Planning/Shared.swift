/// A large value that copies share until one of them is changed, for long lists of much the same.
@propertyWrapper
struct Shared<Value: Hashable & Sendable>: Hashable, Sendable {
  private final class Box: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private var box: Box

  init(wrappedValue: Value) { box = Box(wrappedValue) }

  var wrappedValue: Value {
    get { box.value }
    set { box = Box(newValue) }
  }

  static func == (a: Shared, b: Shared) -> Bool { a.box === b.box || a.box.value == b.box.value }

  func hash(into hasher: inout Hasher) { hasher.combine(box.value) }
}
