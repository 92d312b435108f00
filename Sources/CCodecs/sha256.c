#include "ccodecs.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static int has_instructions(void) {
  unsigned a, b, c, d;
  // Processors with them have all that comes before; Intel's manual, volume 2, CPUID: leaf 7, EBX, bit 29.
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
}

/// The instructions keep the state as a, b, e, f and c, d, g, h, and do two rounds each.
__attribute__((target("sha,sse4.1"))) static void compress(
  uint32_t *state, const uint8_t *blocks, size_t count, const uint32_t *round_constants) {
  const __m128i byte_order = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *halves = (__m128i *)state;
  __m128i first = _mm_shuffle_epi32(_mm_loadu_si128(halves), 0xb1);
  __m128i second = _mm_shuffle_epi32(_mm_loadu_si128(halves + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(first, second, 8);
  __m128i cdgh = _mm_blend_epi16(second, first, 0xf0);
  for (; count > 0; count--, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int turn = 0; turn < 16; turn++) {
      __m128i *now = &words[turn & 3];
      if (turn < 4) {
        *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)blocks + turn), byte_order);
      } else {
        const __m128i last = words[(turn + 3) & 3];
        const __m128i seven_back = _mm_alignr_epi8(last, words[(turn + 2) & 3], 4);
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(*now, words[(turn + 1) & 3]), seven_back);
        *now = _mm_sha256msg2_epu32(sum, last);
      }
      const __m128i input = _mm_add_epi32(*now, _mm_loadu_si128((const __m128i *)round_constants + turn));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  first = _mm_shuffle_epi32(abef, 0x1b);
  second = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(halves, _mm_blend_epi16(first, second, 0xf0));
  _mm_storeu_si128(halves + 1, _mm_alignr_epi8(second, first, 8));
}

int decal_sha256(uint32_t *state, const uint8_t *blocks, size_t count, const uint32_t *round_constants) {
  static int known;
  int has = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (has == 0) {
    has = has_instructions() ? 1 : -1;
    __atomic_store_n(&known, has, __ATOMIC_RELAXED);
  }
  if (has < 0) return 0;
  compress(state, blocks, count, round_constants);
  return 1;
}

#else

int decal_sha256(uint32_t *state, const uint8_t *blocks, size_t count, const uint32_t *round_constants) { return 0; }

#endif
