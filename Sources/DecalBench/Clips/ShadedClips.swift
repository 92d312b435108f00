import Foundation

extension Clip {
  /// Shaded and round: a striped marble rolls through its soft shadow.
  static func marble(_ seed: UInt64) -> Clip {
    Clip(name: "marble", side: 618, frames: 40, rate: 20) { canvas, t in
      let center = SIMD2<Float>(0.38 * wave(t), 0.12 - 0.1 * abs(wave(t * 2)))
      let height = (0.12 - center.y) * 2
      canvas.paint { place in
        let q = (place - SIMD2(center.x + 0.05, 0.72)) / SIMD2(0.55 + height, 0.13 + height * 0.3)
        return (ClipColor(0.03, 0.04, 0.1), alpha: (0.55 - height) * Foundation.exp(-(q * q).sum() * 1.6))
      }
      let (radius, width, turn) = (Float(0.54), canvas.pixel, direction(t * 2))
      canvas.paint(around: center, reach: radius + 0.02) { place in
        let p = (place - center) / radius
        let r = length(p)
        let z = max(0, 1 - r * r).squareRoot()
        // The marble's own axes, turned about the depth and tipped.
        let u = p.x * turn.x + p.y * turn.y
        let v = (p.y * turn.x - p.x * turn.y) * 0.8 + z * 0.6
        let band = 0.5 + 0.5 * wave(v * 1.3 + 0.15 * wave(u))
        let base = mix(ClipColor(0.1, 0.35, 0.75), ClipColor(0.95, 0.93, 0.85), (band - 0.5) * 9 + 0.5)
        let light = max(0, -0.45 * p.x - 0.6 * p.y + 0.66 * z)
        let shine = Foundation.pow(light, 40)
        let rim = Foundation.pow(1 - z, 3) * 0.35
        let color = base * (0.22 + 0.8 * light) + ClipColor(repeating: shine * 0.8) + ClipColor(0.3, 0.5, 0.8) * rim
        return (color, alpha: min(max(0.5 - (r - 1) * radius / width, 0), 1))
      }
    }
  }

  /// Like a photograph: a pan over grass, flowers and clouds seen through a round window, with the grain of film.
  static func meadow(_ seed: UInt64) -> Clip {
    var random = ClipRandom(seed: seed &+ 5)
    let (ground, sky) = (ClipNoise(&random), ClipNoise(&random))
    let grainSeed = random.next()
    return Clip(name: "meadow", side: 408, frames: 30, rate: 15) { canvas, t in
      var grain = ClipRandom(seed: grainSeed &+ UInt64(t * 1000))
      let shift = SIMD2<Float>(1.1 * t, 0.06 * wave(t))
      canvas.paint { place in
        if length(place) > 0.96 { return (ClipColor(), alpha: 0) }
        let p = place + shift
        let horizon = -0.05 + 0.16 * ground.value(SIMD2(p.x * 1.3, 3), octaves: 3)
        let speck = ClipColor(repeating: grain.number(-0.02...0.02))
        if place.y < horizon {
          let cloud = sky.value(SIMD2(p.x - 0.3 * t, p.y * 1.6) * 1.7, octaves: 5)
          return (mix(ClipColor(0.35, 0.6, 0.9), ClipColor(0.97, 0.96, 0.93), (cloud - 0.42) * 4) + speck, alpha: 1)
        }
        let depth = place.y - horizon + 0.08
        let blades = ground.value(SIMD2(p.x / depth * 2.2, 4 / depth) * 1.2, octaves: 6)
        let tone = ground.value(p * 2, octaves: 3)
        let green = mix(ClipColor(0.12, 0.25, 0.05), ClipColor(0.55, 0.7, 0.22), blades * 1.5 - 0.3)
        return (mix(green, ClipColor(0.85, 0.75, 0.3), (tone - 0.6) * 3) + speck, alpha: 1)
      }
      canvas.clip { disc($0, SIMD2(), 0.93) }
    }
  }

  /// Many small things: paper streamers turn as they fall, some of them see-through.
  static func streamers(_ seed: UInt64) -> Clip {
    var random = ClipRandom(seed: seed &+ 6)
    let palette = [
      ClipColor(0.95, 0.25, 0.35), ClipColor(0.2, 0.65, 0.95), ClipColor(1, 0.8, 0.2), ClipColor(0.35, 0.8, 0.4),
      ClipColor(0.7, 0.4, 0.9),
    ]
    let pieces = (0..<110).map { number in
      (
        x: random.number(-0.95...0.95), y: random.number(0...2.4), sway: random.number(0.02...0.12),
        spin: Float(Int(random.number(1...3.99))), phase: random.number(0...1), size: random.number(0.025...0.06),
        color: palette[number % palette.count], alpha: number % 4 == 0 ? Float(0.55) : 1
      )
    }
    return Clip(name: "streamers", side: 618, frames: 48, rate: 24) { canvas, t in
      for piece in pieces {
        let y = (piece.y + 2.4 * t).truncatingRemainder(dividingBy: 2.4) - 1.2
        let center = SIMD2(piece.x + piece.sway * wave(t * piece.spin + piece.phase), y)
        let tip = wave(t * piece.spin * 2 + piece.phase)
        let half = SIMD2(piece.size, piece.size * max(0.08, abs(tip)) * 0.6)
        let turn = direction(piece.phase + t * piece.spin * 0.5)
        let color = piece.color * (0.75 + 0.25 * tip)
        canvas.fill(color, alpha: piece.alpha, around: center, reach: piece.size * 1.5) {
          box($0, center, half, turn: turn)
        }
      }
    }
  }
}
