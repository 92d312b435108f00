#pragma once
#include <stddef.h>
#include <stdint.h>

/// The only C of the project: every setjmp, error and warning callback of the image libraries lives behind this header.
/// No function jumps over its caller, prints, or keeps a pointer after it returned, unless it says so.

/// How a call ended.
typedef enum {
  DECAL_OK = 0,
  DECAL_DAMAGED = 1,
  DECAL_UNSUPPORTED = 2,
  DECAL_NO_MEMORY = 3,
} decal_status;

/// What a library said: the error that ended the call, and the first of its warnings.
typedef struct {
  char error[200];
  char warning[200];
} decal_report;

// PNG

/// Decodes a PNG that holds nothing but IHDR, PLTE, tRNS, IDAT and IEND; checksums of chunks are not looked at.
/// `pixels` takes width * height * 4 samples of R, G, B, A, 8 bits each, or 16 in native order where `sixteen` is set.
decal_status decal_png_read(
  const uint8_t *bytes, size_t count, uint32_t width, uint32_t height, int sixteen, void *pixels,
  decal_report *report);

/// The version of libpng that is linked.
const char *decal_png_version(void);
