public import Imaging

/// Encodes an animation, or a still, into at most a number of bytes.
///
/// The interface that searches are written to; `LadderEncoder` is one.
public protocol BudgetEncoder: Sendable {
  /// The best file of at most `budget` bytes; where nothing fits, the smallest that was found, for the caller to refuse.
  ///
  /// Pixel size and total time are kept. Throws `CancellationError` between attempts when the task is canceled.
  func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset
}

/// Lossless first; then one shared palette over all frames, on a fixed ladder of colors and frame rates.
public struct LadderEncoder: BudgetEncoder {
  /// How hard to try.
  public var effort: Effort

  /// Makes an encoder.
  public init(effort: Effort = .normal) { self.effort = effort }

  /// See `BudgetEncoder`.
  public func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset {
    fatalError("replaced by the writing codecs")
  }
}
