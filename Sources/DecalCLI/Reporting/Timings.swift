import AssetCatalog
import Imaging
import Pipeline

/// What took how long.
struct Timings {
  private let stages: [(stage: Stage, time: Duration)]
  private let wall: Duration
  private let usage: (processor: Duration, memory: Int)

  init(_ times: StageTimes, wall: Duration, _ usage: (processor: Duration, memory: Int)) {
    (stages, self.wall, self.usage) = (times.stages, wall, usage)
  }

  /// A line a stage with its share, and one of the whole.
  var lines: [String] {
    let sum = max(1, stages.reduce(0) { $0 + $1.time.milliseconds })
    let nameColumn = stages.map { $0.stage.rawValue.count }.max() ?? 0
    let timeColumn = stages.map { grouped($0.time.milliseconds).count }.max() ?? 0
    let lines = stages.map { stage, time in
      let share = String((time.milliseconds * 100 + sum / 2) / sum).aligned(to: 3)
      return "  " + stage.rawValue.filled(to: nameColumn) + "  "
        + grouped(time.milliseconds).aligned(to: timeColumn) + " ms \(share) %"
    }
    let whole =
      "\(grouped(wall.milliseconds)) ms in all, \(grouped(usage.processor.milliseconds)) ms of processors, "
      + "\(grouped(usage.memory / 1_000_000)) MB at most"
    return lines + [whole]
  }

  /// Milliseconds by stage, and the whole.
  var json: JSONValue {
    .object([
      .init("stages", .object(stages.map { .init($0.stage.rawValue, .int($0.time.milliseconds)) })),
      .init("wallMs", .int(wall.milliseconds)), .init("processorMs", .int(usage.processor.milliseconds)),
      .init("peakMemory", .int(usage.memory)),
    ])
  }
}

extension Duration {
  fileprivate var milliseconds: Int {
    Int((components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000))
  }
}
