/// What an effort stands for in the search.
struct SearchPlan {
  /// How what is written is pressed; nil for the tokens of the search as they are.
  var pressing: PressingEffort?
  /// Palette sizes that are compared, the usual best first.
  var paletteSizes: [Int]
  /// Quick passes to find lambda for each palette.
  var quickPasses: Int
  /// Whole passes before the one that is written: each refits the palette and corrects lambda.
  var refits: Int
  /// The share of the budget that the first whole pass aims at: less where the sample knows little.
  var aimedShare: Double
  /// The share that passes after a whole one aim at.
  var correctedShare: Double
  /// A file that uses this share of the budget ends the search.
  var fullEnough: Double
  /// Whole passes after which a file that fits is taken, full or not.
  var rounds: Int
  /// How far the first whole pass may be led from the lambda that a sample told, as a factor.
  var leash: Double
  /// Where the search for lambda begins.
  var startLambda: Double
  /// How the passes code.
  var settings: RateDistortionSettings
  /// Whether a pass is looked at before all of its frames are pressed.
  var looksFirst: Bool { pressing != nil }

  /// How passes over so much of an animation code.
  ///
  /// Sizes of samples are only compared; halves, which are only measured, are coded once.
  func settings(_ extent: PassExtent) -> RateDistortionSettings {
    var settings = settings
    if extent != .whole { settings.repeats = 0 }
    if extent == .sample { (settings.copyGroups, settings.expectedHits, settings.chosenHits) = (2, 2, 2) }
    return settings
  }
}

extension SearchPlan {
  /// The plan of an effort.
  init(_ effort: Effort) {
    var settings = RateDistortionSettings(lambda: 1)
    switch effort {
    case .fast:
      (settings.copyGroups, settings.expectedHits, settings.chosenHits) = (2, 2, 2)
      self.init(
        pressing: nil, paletteSizes: [128], quickPasses: 1, refits: 0, aimedShare: 0.985, correctedShare: 0.975,
        fullEnough: 0.88, rounds: 1, leash: 2.5, startLambda: 3, settings: settings
      )
    case .normal:
      self.init(
        pressing: .quick, paletteSizes: [256, 128], quickPasses: 3, refits: 0, aimedShare: 0.995, correctedShare: 0.996,
        fullEnough: 0.955, rounds: 1, leash: 1.35, startLambda: 1,
        settings: settings)
    case .max:
      (settings.copyGroups, settings.expectedHits, settings.chosenHits) = (8, 6, 6)
      settings.repeats = 1
      self.init(
        pressing: .thorough, paletteSizes: [256, 192, 128, 64], quickPasses: 3, refits: 2, aimedShare: 0.988,
        correctedShare: 0.997, fullEnough: 0.985, rounds: 2, leash: 1.35, startLambda: 1,
        settings: settings)
    }
  }
}
