/// One displayed image of an animation at its final size.
public struct SizedFrame: Sendable {
  /// The whole canvas as it is seen; put together from its bands where it shares some.
  public var bitmap: Bitmap {
    get { bands.bitmap }
    set { bands = BandedBitmap(newValue) }
  }
  /// How long it is seen, in seconds; zero for a still.
  public var delay: Rational

  /// The size of the canvas.
  public var size: PixelSize { bands.size }

  private var bands: BandedBitmap

  /// Makes a frame.
  public init(bitmap: Bitmap, delay: Rational = .zero) {
    bands = BandedBitmap(bitmap)
    self.delay = delay
  }

  /// Makes a frame that shares with an earlier one the bands of rows that are the same in both.
  ///
  /// So a long animation in which little moves takes memory for what moves alone; what does not fit goes to a store.
  public init(bitmap: Bitmap, delay: Rational, after earlier: SizedFrame, store: (any BandStore)? = nil) {
    bands = BandedBitmap(bitmap, sharing: earlier.bands, store: store)
    self.delay = delay
  }
}

/// A picture at its final size, ready to be encoded; a still is an animation of one frame.
public struct SizedAnimation: Sendable {
  /// The size of every frame.
  public let size: PixelSize
  /// At least one frame, each of `size`.
  public var frames: [SizedFrame]
  /// Times the animation plays, 0 = for ever.
  public var playCount: Int

  /// Makes an animation; there is at least one frame and all have one size.
  public init(frames: [SizedFrame], playCount: Int = 0) {
    precondition(!frames.isEmpty, "an animation has a frame")
    size = frames[0].size
    precondition(frames.allSatisfy { [size] in $0.size == size }, "frames share one size")
    self.frames = frames
    self.playCount = playCount
  }

  /// Whether there is more than one frame.
  public var isAnimated: Bool { frames.count > 1 }

  /// The time of one play, in seconds.
  public var duration: Rational { frames.reduce(.zero) { $0 + $1.delay } }
}
