extension FrameQuality {
  /// What each difference is worth; made by `Tests/tools/quality_fit.py`.
  static let weights: [Weight] = [
    Weight(1, .brightness, .structure, 27424),
    Weight(1, .brightness, .worstStructure, 7837.4),
    Weight(1, .brightness, .worstLost, 3909.3),
    Weight(2, .redGreen, .worstStructure, 1357.6),
    Weight(2, .brightness, .structure, 33470),
    Weight(2, .brightness, .worstStructure, 10651),
    Weight(2, .blue, .structure, 963.95),
    Weight(2, .blue, .worstStructure, 343.1),
    Weight(3, .brightness, .added, 31498),
    Weight(3, .brightness, .worstStructure, 15482),
    Weight(3, .blue, .worstStructure, 9364.3),
    Weight(4, .brightness, .worstStructure, 8181.3),
    Weight(4, .blue, .worstStructure, 2540.6),
    Weight(4, .blue, .worstAdded, 4151.2),
    Weight(5, .redGreen, .structure, 5403.7),
    Weight(5, .redGreen, .lost, 13105),
    Weight(5, .redGreen, .worstLost, 18674),
    Weight(5, .brightness, .added, 14116),
    Weight(5, .brightness, .worstStructure, 5831.9),
    Weight(5, .brightness, .worstAdded, 24571),
    Weight(5, .blue, .structure, 10724),
    Weight(5, .blue, .added, 1.4373e+05),
    Weight(5, .blue, .worstAdded, 5593.6),
  ]
}
