import Foundation

extension Clip {
  /// Flat cartoon with an outline: a ghost that floats, waves and blinks.
  static func ghost(_ seed: UInt64) -> Clip {
    let (ink, body, blush) = (ClipColor(0.12, 0.1, 0.2), ClipColor(0.93, 0.95, 1), ClipColor(1, 0.62, 0.66))
    return Clip(name: "ghost", side: 618, frames: 48, rate: 24) { canvas, t in
      let lift = SIMD2<Float>(0.06 * wave(t), 0.08 * wave(t * 2) - 0.05)
      func shape(_ place: SIMD2<Float>) -> Float {
        let p = place - lift
        let head = ellipse(p, SIMD2(0, -0.2), SIMD2(0.5, 0.55))
        let hem = 0.62 + 0.06 * wave(p.x * 2 + t)
        let skirt = max(abs(p.x) - 0.5 - 0.06 * max(p.y, 0), max(-0.2 - p.y, p.y - hem))
        let angle = -0.08 + 0.09 * wave(t * 3)
        let arm = stroke(p, SIMD2(0.42, 0.1), SIMD2(0.42, 0.1) + direction(angle) * 0.36, 0.1)
        return min(head, skirt, arm, stroke(p, SIMD2(-0.44, 0.12), SIMD2(-0.66, 0.32), 0.1))
      }
      canvas.fill(ink) { shape($0) - 0.035 }
      canvas.fill(body, shape)
      canvas.fill(ClipColor(0.78, 0.82, 0.95)) {
        max(shape($0), -(ellipse($0, lift + SIMD2(-0.12, -0.1), SIMD2(0.56, 0.85))))
      }
      let open: Float = t > 0.6 && t < 0.7 ? 0.015 : 0.12
      for x: Float in [-0.18, 0.18] {
        canvas.fill(ink, around: lift + SIMD2(x, -0.25), reach: 0.2) {
          ellipse($0, lift + SIMD2(x, -0.25), SIMD2(0.07, open))
        }
        canvas.fill(blush, around: lift, reach: 0.5) { ellipse($0, lift + SIMD2(x * 1.7, -0.06), SIMD2(0.08, 0.045)) }
      }
      canvas.fill(ink, around: lift, reach: 0.4) {
        max(abs(disc($0, lift + SIMD2(0, -0.14), 0.15)) - 0.02, lift.y - 0.1 - $0.y)
      }
    }
  }

  /// Soft and translucent: an ember whose glow breathes and throws sparks.
  static func ember(_ seed: UInt64) -> Clip {
    var random = ClipRandom(seed: seed &+ 2)
    let sparks = (0..<24).map { _ in (random.number(0...1), random.number(0...1), random.number(0.3...0.9)) }
    return Clip(name: "ember", side: 408, frames: 40, rate: 20) { canvas, t in
      let breath = 0.8 + 0.2 * wave(t)
      canvas.paint { place in
        let r = length(place * SIMD2(1, 0.92))
        let flame = Foundation.exp(-r * r * 4.5 / (breath * breath))
        let ring = Foundation.exp(-(r - 0.55 * breath) * (r - 0.55 * breath) * 60) * 0.25
        let color = mix(ClipColor(0.95, 0.12, 0.35), ClipColor(1, 0.85, 0.4), flame * 1.1)
        return (color, alpha: min(flame * 0.95 + ring, 1) * (r < 1 ? 1 - r * r * r * r : 0))
      }
      for (angle, phase, reach) in sparks {
        let age = (t + phase).truncatingRemainder(dividingBy: 1)
        let place = direction(angle + 0.1 * wave(t)) * (0.2 + reach * age)
        canvas.paint(around: place, reach: 0.16) { p in
          (ClipColor(1, 0.9, 0.6), alpha: (1 - age) * Foundation.exp(-((p - place) * (p - place)).sum() * 900))
        }
      }
    }
  }

  /// Text with a soft shadow: the letters of WOW! swing one after the other.
  static func wow(_ seed: UInt64) -> Clip {
    let w: [[SIMD2<Float>]] = [[SIMD2(-1, -1), SIMD2(-0.5, 1), SIMD2(0, -0.3), SIMD2(0.5, 1), SIMD2(1, -1)]]
    let o = [(0...16).map { direction(Float($0) / 16) * SIMD2(0.75, 1) }]
    let mark: [[SIMD2<Float>]] = [[SIMD2(0, -1), SIMD2(0, 0.25)], [SIMD2(0, 0.9), SIMD2(0, 0.95)]]
    let letters = [(w, Float(-0.62)), (o, -0.12), (w, 0.38), (mark, 0.82)]
    return Clip(name: "wow", side: 408, frames: 48, rate: 24) { canvas, t in
      func distance(_ place: SIMD2<Float>) -> Float {
        var nearest: Float = 4
        for (number, letter) in letters.enumerated() {
          let swing = 0.035 * wave(t + Float(number) * 0.17)
          let size = 0.24 + 0.03 * wave(t * 2 - Float(number) * 0.2)
          let offset = place - SIMD2(letter.1, 0.08 * wave(t - Float(number) * 0.13))
          let turn = direction(swing)
          let p =
            SIMD2(offset.x * turn.x + offset.y * turn.y, offset.y * turn.x - offset.x * turn.y)
            / (size * SIMD2(0.8, 1.6))
          if abs(p.x) > 2.2 || abs(p.y) > 2 { continue }
          for line in letter.0 {
            for (from, to) in zip(line, line.dropFirst()) {
              nearest = min(nearest, stroke(p, from, to, 0.26) * size)
            }
          }
        }
        return nearest
      }
      canvas.paint { place in
        let d = distance(place - SIMD2(0.02, 0.1))
        return (ClipColor(0.05, 0, 0.15), alpha: 0.4 * (1 - min(max((d + 0.06) / 0.16, 0), 1)))
      }
      canvas.fill(ClipColor(0.2, 0.05, 0.4)) { distance($0) - 0.035 }
      let width = canvas.pixel
      canvas.paint { place in
        let alpha = min(max(0.5 - distance(place) / width, 0), 1)
        return (mix(ClipColor(1, 0.86, 0.2), ClipColor(1, 0.35, 0.25), place.y * 1.1 + 0.5), alpha: alpha)
      }
    }
  }
}
