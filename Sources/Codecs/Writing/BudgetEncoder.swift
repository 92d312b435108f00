public import Imaging

/// Encodes an animation, or a still, into at most a number of bytes.
///
/// The interface that searches are written to; `RateDistortionEncoder` is one.
public protocol BudgetEncoder: Sendable {
  /// The best file of at most `budget` bytes; where nothing fits, the smallest that was found, for the caller to refuse.
  ///
  /// Pixel size and total time are kept. Throws `CancellationError` between attempts when the task is canceled.
  func encode(_ animation: SizedAnimation, budget: Int) throws -> EncodedAsset
}
